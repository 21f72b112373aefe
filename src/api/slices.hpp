#pragma once
#include "comm/rank.hpp"
#include "kernels/sparse_residual.hpp"

#include <functional>

namespace overlapack::api {

/// Slices of this rank's work, as its trace names it: ranks of the same process that wait take part.
inline kernels::SliceRunner slices_of(comm::Rank& rank, const char* kind, Index n) {
  return {comm::slice_threads(rank),
          [&rank, kind, n](std::size_t count, const std::function<void(std::size_t)>& slice) {
            rank.run_slices({.kind = kind, .n = n}, count, slice);
          }};
}

/// f(0) ... f(count - 1), some at once where all of them have enough numbers to do.
inline void for_each(const kernels::SliceRunner& slices, Index count, Index numbers,
                     const std::function<void(std::size_t)>& f) {
  constexpr Index least = Index{1} << 15;  // some 30 us
  if (slices.threads > 1 && count > 1 && numbers > least)
    slices.run(static_cast<std::size_t>(count), f);
  else
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) f(k);
}

}  // namespace overlapack::api
