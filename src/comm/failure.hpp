#pragma once
#include "comm/rank.hpp"

#include <utility>

namespace overlapack::comm {

/// What a rank threw, as the Error that reaches every caller. Called inside of a catch block. Where there is no memory to say it, that.
Error thrown_error() noexcept;
/// A copy; likewise.
Error copy_of(const Error& error) noexcept;

/// Run f. What it throws stops every rank at once, before this one gives up the memory that others may be reading.
template <class F>
void stop_all_on_failure(Rank& rank, F&& f) {
  try {
    std::forward<F>(f)();
  } catch (...) {
    rank.abort(thrown_error());
    throw;
  }
}

}  // namespace overlapack::comm
