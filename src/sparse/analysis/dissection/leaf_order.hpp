#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse {

/// A small part of a graph, and the nodes beside it, which are eliminated later.
struct Leaf {
  Node inner = 0;                         ///< nodes 0 ... inner - 1 are ordered, those behind them are not
  std::vector<Index> start{0};            ///< inner + 1 offsets
  std::vector<Node> neighbour;            ///< of the inner nodes; of two inner ones both name the other
  std::vector<std::int32_t> node_weight;  ///< of all

  std::span<const Node> neighbours(Node v) const {
    return {neighbour.data() + start[v], static_cast<std::size_t>(start[v + 1] - start[v])};
  }
};

/// Minimum degree of the inner nodes: exact up to 1,000 nodes, AMD's approximate one (without the nodes beside them) above.
/// Returns order[k], the inner node eliminated k-th.
std::vector<Node> leaf_order(const Leaf& leaf);

}  // namespace overlapack::sparse
