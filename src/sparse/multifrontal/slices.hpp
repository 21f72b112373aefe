#pragma once
#include "comm/rank.hpp"
#include "overlapack/scalar.hpp"

namespace overlapack::sparse {

/// Run slice(0..count-1) as slices of the engine where that pays, else as a plain loop.
template <class F>
void for_each_slice(comm::Rank& rank, bool sliced, const comm::Work& work, Index count, F&& slice) {
  if (sliced)
    rank.run_slices(work, static_cast<std::size_t>(count), [&](std::size_t i) { slice(static_cast<Index>(i)); });
  else
    for (Index i = 0; i < count; ++i) slice(i);
}

}  // namespace overlapack::sparse
