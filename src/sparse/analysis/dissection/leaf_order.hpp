#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse {

/// A small part of a graph to be ordered (the inner nodes), and its neighbours outside, which are eliminated later.
struct Leaf {
  Node inner = 0;               ///< nodes 0 ... inner - 1 are ordered, those behind them are not
  std::vector<Index> start{0};  ///< inner + 1 offsets
  std::vector<Node> neighbour;  ///< neighbours of the inner nodes; an edge of two inner nodes is at both ends
  std::vector<std::int32_t> node_weight;  ///< weights of all nodes

  std::span<const Node> neighbours(Node v) const {
    return {neighbour.data() + start[v], static_cast<std::size_t>(start[v + 1] - start[v])};
  }
};

/// Order the inner nodes by minimum degree. Up to 1,000 nodes the degree is exact; above, AMD orders the inner nodes without their neighbours
/// outside. Returns order[k], the inner node eliminated k-th.
std::vector<Node> leaf_order(const Leaf& leaf);

}  // namespace overlapack::sparse
