#include "sparse/supernodal/node_grid.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse {
namespace {

/// Other processes than `me` that have a node of the list, in their order.
std::vector<int> processes_of(std::span<const std::int32_t> list, std::span<const std::int32_t> node_of,
                              int processes, int me) {
  std::vector<char> has(static_cast<std::size_t>(processes), 0);
  for (const std::int32_t v : list) has[node_of[v] % processes] = 1;
  std::vector<int> found;
  for (int process = 0; process < processes; ++process)
    if (has[process] && process != me) found.push_back(process);
  return found;
}

std::vector<std::int32_t> last_givers(const NodeStructure& structure, const NodeLists& lists,
                                      std::span<const std::int32_t> node_of) {
  std::vector<std::int32_t> last(static_cast<std::size_t>(structure.nodes()), -1);
  for (Index k = 0; k < structure.nodes(); ++k)
    for (const std::int32_t v : lists(k)) last[node_of[v]] = static_cast<std::int32_t>(k);
  return last;
}

}  // namespace

NodeGrid::NodeGrid(NodeStructure structure, dist::ProcessGrid grid, int me)
    : structure_(std::move(structure)),
      grid_(std::move(grid)),
      is_member_(grid_.holds(me)),
      me_(is_member_ ? grid_.place_of(me) : dist::GridPlace{-1, -1}),
      node_of_(node_of_variable(structure_)),
      rows_(structure_, structure_.rows, node_of_, me_.row, grid_.rows(), true),
      columns_(structure_, structure_.columns, node_of_, me_.col, grid_.cols(), false),
      last_of_column_(last_givers(structure_, structure_.columns, node_of_)),
      last_of_row_(last_givers(structure_, structure_.rows, node_of_)) {}

std::vector<int> NodeGrid::rows_that_need(Index k) const {
  return processes_of(structure_.rows(k), node_of_, grid_.rows(), me_.row);
}

std::vector<int> NodeGrid::columns_that_need(Index k) const {
  return processes_of(structure_.columns(k), node_of_, grid_.cols(), me_.col);
}

}  // namespace overlapack::sparse
