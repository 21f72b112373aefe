#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::sparse {

/// A graph whose nodes and edges have weights: how many variables a node stands for, and how many edges of the finest graph an edge stands for.
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

/// A coarser graph, and the coarse node to which each node belongs.
struct Coarsening {
  WeightedGraph graph;
  std::vector<Node> coarse_of;
};

/// Coarsen a graph: join nodes in pairs along heavy edges, beginning with nodes of few neighbours. If many nodes remain single, join those that
/// have a common neighbour. No pair is heavier than `most_weight`. Blocks of about `block_nodes` consecutive nodes are processed in parallel, so
/// that pairs inside a block are made first.
/// Cost    O(nodes + edges)
/// Source  Karypis and Kumar, SIAM J. Sci. Comput. 20 (1998), sorted heavy edge matching
Coarsening coarsen(const WeightedGraph& graph, std::uint64_t seed, std::int64_t most_weight, Node block_nodes,
                   comm::Tasks& tasks);

}  // namespace overlapack::sparse
