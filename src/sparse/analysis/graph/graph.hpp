#pragma once
#include "overlapack/scalar.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::sparse {

/// Numbers of graph nodes and tree positions inside analysis: n <= 2^31 - 1 is checked at its door.
using Node = std::int32_t;

/// An undirected graph without loops, each edge stored from both ends; neighbours ascend.
struct Graph {
  std::vector<Index> start{0};  ///< nodes + 1 offsets
  std::vector<Node> neighbour;

  Node nodes() const { return static_cast<Node>(start.size() - 1); }
  Index degree(Node v) const { return start[v + 1] - start[v]; }
  std::span<const Node> neighbours(Node v) const {
    return {neighbour.data() + start[v], static_cast<std::size_t>(degree(v))};
  }
};

/// A graph whose nodes stand for groups of variables that are ordered, and eliminated, side by side.
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

/// Has each entry an image? By sums of 64 mixed bits, which agree by chance once in 10^19 patterns.
/// Shapes  n x n, rows unique in each column
/// Cost    one pass over the entries
bool has_symmetric_pattern(std::span<const Index> start, std::span<const Index> row, comm::Tasks& tasks);

/// The same of a matrix whose pattern is symmetric, rows ascending.
Graph symmetric_graph(std::span<const Index> start, std::span<const Index> row, comm::Tasks& tasks);

/// The same of any matrix, in less time where the pattern is symmetric.
Graph pattern_graph(std::span<const Index> start, std::span<const Index> row, comm::Tasks& tasks);

/// The groups of indistinguishable nodes, numbered by first members: group[v] == group[w] exactly if v and w
/// are neighbours and have all other neighbours in common. Eliminated together they cost no fill.
/// Cost    O(nodes + edges), by hashing
/// Source  Ashcraft, Compressed graphs and the minimum degree algorithm, SIAM J. Sci. Comput. 16 (1995)
std::vector<Node> indistinguishable_groups(const Graph& graph);

/// One node for each group; an edge where any two of their members have one. Groups are numbered 0, 1, ... by
/// their first members.
QuotientGraph quotient(const Graph& graph, std::span<const Node> group);

/// The same graph, node order[k] of it as node k.
QuotientGraph renumbered(const QuotientGraph& quotient, std::span<const Node> order, comm::Tasks& tasks);

/// Every variable a node of its own.
QuotientGraph trivial_quotient(Graph graph);

/// The graph of the variables, numbered by their positions in `member`: members of a node are neighbours of each other and
/// of all members of its neighbours.
/// Cost    O(edges of the result)
Graph expanded(const QuotientGraph& quotient);

}  // namespace overlapack::sparse
