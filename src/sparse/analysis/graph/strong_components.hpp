#pragma once
#include "sparse/analysis/graph/graph.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// Nodes by components: those of component b are order[start[b]] .. order[start[b + 1]).
struct StrongComponents {
  std::vector<Node> order;
  std::vector<Node> start{0};
  Node count() const { return static_cast<Node>(start.size() - 1); }
};

/// The strongly connected components of the graph with an edge from node j to node_of_row[i] for each entry A(i, j), so that
/// the target's component never comes after the one of j: with the matched rows in the place of their columns, A is block
/// upper triangular. Inside of a component nodes ascend.
/// Shapes  A: n x n by compressed columns (start, row); node_of_row: a permutation
/// Cost    O(n + nnz)
/// Source  Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972); Duff and Reid, An implementation
///         of Tarjan's algorithm for the block triangularization of a matrix, ACM TOMS 4 (1978)
StrongComponents strong_components(std::span<const Index> start, std::span<const Index> row,
                                   std::span<const Node> node_of_row);

}  // namespace overlapack::sparse
