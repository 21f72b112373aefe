#pragma once
#include "sparse/analysis/graph/elimination_tree.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// The predicted patterns of L and U of diagonal blocks, in the analysed order. The prediction assumes that every pivot is on the diagonal and
/// that each block has the symmetric pattern of its graph. Empty: there is no prediction.
struct ColumnPattern {
  std::vector<Index> lower_start, upper_start;  ///< columns + 1
  /// lower_row: rows of L below the diagonal, ascending. upper_row: rows of U above the diagonal; first those in earlier blocks, in A's order,
  /// then those of the column's own block, ascending.
  std::vector<Node> lower_row, upper_row;
  /// column -> the end of its node: columns one behind the other with the same rows below
  std::vector<Node> node_end;

  bool empty() const { return lower_start.empty(); }
};

/// The entries of columns in earlier blocks, and the blocks for which no pattern is predicted.
struct ColumnsBeside {
  std::vector<Index> start;  ///< columns + 1
  std::vector<Node> row;
  std::vector<char> is_apart;  ///< for each column: whether another method factorises its block
};

/// Predict the patterns of L and U.
/// Shapes  graph, tree: of the blocks only, without edges between them; counts: as column_counts
/// Cost    O(columns + edges + entries of the result)
/// Source  row subtrees: Liu, SIMAX 11 (1990), section 3; lists come out ascending without a sort
ColumnPattern column_pattern(const Graph& graph, const EliminationTree& tree, std::span<const Index> counts,
                             const ColumnsBeside& beside);

}  // namespace overlapack::sparse
