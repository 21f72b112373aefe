#pragma once
#include "overlapack/scalar.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::sparse {

/// The type of numbers of graph nodes and tree positions in the analysis. analyse() checks that n <= 2^31 - 1.
using Node = std::int32_t;

/// An undirected graph without loops. Each edge is stored at both ends; the neighbours of a node ascend.
struct Graph {
  std::vector<Index> start{0};  ///< nodes + 1 offsets
  std::vector<Node> neighbour;

  Node nodes() const { return static_cast<Node>(start.size() - 1); }
  Index degree(Node v) const { return start[v + 1] - start[v]; }
  std::span<const Node> neighbours(Node v) const {
    return {neighbour.data() + start[v], static_cast<std::size_t>(degree(v))};
  }
};

/// A graph whose nodes stand for groups of variables. The variables of a node are ordered, and eliminated, one after the other.
struct QuotientGraph {
  Graph graph;
  std::vector<Index> member_start{0};  ///< nodes + 1 offsets into member
  std::vector<Node> member;            ///< the variables of each node, ascending
  /// The number of variables of node v.
  Node weight(Node v) const { return static_cast<Node>(member_start[v + 1] - member_start[v]); }
  std::span<const Node> members(Node v) const {
    return {member.data() + member_start[v], static_cast<std::size_t>(weight(v))};
  }
};

/// The graph of B + B^T without its diagonal, where B(new_row[r], j) = A(r, j); empty new_row: the identity.
/// Shapes  A: n x n by compressed columns (start, row), rows unique in each column
/// Cost    O(n + nnz)
Graph symmetrised_graph(std::span<const Index> start, std::span<const Index> row,
                        std::span<const Node> new_row);

/// Whether each entry has its mirror image. The test compares sums of 64-bit hashes, which agree by chance once in 10^19 patterns.
/// Shapes  n x n, rows unique in each column
/// Cost    one pass over the entries
bool has_symmetric_pattern(std::span<const Index> start, std::span<const Index> row, comm::Tasks& tasks);

/// The graph of a matrix with a symmetric pattern, without its diagonal. Rows ascend in each column.
Graph symmetric_graph(std::span<const Index> start, std::span<const Index> row, comm::Tasks& tasks);

/// The graph of A + A^T without its diagonal, for any matrix. It takes less time if the pattern is symmetric.
Graph pattern_graph(std::span<const Index> start, std::span<const Index> row, comm::Tasks& tasks);

/// Find the groups of indistinguishable nodes, numbered by first members: group[v] == group[w] exactly if v and w are neighbours and have all
/// other neighbours in common. Their elimination together causes no fill.
/// Cost    O(nodes + edges), by hashing
/// Source  Ashcraft, Compressed graphs and the minimum degree algorithm, SIAM J. Sci. Comput. 16 (1995)
std::vector<Node> indistinguishable_groups(const Graph& graph);

/// The quotient graph: one node for each group, and an edge between two groups if any of their members are neighbours. Groups are numbered
/// 0, 1, ... by their first members.
QuotientGraph quotient(const Graph& graph, std::span<const Node> group);

/// The graph with its nodes renumbered: node order[k] becomes node k.
QuotientGraph renumbered(const QuotientGraph& quotient, std::span<const Node> order, comm::Tasks& tasks);

/// The quotient graph in which every variable is a node of its own.
QuotientGraph trivial_quotient(Graph graph);

/// The graph of the variables, numbered by their positions in `member`. The members of a node are neighbours of each other, and of all members
/// of the node's neighbours.
/// Cost    O(edges of the result)
Graph expanded(const QuotientGraph& quotient);

}  // namespace overlapack::sparse
