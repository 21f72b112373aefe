#pragma once
#include "sparse/analysis/graph/elimination_tree.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// L and U of diagonal blocks in the places of the analysed order, as they fill in where every pivot is on the diagonal and each
/// block's pattern is that of its graph. Empty: not predicted.
struct ColumnPattern {
  std::vector<Index> lower_start, upper_start;  ///< columns + 1
  /// Of L below its diagonal, ascending. Of U above its diagonal: what stands in earlier blocks, in A's order, then the block's
  /// own, ascending.
  std::vector<Node> lower_row, upper_row;
  std::vector<Node>
      node_end;  ///< column -> the end of its node: columns one behind the other with the same rows below

  bool empty() const { return lower_start.empty(); }
};

/// What one block of columns holds in earlier blocks, and which blocks have no pattern here.
struct ColumnsBeside {
  std::vector<Index> start;  ///< columns + 1
  std::vector<Node> row;
  std::vector<char> is_apart;  ///< column -> is its block factorised by a method of its own?
};

/// Shapes  graph, tree: of the blocks alone, without edges between them; counts: as column_counts
/// Cost    O(columns + edges + entries of the result)
/// Source  row subtrees: Liu, SIMAX 11 (1990), section 3; lists come out ascending without a sort
ColumnPattern column_pattern(const Graph& graph, const EliminationTree& tree, std::span<const Index> counts,
                             const ColumnsBeside& beside);

}  // namespace overlapack::sparse
