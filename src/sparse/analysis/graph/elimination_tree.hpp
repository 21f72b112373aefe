#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// The elimination tree of a graph under an ordering, its nodes renumbered in postorder ("positions").
/// parent(j) is the smallest i > j with L(i, j) != 0.
struct EliminationTree {
  std::vector<Node>
      order;  ///< order[k] is the graph node eliminated k-th: an ordering equivalent to the given
  std::vector<Node> position;  ///< position[order[k]] == k
  std::vector<Node> parent;    ///< by position; -1 for a root; parent[k] > k otherwise
};

/// Shapes  order: a permutation of the graph's nodes, order[k] eliminated k-th
/// Cost    O((nodes + edges) log nodes) at worst, nearly linear in practice
/// Source  Liu, The role of elimination trees in sparse factorization, SIMAX 11 (1990), algorithm 4.2
EliminationTree elimination_tree(const Graph& graph, std::span<const Node> order);

/// A postorder of a forest: visit[k] is the node visited k-th; children come in ascending number, or in the
/// order in which `children_order` lists all nodes when it is given.
std::vector<Node> postorder(std::span<const Node> parent, std::span<const Node> children_order = {});

/// counts[k]: rows of column k of L, its own w_k rows (w: variables of a node) included, where column k
/// stands for all variables of one node. Positions as in the tree.
/// Cost    nearly linear in nodes + edges
/// Source  Gilbert, Ng, Peyton, An efficient algorithm to compute row and column counts for sparse Cholesky
///         factorization, SIMAX 15 (1994), section 4 (with weighted rows)
std::vector<Index> column_counts(const QuotientGraph& quotient, const EliminationTree& tree);

}  // namespace overlapack::sparse
