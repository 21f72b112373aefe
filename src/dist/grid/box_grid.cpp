#include "dist/grid/box_grid.hpp"

#include "overlapack/error.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace overlapack::dist {

namespace {

/// Number of ranks of a node; throws unless all nodes have the same number of consecutive ranks.
int ranks_of_a_node(std::span<const int> node) {
  const auto end_of_first = std::ranges::find_if(node, [&](int n) { return n != node.front(); });
  const auto count = static_cast<int>(end_of_first - node.begin());
  const auto size = static_cast<std::size_t>(count);
  std::set<int> begun;
  for (std::size_t rank = 0; rank < node.size(); ++rank) {
    const bool fits = rank % size == 0 ? begun.insert(node[rank]).second : node[rank] == node[rank - 1];
    if (fits && node.size() % size == 0) continue;
    throw Error(Status::bad_plan,
                "mapping nodes needs the same number of consecutive ranks on each node; use mapping ranks or "
                "give ranks_per_node");
  }
  return count;
}

}  // namespace

BoxGrid cubic_grid(int ranks) {
  BoxGrid best{1, 1, ranks};
  for (int x = 1; x * x * x <= ranks; ++x)
    for (int y = x; x * y * y <= ranks; ++y)
      if (ranks % (x * y) == 0 && x + y + ranks / (x * y) < best.x + best.y + best.z)
        best = {x, y, ranks / (x * y)};
  return best;
}

int faces_between_nodes(const BoxGrid& grid, std::span<const int> node) {
  int faces = 0;
  for (int rank = 0; rank < grid.size(); ++rank)
    for (int axis = 0; axis < 3; ++axis)
      if (const int there = grid.neighbour(rank, axis, 1); there >= 0)
        faces += node[static_cast<std::size_t>(rank)] != node[static_cast<std::size_t>(there)];
  return faces;
}

BoxGrid node_boxes(const BoxGrid& grid, std::span<const int> node) {
  const int count = ranks_of_a_node(node);
  if (count == grid.size()) return grid;
  BoxGrid best = grid;
  int fewest = -1;
  for (int i = 1; i <= grid.x; ++i)
    for (int j = 1; j <= grid.y; ++j) {
      if (grid.x % i != 0 || grid.y % j != 0 || count % (i * j) != 0 || grid.z % (count / (i * j)) != 0)
        continue;
      const BoxGrid cells{grid.x, grid.y, grid.z, i, j, count / (i * j)};
      const int faces = faces_between_nodes(cells, node);
      if (fewest < 0 || faces < fewest) {
        best = cells;
        fewest = faces;
      }
    }
  if (fewest < 0)
    throw Error(Status::bad_plan, "no box of " + std::to_string(count) +
                                      " boxes, those of a node, divides the grid of " +
                                      std::to_string(grid.x) + "x" + std::to_string(grid.y) + "x" +
                                      std::to_string(grid.z) + "; give other boxes, or mapping ranks");
  return best;
}

}  // namespace overlapack::dist
