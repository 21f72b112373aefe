#pragma once
#include "overlapack/scalar.hpp"

#include <array>
#include <span>

namespace overlapack::dist {

/// A 3D grid of x * y * z boxes, one for each rank. The grid consists of cells of cell_x * cell_y * cell_z boxes, and consecutive
/// ranks fill one cell after the other; x varies fastest inside a cell and among cells. With cells of one box, x varies fastest
/// in the whole grid.
struct BoxGrid {
  int x = 1, y = 1, z = 1;
  int cell_x = 1, cell_y = 1, cell_z = 1;  ///< divisors of x, y, z

  int size() const { return x * y * z; }
  /// Position of a rank's box.
  std::array<int, 3> position_of(int rank) const {
    const int cell = rank / cell_size(), inside = rank % cell_size(), cells_x = x / cell_x,
              cells_y = y / cell_y;
    return {cell % cells_x * cell_x + inside % cell_x,
            cell / cells_x % cells_y * cell_y + inside / cell_x % cell_y,
            cell / (cells_x * cells_y) * cell_z + inside / (cell_x * cell_y)};
  }
  /// Owner of the box at this position; inverse of position_of.
  int rank_at(const std::array<int, 3>& position) const {
    const auto [i, j, k] = position;
    const int cell = i / cell_x + x / cell_x * (j / cell_y + y / cell_y * (k / cell_z));
    return cell * cell_size() + i % cell_x + cell_x * (j % cell_y + cell_y * (k % cell_z));
  }
  /// The neighbouring rank along `axis` (0 x, 1 y, 2 z) in direction `step`, -1 or +1; -1 outside the grid.
  int neighbour(int rank, int axis, int step) const {
    std::array<int, 3> position = position_of(rank);
    const std::array<int, 3> sizes{x, y, z};
    position[static_cast<std::size_t>(axis)] += step;
    const int there = position[static_cast<std::size_t>(axis)];
    return there < 0 || there >= sizes[static_cast<std::size_t>(axis)] ? -1 : rank_at(position);
  }

 private:
  int cell_size() const { return cell_x * cell_y * cell_z; }
};

/// The grid of `ranks` boxes with x <= y <= z and the smallest x + y + z; of equals, the longest along z.
BoxGrid cubic_grid(int ranks);

/// The same grid with cells such that each node has one cell, and the fewest faces are between nodes. Unchanged if all ranks are
/// on one node.
/// Shapes  node: by rank, the number of its node
/// Errors  BadPlan if nodes do not have equally many consecutive ranks, or no cell of that many boxes divides the grid
BoxGrid node_boxes(const BoxGrid& grid, std::span<const int> node);

/// Number of faces between boxes whose ranks are on different nodes, each face counted once.
int faces_between_nodes(const BoxGrid& grid, std::span<const int> node);

}  // namespace overlapack::dist
