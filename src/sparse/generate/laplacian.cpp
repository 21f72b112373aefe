#include "sparse/generate/grid.hpp"
#include "sparse/generate/kinds.hpp"
#include "sparse/matrix/triplets.hpp"

#include <cstdlib>

namespace overlapack::sparse {
namespace {

/// The coefficient of the neighbour (dx, dy, dz): the compact 9-point Laplacian of a plane (20, -4, -1) / 6
/// plus the 3-point one (2, -1) along the third axis.
double coefficient(Index plane_distance, bool is_along_axis) {
  if (is_along_axis) return -1.0;
  if (plane_distance == 0) return 20.0 / 6.0 + 2.0;
  return plane_distance == 1 ? -4.0 / 6.0 : -1.0 / 6.0;
}

}  // namespace

SparseMatrix<double> make_cube(Index size, std::uint64_t) {
  const Grid grid{size, size, size};
  Triplets<double> entries;
  entries.rows = entries.cols = grid.points();
  entries.reserve(11 * grid.points());
  for_each_point(grid, [&](Index x, Index y, Index z) {
    const Index i = grid.number(x, y, z);
    // Axis x carries the 3-point stencil, planes of constant x the 9-point one.
    for (Index dy = -1; dy <= 1; ++dy)
      for (Index dz = -1; dz <= 1; ++dz)
        if (grid.holds(x, y + dy, z + dz))
          entries.add(i, grid.number(x, y + dy, z + dz), coefficient(std::abs(dy) + std::abs(dz), false));
    for (Index dx : {-1, 1})
      if (grid.holds(x + dx, y, z)) entries.add(i, grid.number(x + dx, y, z), coefficient(0, true));
  });
  SparseMatrix<double> A = compress(entries).matrix;
  A.symmetry = Symmetry::symmetric;
  return A;
}

}  // namespace overlapack::sparse
