#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// The nodes grouped by strongly connected component: component b has the nodes order[start[b]] to order[start[b + 1] - 1].
struct StrongComponents {
  std::vector<Node> order;
  std::vector<Node> start{0};
  Node count() const { return static_cast<Node>(start.size() - 1); }
};

/// Find the strongly connected components of the graph that has an edge from node j to node_of_row[i] for each entry A(i, j). The component
/// of the target never comes after that of j. Therefore A is block upper triangular if each matched row takes the place of its column. The
/// nodes of a component ascend.
/// Shapes  A: n x n by compressed columns (start, row); node_of_row: a permutation
/// Cost    O(n + nnz)
/// Source  Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972); Duff and Reid, An implementation
///         of Tarjan's algorithm for the block triangularization of a matrix, ACM TOMS 4 (1978)
StrongComponents strong_components(std::span<const Index> start, std::span<const Index> row,
                                   std::span<const Node> node_of_row);

}  // namespace overlapack::sparse
