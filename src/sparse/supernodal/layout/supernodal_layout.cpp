#include "sparse/supernodal/layout/supernodal_layout.hpp"

#include <utility>

namespace overlapack::sparse::supernodal {
namespace {

constexpr std::int32_t above_subtrees = -1;

dist::ProcessGrid grid_of_one() { return dist::ProcessGrid(1, 1, dist::GridOrder::row_major, 1); }

LayoutPart part_of(NodeSelection selection, dist::ProcessGrid grid, int me, ProgressRange range) {
  NodeGrid nodes(selection.structure, std::move(grid), me, selection.selected, range);
  SolveLists lists = solve_lists(nodes, selection.structure);
  return {std::move(nodes), std::move(lists), std::move(selection.variable)};
}

/// Share of all flops below the nodes that are distributed.
double share_of_subtrees(const NodeStructure& structure, std::span<const std::int32_t> owner) {
  double below = 0;
  for (Index k = 0; k < structure.nodes(); ++k)
    if (owner[k] != above_subtrees) below += node_flops(structure, k);
  const double all = factor_flops(structure);
  return all > 0 ? below / all : 0;
}

}  // namespace

SupernodalLayout::SupernodalLayout(dist::ProcessGrid grid, int rank)
    : me(rank), subtrees{NodeGrid(grid_of_one(), 0), {}, {}}, top{NodeGrid(std::move(grid), rank), {}, {}} {}

SupernodalLayout::SupernodalLayout(const NodeStructure& structure, std::span<const std::int32_t> owner,
                                   bool is_by_levels, dist::ProcessGrid grid, int rank)
    : SupernodalLayout(grid, rank) {
  const double share = share_of_subtrees(structure, owner);
  const NodeSelection mine = select_nodes(structure, owner, rank);
  subtrees = part_of(mine, grid_of_one(), 0, {0, share});
  NodeSelection distributed = select_nodes(structure, owner, above_subtrees);
  if (is_by_levels) distributed.structure = sort_by_levels(distributed.structure);
  top = part_of(std::move(distributed), std::move(grid), rank, {share, 1});

  home.resize(static_cast<std::size_t>(structure.n));
  for (Index k = 0; k < structure.nodes(); ++k)
    std::fill_n(home.begin() + structure.first[k], structure.width[k], -1 - owner[k]);
  std::vector<std::int32_t> top_number(home.size(), -1);
  for (std::size_t i = 0; i < top.variable.size(); ++i) {
    top_number[top.variable[i]] = static_cast<std::int32_t>(i);
    home[top.variable[i]] = top.nodes.node_of(static_cast<Index>(i));
  }
  border = border_lists(structure, owner, mine, top.nodes, top_number, rank);
}

}  // namespace overlapack::sparse::supernodal
