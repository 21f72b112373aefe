#include "sparse/generate/grid.hpp"
#include "sparse/generate/kinds.hpp"
#include "sparse/matrix/triplets.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace overlapack::sparse {
namespace {

/// A rotating flow (times h): about the vertical axis, with a draught along it. Its largest value is the cell
/// Peclet number.
struct Flow {
  double x, y, z;
};
Flow flow_at(double x, double y) {
  constexpr double peclet = 20.0;
  return {peclet * (y - 0.5), -peclet * (x - 0.5), 0.3 * peclet * std::sin(std::numbers::pi * x)};
}

}  // namespace

/// -h^2 Laplace(u) + h (v . grad) u with upwind differences, u = 0 on the boundary: an M-matrix.
SparseMatrix<double> make_convection(Index size, std::uint64_t) {
  const Grid grid{size, size, size};
  const double h = 1.0 / static_cast<double>(size + 1);
  Triplets<double> entries;
  entries.rows = entries.cols = grid.points();
  entries.reserve(7 * grid.points());
  for_each_point(grid, [&](Index x, Index y, Index z) {
    const Index i = grid.number(x, y, z);
    const Flow v = flow_at(static_cast<double>(x + 1) * h, static_cast<double>(y + 1) * h);
    double diagonal = 0;
    const auto couple = [&](Index dx, Index dy, Index dz, double inflow) {
      const double weight = 1 + std::max(inflow, 0.0);
      diagonal += weight;
      if (grid.holds(x + dx, y + dy, z + dz)) entries.add(i, grid.number(x + dx, y + dy, z + dz), -weight);
    };
    for (Index s : {-1, 1}) {
      couple(s, 0, 0, -static_cast<double>(s) * v.x);
      couple(0, s, 0, -static_cast<double>(s) * v.y);
      couple(0, 0, s, -static_cast<double>(s) * v.z);
    }
    entries.add(i, i, diagonal);
  });
  return compress(entries).matrix;
}

}  // namespace overlapack::sparse
