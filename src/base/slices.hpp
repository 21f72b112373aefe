#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace overlapack {

/// Who shares work whose slices are independent of each other. As it stands: the caller alone.
struct SliceRunner {
  using Slice = std::function<void(std::size_t)>;

  int threads = 1;  ///< at a time
  /// slice(0) ... slice(count - 1), returning when all are done; not called for one thread.
  std::function<void(std::size_t count, const Slice& slice)> run;

  /// Slices that work is worth, of_thread at most for each: a slice has `least` of it, some 30 us where it is the only one of its thread.
  Index slices(Index work, Index least, Index of_thread = 1) const {
    return threads == 1 ? 1 : std::clamp<Index>(work / least, 1, of_thread * threads);
  }

  void for_each(std::size_t count, const Slice& slice) const {
    if (count > 1 && threads > 1) return run(count, slice);
    for (std::size_t k = 0; k < count; ++k) slice(k);
  }
};

/// Bounds of slices with about as many entries each, of columns whose entries begin at `start`.
/// Shapes  start: columns + 1; returns slices + 1
inline std::vector<Index> bounds_by_entries(std::span<const Index> start, Index slices) {
  std::vector<Index> bounds;
  for (Index s = 0; s < slices; ++s)
    bounds.push_back(std::ranges::lower_bound(start, start.back() * s / slices) - start.begin());
  bounds.push_back(static_cast<Index>(start.size()) - 1);
  return bounds;
}

}  // namespace overlapack
