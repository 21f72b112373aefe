#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::sparse {

/// A graph whose nodes stand for variables, or for several nodes of a finer graph, and whose edges for as many.
struct WeightedGraph {
  std::vector<Index> start{0};  ///< nodes + 1 offsets
  std::vector<Node> neighbour;
  std::vector<std::int32_t> edge_weight;  ///< as neighbour
  std::vector<std::int32_t> node_weight;
  std::int64_t weight = 0;  ///< of all nodes

  Node nodes() const { return static_cast<Node>(node_weight.size()); }
  Index degree(Node v) const { return start[v + 1] - start[v]; }
  std::span<const Node> neighbours(Node v) const {
    return {neighbour.data() + start[v], static_cast<std::size_t>(degree(v))};
  }
};

/// A coarser graph, and the node of it that each node became a part of.
struct Coarsening {
  WeightedGraph graph;
  std::vector<Node> coarse_of;
};

/// Nodes joined in pairs along heavy edges, those of few neighbours first; and, where that leaves many alone, nodes that have a
/// neighbour in common. No pair is heavier than `most_weight`. Blocks of about `block_nodes` nodes, numbered one after the other, are
/// worked on side by side: pairs inside of them come first.
/// Cost    O(nodes + edges)
/// Source  Karypis and Kumar, SIAM J. Sci. Comput. 20 (1998), sorted heavy edge matching
Coarsening coarsen(const WeightedGraph& graph, std::uint64_t seed, std::int64_t most_weight, Node block_nodes,
                   comm::Tasks& tasks);

}  // namespace overlapack::sparse
