#include "sparse/generate/grid.hpp"
#include "sparse/generate/hexahedron.hpp"
#include "sparse/generate/kinds.hpp"
#include "sparse/matrix/triplets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace overlapack::sparse {
namespace {

/// Is the point (in units of `size`) in the bracket? A base plate 1.5 x 1 with two bolt holes, an upright 1.5
/// high with a bore, a rib between them; plates 0.3 thick.
bool is_in_bracket(double x, double y, double z) {
  const auto is_in_circle = [](double a, double b, double radius) { return a * a + b * b < radius * radius; };
  const bool is_base =
      z < 0.3 && !is_in_circle(x - 1.15, y - 0.25, 0.12) && !is_in_circle(x - 1.15, y - 0.75, 0.12);
  const bool is_upright = x < 0.3 && !is_in_circle(y - 0.5, z - 1.1, 0.25);
  const bool is_rib = std::fabs(y - 0.5) < 0.15 && x + z < 1.3;
  return is_base || is_upright || is_rib;
}

/// The part as cubes of a grid, at least one cube thick everywhere.
class Part {
 public:
  explicit Part(Index size) : grid_{extent(size, 1.5), size, extent(size, 1.5)}, is_solid_(grid_.points()) {
    const auto centre = [&](Index k) { return (static_cast<double>(k) + 0.5) / static_cast<double>(size); };
    for_each_point(grid_, [&](Index x, Index y, Index z) {
      // The first layer stands in for plates that are thinner than one cube.
      is_solid_[grid_.number(x, y, z)] =
          is_in_bracket(x == 0 ? 0 : centre(x), centre(y), z == 0 ? 0 : centre(z));
    });
    keep_cubes_joined_to_wall();
  }

  const Grid& grid() const { return grid_; }
  bool is_solid(Index x, Index y, Index z) const {
    return grid_.holds(x, y, z) && is_solid_[grid_.number(x, y, z)];
  }

 private:
  static Index extent(Index size, double factor) {
    return std::max<Index>(1, static_cast<Index>(std::lround(factor * static_cast<double>(size))));
  }

  /// Keep the cubes that a chain of common faces joins to the wall x = 0: the others would be loose.
  void keep_cubes_joined_to_wall() {
    std::vector<char> is_joined(is_solid_.size(), 0);
    std::vector<std::array<Index, 3>> waiting;
    const auto visit = [&](Index x, Index y, Index z) {
      if (!is_solid(x, y, z) || is_joined[grid_.number(x, y, z)]) return;
      is_joined[grid_.number(x, y, z)] = 1;
      waiting.push_back({x, y, z});
    };
    for (Index y = 0; y < grid_.ny; ++y)
      for (Index z = 0; z < grid_.nz; ++z) visit(0, y, z);
    while (!waiting.empty()) {
      const auto [x, y, z] = waiting.back();
      waiting.pop_back();
      for (Index s : {-1, 1}) {
        visit(x + s, y, z);
        visit(x, y + s, z);
        visit(x, y, z + s);
      }
    }
    is_solid_ = std::move(is_joined);
  }

  Grid grid_;
  std::vector<char> is_solid_;
};

/// Numbers of the nodes that move: corners of solid cubes that are not on the wall x = 0; -1 elsewhere.
struct Nodes {
  Grid grid;
  std::vector<Index> number;
  Index count = 0;
};

Nodes number_nodes(const Part& part) {
  const Grid& cells = part.grid();
  Nodes nodes{{cells.nx + 1, cells.ny + 1, cells.nz + 1}, {}, 0};
  nodes.number.assign(nodes.grid.points(), -1);
  for_each_point(nodes.grid, [&](Index x, Index y, Index z) {
    bool is_corner = false;
    for (int k = 0; k < 8; ++k)
      is_corner = is_corner || part.is_solid(x - corner_x(k), y - corner_y(k), z - corner_z(k));
    if (is_corner && x > 0) nodes.number[nodes.grid.number(x, y, z)] = nodes.count++;
  });
  return nodes;
}

void add_element(const ElementStiffness& K, const std::array<Index, 8>& node, Triplets<double>& entries) {
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < 24; ++j)
      if (node[i / 3] >= 0 && node[j / 3] >= 0 && K[i][j] != 0)
        entries.add(3 * node[i / 3] + i % 3, 3 * node[j / 3] + j % 3, K[i][j]);
}

/// Remove entries where contributions of neighbouring elements cancel up to rounding.
void drop_negligible_entries(SparseMatrix<double>& A) {
  double largest = 0;
  for (double x : A.value) largest = std::max(largest, std::fabs(x));
  Index write = 0, begin = 0;
  for (Index j = 0; j < A.cols; ++j) {
    const Index end = A.start[j + 1];
    for (Index p = begin; p < end; ++p)
      if (std::fabs(A.value[p]) > 1e-14 * largest) {
        A.row[write] = A.row[p];
        A.value[write++] = A.value[p];
      }
    begin = end;
    A.start[j + 1] = write;
  }
  A.row.resize(write);
  A.value.resize(write);
}

}  // namespace

/// A steel bracket screwed to a wall at x = 0, 0.15 m along its longest edges.
SparseMatrix<double> make_elasticity(Index size, std::uint64_t) {
  const Part part(size);
  const Nodes nodes = number_nodes(part);
  const double edge_m = 0.15 / static_cast<double>(part.grid().nx);
  const ElementStiffness K = cube_stiffness(Material{}, edge_m);
  Triplets<double> entries;
  entries.rows = entries.cols = 3 * nodes.count;
  for_each_point(part.grid(), [&](Index x, Index y, Index z) {
    if (!part.is_solid(x, y, z)) return;
    std::array<Index, 8> node;
    for (int k = 0; k < 8; ++k)
      node[k] = nodes.number[nodes.grid.number(x + corner_x(k), y + corner_y(k), z + corner_z(k))];
    add_element(K, node, entries);
  });
  SparseMatrix<double> A = compress(entries).matrix;
  drop_negligible_entries(A);
  A.symmetry = Symmetry::symmetric;
  return A;
}

}  // namespace overlapack::sparse
