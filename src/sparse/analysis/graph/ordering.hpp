#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// Decides which nodes are dense and therefore ordered last: nodes whose degree is above `least` and above the smaller of the two multiples.
/// Minimum degree takes long for nodes with many neighbours. The mean degree is one of the multiples because hubs of a sparse graph have far
/// fewer neighbours than a multiple of sqrt(nodes).
struct DenseRule {
  double of_root = 10;   ///< x sqrt(nodes)
  double of_mean = 100;  ///< x the mean degree
  double least = 16;

  double most_degree(const Graph& graph) const;
};

/// Order by nested dissection of METIS; order[k] is the node eliminated k-th. Dense nodes are taken out first and ordered last. A process makes
/// one call at a time, since METIS has a global random state.
/// Errors  BadInput if nodes or edges exceed what METIS was built for; OutOfMemory as METIS reports it
std::vector<Node> metis_order(const QuotientGraph& quotient, const DenseRule& dense = {});

/// The nodes that nested dissection orders: all but isolated ones, which come first, and dense ones, which come last.
struct Core {
  std::vector<Node> first, inner, last;
  std::vector<Node> number;  ///< node -> its number among the inner ones, or -1
};

Core core_without_dense_nodes(const Graph& graph, const DenseRule& dense);

/// The graph among the inner nodes.
struct CoreGraph {
  Graph graph;
  std::vector<std::int32_t> weight;  ///< variables of each node
};
CoreGraph core_graph(const QuotientGraph& quotient, const Core& core);

/// The whole order: core.first, the inner nodes in `inner_order`, core.last.
std::vector<Node> joined(const Core& core, std::span<const Node> inner_order);

/// Partition the nodes of a graph by METIS into `parts` parts of about the same weight with few edges between them. The weight of a node is
/// its degree + 1. Returns the part of each node, from 0. The variables of a point (variable_blocks) stay together. A part may be empty if
/// there are few nodes.
/// Errors  as metis_order
std::vector<int> metis_partition(const Graph& graph, int parts);

/// The nodes in the order of their first variables.
std::vector<Node> nodes_by_variables(const QuotientGraph& quotient, std::span<const Node> variable_order);

/// Order by approximate minimum degree of AMD, which puts dense nodes last by itself.
std::vector<Node> amd_order(const Graph& graph, const DenseRule& dense = {});
/// Order the nodes of a quotient graph, each of which stands for several variables, by AMD on the graph of the variables.
std::vector<Node> amd_order(const QuotientGraph& quotient, const DenseRule& dense = {});

/// Order by nested dissection of SCOTCH. Dense nodes are ordered last, as with METIS.
/// Errors  BadPlan if overlapack was built without SCOTCH
std::vector<Node> scotch_order(const QuotientGraph& quotient, const DenseRule& dense = {});

/// Whether scotch_order works in this build.
bool has_scotch();

}  // namespace overlapack::sparse
