#pragma once
#include "base/shared_list.hpp"
#include "sparse/analysis/fronts/assembly_tree.hpp"
#include "sparse/analysis/fronts/front_cost.hpp"
#include "sparse/analysis/graph/graph.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// How variables become nodes.
struct NodePlan {
  Index max_width = 256;  ///< a wider node is cut into several
  Index relax = 4;        ///< subtrees of at most so many variables are one node
};

/// A list of variables for each node, all lists one after the other.
struct NodeLists {
  SharedList<Index> start{0};  ///< nodes + 1
  SharedList<std::int32_t> variable;

  std::span<const std::int32_t> operator()(Index node) const {
    return {variable.data() + start[node], static_cast<std::size_t>(start[node + 1] - start[node])};
  }
};

/// Nodes of the elimination of B, in the order in which they are eliminated: consecutive variables, whose square is stored
/// whole, with lists of their own of the rows of L and of the columns of U.
struct NodeStructure {
  Index n = 0;
  SharedList<std::int32_t> first, width;  ///< of each node: its first variable, how many it has
  /// R: rows below the node's square that are not zero in some column of the node; C: columns behind it, likewise. By the
  /// nodes they are of, then by number. Closed: i in R(K) and j in C(K), with i of a node I and j of J, are in the square of
  /// I = J, or i is in R(J), or j in C(I).
  NodeLists rows, columns;

  Index nodes() const { return static_cast<Index>(first.size()); }
};

/// Entries of A's columns as rows and columns of B.
struct PermutedPattern {
  std::span<const Index> start;  ///< of A, by columns
  std::span<const Index> row;
  std::span<const Node> row_position, column_position;  ///< of A's rows and columns in B
};

/// Where nodes begin, with n at the end: the fronts of the tree, subtrees of at most `relax` variables joined, what is wider than
/// `max_width` cut evenly.
std::vector<Node> node_bounds(const AssemblyTree& tree, const NodePlan& plan);

/// Rows and columns of nodes in postorder. B's diagonal need not be there.
/// Cost    about that of copying each list once for each node to which it is passed on
/// Source  Eisenstat and Liu, Exploiting structural symmetry in unsymmetric sparse symbolic factorization, SIMAX 13 (1992), by
///         nodes: the lists of a node go no further than to the first node that is in both
NodeStructure node_structure(std::span<const Node> bounds, const PermutedPattern& B);

/// The same nodes, those first that wait for none, then those that wait for these alone, and so on.
NodeStructure sort_by_levels(const NodeStructure& structure);

/// The node of each variable.
std::vector<std::int32_t> node_of_variable(const NodeStructure& structure);

/// Entries that are stored, and flops of the elimination.
double factor_entries(const NodeStructure& structure);
double factor_flops(const NodeStructure& structure);
double node_flops(const NodeStructure& structure, Index node);  ///< of these, those of one node's step

/// Predicted seconds of each node's step on one core.
std::vector<double> seconds_of_nodes(const NodeStructure& structure, const FrontCostModel& model);
/// All of it.
double node_seconds(const NodeStructure& structure, const FrontCostModel& model);

/// Each node's parent in the elimination tree of the lists, -1: none. A node's lists have nodes on its way to the root alone.
std::vector<Index> node_tree(const NodeStructure& structure);

}  // namespace overlapack::sparse
