#pragma once
#include "comm/rank.hpp"

#include <exception>
#include <utility>

namespace overlapack::comm {

/// Run f. If it throws, abort all ranks before the exception frees memory of this rank that others may be reading.
template <class F>
void stop_all_on_failure(Rank& rank, F&& f) {
  try {
    std::forward<F>(f)();
  } catch (...) {
    rank.abort(error_of(std::current_exception()));
    throw;
  }
}

}  // namespace overlapack::comm
