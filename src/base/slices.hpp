#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace overlapack {

/// Runs independent slices of work on threads; a default-constructed one runs them one after the other on the calling thread.
struct SliceRunner {
  using Slice = std::function<void(std::size_t)>;

  int threads = 1;  ///< how many slices run at the same time
  /// Calls slice(0) ... slice(count - 1) and returns when all are done. Not called, and may be empty, if threads is 1.
  std::function<void(std::size_t count, const Slice& slice)> run;

  /// Number of slices into which to split `work`, in any unit: each has at least `least` units (which should take about 30 us if a
  /// thread gets only one slice), and there are at most `of_thread` slices per thread.
  Index slices(Index work, Index least, Index of_thread = 1) const {
    return threads == 1 ? 1 : std::clamp<Index>(work / least, 1, of_thread * threads);
  }

  void for_each(std::size_t count, const Slice& slice) const {
    if (count > 1 && threads > 1) return run(count, slice);
    for (std::size_t k = 0; k < count; ++k) slice(k);
  }
};

/// Split columns, column j having entries start[j]..start[j + 1], into slices with about equally many entries; returns their
/// bounds.
/// Shapes  start: columns + 1; returns slices + 1
inline std::vector<Index> bounds_by_entries(std::span<const Index> start, Index slices) {
  std::vector<Index> bounds;
  for (Index s = 0; s < slices; ++s)
    bounds.push_back(std::ranges::lower_bound(start, start.back() * s / slices) - start.begin());
  bounds.push_back(static_cast<Index>(start.size()) - 1);
  return bounds;
}

}  // namespace overlapack
