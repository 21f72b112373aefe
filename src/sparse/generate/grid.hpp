#pragma once
#include "overlapack/scalar.hpp"

namespace overlapack::sparse {

/// Numbers the points of an nx x ny x nz grid, z fastest.
struct Grid {
  Index nx = 1, ny = 1, nz = 1;

  Index points() const { return nx * ny * nz; }
  Index number(Index x, Index y, Index z) const { return (x * ny + y) * nz + z; }
  bool holds(Index x, Index y, Index z) const {
    return x >= 0 && x < nx && y >= 0 && y < ny && z >= 0 && z < nz;
  }
};

/// Call visit(x, y, z) for all points.
template <class Visit>
void for_each_point(const Grid& grid, Visit visit) {
  for (Index x = 0; x < grid.nx; ++x)
    for (Index y = 0; y < grid.ny; ++y)
      for (Index z = 0; z < grid.nz; ++z) visit(x, y, z);
}

}  // namespace overlapack::sparse
