#pragma once
#include "overlapack/error.hpp"
#include "overlapack/quiet_floats.hpp"

#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace overlapack::api {

/// What work() returns, while nothing traps; memory that is not there, or sizes beyond what there can be, become the Error that
/// describe() makes.
template <class Work, class Describe>
decltype(auto) within_memory(Work&& work, Describe&& describe) {
  const QuietFloats quiet;
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  throw std::forward<Describe>(describe)();
}

/// For functions that callers see, also outside of runs on ranks.
template <class Work>
decltype(auto) within_memory(Work&& work) {
  return within_memory(std::forward<Work>(work), [] {
    return Error(ErrorKind::out_of_memory, "memory",
                 "memory ran out; use a smaller matrix, options that need less (factors disk), or a machine "
                 "with more");
  });
}

}  // namespace overlapack::api
