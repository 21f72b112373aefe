#pragma once
#ifdef OVERLAPACK_SMPI
#include <memory>
#include <simgrid/actor.h>
#include <vector>
#endif

namespace overlapack::comm::mpi {

/// One T for each MPI process. The simulator runs all MPI processes as actors of one system process: there the T is looked up by
/// the number of the running actor.
template <class T>
T& of_process(T* (*make)() = [] { return new T(); }) {
#ifdef OVERLAPACK_SMPI
  static std::vector<std::unique_ptr<T>> all;
  const auto number = static_cast<std::size_t>(sg_actor_self_get_pid());
  if (number >= all.size()) all.resize(number + 1);
  if (!all[number]) all[number].reset(make());
  return *all[number];
#else
  static T& one = *make();  // never destroyed: static objects may use it
  return one;
#endif
}

}  // namespace overlapack::comm::mpi
