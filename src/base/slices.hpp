#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace overlapack {

/// Runs independent slices of work on threads; default: serially, on the caller's.
struct SliceRunner {
  using Slice = std::function<void(std::size_t)>;

  int threads = 1;  ///< at a time
  /// Call slice(0) ... slice(count - 1) and return when all are done; not called where threads is 1.
  std::function<void(std::size_t count, const Slice& slice)> run;

  /// Number of slices for `work`: each has at least `least` of it (about 30 us where a thread has only one), and there are at most
  /// of_thread slices a thread.
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
