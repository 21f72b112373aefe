#include "dist/grid/nodes.hpp"

#include "comm/collective/collective.hpp"

namespace overlapack::dist {

std::vector<int> nodes_of(comm::Rank& rank, int ranks_per_node) {
  std::vector<int> node(static_cast<std::size_t>(rank.size()), 0);
  node[static_cast<std::size_t>(rank.rank())] =
      ranks_per_node > 0 ? rank.rank() / ranks_per_node : rank.node();
  comm::collective::all_reduce(rank, std::span<int>(node), std::plus<>());
  return node;
}

}  // namespace overlapack::dist
