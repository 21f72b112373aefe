#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// The elimination tree of a graph under an ordering. Its nodes are renumbered in postorder; these numbers are called positions.
/// parent(j) is the smallest i > j with L(i, j) != 0.
struct EliminationTree {
  /// order[k] is the graph node eliminated k-th: an ordering equivalent to the given
  std::vector<Node> order;
  std::vector<Node> position;  ///< position[order[k]] == k
  std::vector<Node> parent;    ///< by position; -1 for a root; parent[k] > k otherwise
};

/// Compute the elimination tree.
/// Shapes  order: a permutation of the graph's nodes, order[k] eliminated k-th
/// Cost    O((nodes + edges) log nodes) at worst, nearly linear in practice
/// Source  Liu, The role of elimination trees in sparse factorization, SIMAX 11 (1990), algorithm 4.2
EliminationTree elimination_tree(const Graph& graph, std::span<const Node> order);

/// Compute a postorder of a forest: result[k] is the node visited k-th. The children of a node come in ascending number or, if
/// `children_order` is given, in the order in which it lists all nodes.
std::vector<Node> postorder(std::span<const Node> parent, std::span<const Node> children_order = {});

/// Count the rows of each column of L. Column k stands for all w_k variables of the node at position k of the tree; its count includes its
/// own w_k rows.
/// Cost    nearly linear in nodes + edges
/// Source  Gilbert, Ng, Peyton, An efficient algorithm to compute row and column counts for sparse Cholesky
///         factorization, SIMAX 15 (1994), section 4 (with weighted rows)
std::vector<Index> column_counts(const QuotientGraph& quotient, const EliminationTree& tree);

}  // namespace overlapack::sparse
