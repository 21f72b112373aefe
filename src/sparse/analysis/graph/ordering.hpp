#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// Which nodes are dense, and ordered last: those of a degree above the smaller of two multiples, and above `least`. Minimum degree
/// takes long over nodes of many neighbours, and hubs of a sparse graph have far fewer than a multiple of sqrt(nodes).
struct DenseRule {
  double of_root = 10;   ///< x sqrt(nodes)
  double of_mean = 100;  ///< x the mean degree
  double least = 16;

  double most_degree(const Graph& graph) const;
};

/// Nested dissection by METIS; order[k] is the node eliminated k-th. Dense nodes are taken out first and ordered last. One call at a
/// time in a process: the random state of METIS is global.
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

/// first, the inner nodes in an order of them, last.
std::vector<Node> joined(const Core& core, std::span<const Node> inner_order);

/// The nodes of a graph in `parts` parts of about the same weight (1 more than its degree a node) with few edges between
/// them, by METIS: part of each node, from 0. The variables of a point (variable_blocks) stay together. A part may be empty where
/// there are few nodes.
/// Errors  as metis_order
std::vector<int> metis_partition(const Graph& graph, int parts);

/// The nodes in the order of their first variables.
std::vector<Node> nodes_by_variables(const QuotientGraph& quotient, std::span<const Node> variable_order);

/// Approximate minimum degree by AMD, which puts dense nodes last by itself.
std::vector<Node> amd_order(const Graph& graph, const DenseRule& dense = {});
/// The same of nodes that stand for several variables each.
std::vector<Node> amd_order(const QuotientGraph& quotient, const DenseRule& dense = {});

/// Nested dissection by SCOTCH. Dense nodes as for METIS.
/// Errors  BadPlan when overlapack was built without it
std::vector<Node> scotch_order(const QuotientGraph& quotient, const DenseRule& dense = {});

/// Whether scotch_order works in this build.
bool has_scotch();

}  // namespace overlapack::sparse
