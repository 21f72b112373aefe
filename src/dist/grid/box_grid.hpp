#pragma once
#include "overlapack/scalar.hpp"

#include <array>

namespace overlapack::dist {

/// Ranks as a 3D grid of x * y * z boxes, x counting fastest.
struct BoxGrid {
  int x = 1, y = 1, z = 1;

  int size() const { return x * y * z; }
  /// Where a rank's box is.
  std::array<int, 3> place_of(int rank) const { return {rank % x, rank / x % y, rank / (x * y)}; }
  /// The rank beside it along `axis` (0 x, 1 y, 2 z), one `step` of -1 or +1 away; -1 outside the grid.
  int neighbour(int rank, int axis, int step) const {
    std::array<int, 3> place = place_of(rank);
    const std::array<int, 3> sizes{x, y, z};
    place[static_cast<std::size_t>(axis)] += step;
    const int there = place[static_cast<std::size_t>(axis)];
    if (there < 0 || there >= sizes[static_cast<std::size_t>(axis)]) return -1;
    return place[0] + x * (place[1] + y * place[2]);
  }
};

/// The grid of `ranks` boxes that is most like a cube; of equals the one that is longest along z.
inline BoxGrid cubic_grid(int ranks) {
  BoxGrid best{1, 1, ranks};
  for (int x = 1; x * x * x <= ranks; ++x)
    for (int y = x; x * y * y <= ranks; ++y)
      if (ranks % (x * y) == 0 && x + y + ranks / (x * y) < best.x + best.y + best.z) best = {x, y, ranks / (x * y)};
  return best;
}

}  // namespace overlapack::dist
