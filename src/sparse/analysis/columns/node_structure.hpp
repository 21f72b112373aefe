#pragma once
#include "base/shared_list.hpp"
#include "sparse/analysis/fronts/assembly_tree.hpp"
#include "sparse/analysis/fronts/front_cost.hpp"
#include "sparse/analysis/graph/graph.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// How variables are grouped to nodes.
struct NodePlan {
  Index max_width = 256;  ///< a node with more variables is cut into several
  Index relax = 4;        ///< a subtree of at most so many variables becomes one node
};

/// A list of variables for each node, all lists one after the other.
struct NodeLists {
  SharedList<Index> start{0};  ///< nodes + 1
  SharedList<std::int32_t> variable;

  std::span<const std::int32_t> operator()(Index node) const {
    return {variable.data() + start[node], static_cast<std::size_t>(start[node + 1] - start[node])};
  }
};

/// The nodes of supernodal LU of B, in the order of their elimination. A node has consecutive variables, whose diagonal block (its square) is
/// stored in full, and lists of its own of rows of L and of columns of U.
struct NodeStructure {
  Index n = 0;
  SharedList<std::int32_t> first, width;  ///< for each node: its first variable, and its number of variables
  /// R(K), the rows below the square of node K that are not zero in some column of K; and C(K), the columns behind it, likewise. They are
  /// sorted by the node of the variable, then by number. The lists are closed: for i in R(K) of node I, and j in C(K) of node J, either I = J,
  /// or i is in R(J), or j is in C(I). Therefore the update of (i, j) always has a place.
  NodeLists rows, columns;

  Index nodes() const { return static_cast<Index>(first.size()); }
};

/// The pattern of B as A's pattern and the positions of A's rows and columns in B.
struct PermutedPattern {
  std::span<const Index> start;  ///< A by compressed columns
  std::span<const Index> row;
  std::span<const Node> row_position, column_position;  ///< the positions in B of A's rows and columns
};

/// The first variable of each node, and n at the end. The nodes are the fronts of the tree; subtrees of at most `relax` variables are joined,
/// and fronts wider than `max_width` are cut evenly.
std::vector<Node> node_bounds(const AssemblyTree& tree, const NodePlan& plan);

/// Compute the lists of rows and columns of nodes in postorder. Entries on B's diagonal may be missing.
/// Cost    about that of copying each list once for each node to which it is passed on
/// Source  Eisenstat and Liu, Exploiting structural symmetry in unsymmetric sparse symbolic factorization, SIMAX 13 (1992), by
///         nodes: the lists of a node are passed on up to the first node that is in both lists
NodeStructure node_structure(std::span<const Node> bounds, const PermutedPattern& B);

/// Sort the nodes by levels: first the nodes that depend on no other node, then those that depend on these only, and so on.
NodeStructure sort_by_levels(const NodeStructure& structure);

/// The node of each variable.
std::vector<std::int32_t> node_of_variable(const NodeStructure& structure);

/// The number of stored entries, the flops of the elimination, and the flops of one node's step.
double factor_entries(const NodeStructure& structure);
double factor_flops(const NodeStructure& structure);
double node_flops(const NodeStructure& structure, Index node);

/// Predicted seconds of each node's step on one core.
std::vector<double> seconds_of_nodes(const NodeStructure& structure, const FrontCostModel& model);
/// Predicted seconds of all nodes' steps on one core.
double node_seconds(const NodeStructure& structure, const FrontCostModel& model);

/// The parent of each node in the elimination tree of the lists; -1: none. All variables in a node's lists belong to nodes on its path to the
/// root.
std::vector<Index> node_tree(const NodeStructure& structure);

}  // namespace overlapack::sparse
