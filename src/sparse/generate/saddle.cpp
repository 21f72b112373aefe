#include "sparse/generate/grid.hpp"
#include "sparse/generate/kinds.hpp"
#include "sparse/matrix/triplets.hpp"

#include <array>

namespace overlapack::sparse {
namespace {

/// Staggered grid of cells^3: component a of the velocity lives on the faces between two cells along axis a.
struct StaggeredGrid {
  Index cells;
  std::array<Grid, 3> faces;
  Grid pressures;

  explicit StaggeredGrid(Index cells)
      : cells(cells),
        faces{Grid{cells - 1, cells, cells}, Grid{cells, cells - 1, cells}, Grid{cells, cells, cells - 1}},
        pressures{cells, cells, cells} {}

  Index first_velocity(int a) const { return a * faces[0].points(); }
  Index first_pressure() const { return 3 * faces[0].points(); }
};

void add_laplacian(const Grid& grid, Index first, Triplets<double>& entries) {
  for_each_point(grid, [&](Index x, Index y, Index z) {
    const Index i = first + grid.number(x, y, z);
    entries.add(i, i, 6.0);
    for (Index s : {-1, 1}) {
      if (grid.holds(x + s, y, z)) entries.add(i, first + grid.number(x + s, y, z), -1.0);
      if (grid.holds(x, y + s, z)) entries.add(i, first + grid.number(x, y + s, z), -1.0);
      if (grid.holds(x, y, z + s)) entries.add(i, first + grid.number(x, y, z + s), -1.0);
    }
  });
}

/// Adds B^T and B. The face x of axis a lies between the cells x and x + e_a; grad p there is the difference
/// of their pressures, B^T p; B u is -div u.
void add_divergence(const StaggeredGrid& grid, int a, Index pinned, Triplets<double>& entries) {
  for_each_point(grid.faces[a], [&](Index x, Index y, Index z) {
    const Index face = grid.first_velocity(a) + grid.faces[a].number(x, y, z);
    const Index behind = grid.pressures.number(x, y, z);
    const Index ahead = grid.pressures.number(x + (a == 0), y + (a == 1), z + (a == 2));
    const auto couple = [&](Index cell, double value) {
      if (cell == pinned) return;
      entries.add(face, grid.first_pressure() + cell, value);
      entries.add(grid.first_pressure() + cell, face, value);
    };
    couple(behind, -1.0);
    couple(ahead, 1.0);
  });
}

}  // namespace

/// Stokes by finite volumes (Harlow and Welch 1965): [K B^T; B 0]. The last pressure is pinned to 0, because
/// pressures are known up to a constant.
SparseMatrix<double> make_saddle(Index size, std::uint64_t) {
  const StaggeredGrid grid(size + 1);
  const Index pinned = grid.pressures.points() - 1;
  Triplets<double> entries;
  entries.rows = entries.cols = grid.first_pressure() + pinned;
  for (int a = 0; a < 3; ++a) {
    add_laplacian(grid.faces[a], grid.first_velocity(a), entries);
    add_divergence(grid, a, pinned, entries);
  }
  SparseMatrix<double> A = compress(entries).matrix;
  A.symmetry = Symmetry::symmetric;
  return A;
}

}  // namespace overlapack::sparse
