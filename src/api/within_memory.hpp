#pragma once
#include "overlapack/error.hpp"

#include <new>
#include <utility>

namespace overlapack::api {

/// What work() returns, for functions that callers see: memory that is not there is an Error as all else that goes wrong, also
/// outside of runs on ranks.
template <class Work>
decltype(auto) within_memory(Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory, "memory",
                "memory ran out; use a smaller matrix, options that need less (factors disk), or a machine "
                "with more");
  }
}

}  // namespace overlapack::api
