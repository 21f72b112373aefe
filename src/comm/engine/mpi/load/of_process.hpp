#pragma once
#ifdef OVERLAPACK_SMPI
#include <memory>
#include <simgrid/actor.h>
#include <vector>
#endif

namespace overlapack::comm::mpi {

/// One T of each MPI process. The simulator runs all of them in one process of the system, whose memory they share: what
/// belongs to one of them is found by the number of the running one.
template <class T>
T& of_process(T* (*make)() = [] { return new T(); }) {
#ifdef OVERLAPACK_SMPI
  static std::vector<std::unique_ptr<T>> all;
  const auto number = static_cast<std::size_t>(sg_actor_self_get_pid());
  if (number >= all.size()) all.resize(number + 1);
  if (!all[number]) all[number].reset(make());
  return *all[number];
#else
  static T& one = *make();  // never destroyed: what stands on it may be static, too
  return one;
#endif
}

}  // namespace overlapack::comm::mpi
