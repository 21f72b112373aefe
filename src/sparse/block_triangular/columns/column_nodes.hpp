#pragma once
#include "sparse/block_triangular/columns/column_factors.hpp"

namespace overlapack::sparse::block_triangular {

/// Finds the nodes of L, consecutive columns with the same rows below them, and orders the rows as products
/// by nodes need them. Values are not moved: it is for a pattern whose numbers are computed afterwards
/// (ColumnRefactor).
///   factors.node_end      column -> the end of its node
///   L(:, j), node j .. e  rows j + 1, ..., e - 1, then those below in one order for all columns of the node
///   U(:, k) in its block  ascending, so that a node's part of it is contiguous: with row j, fill brings j + 1, ...
/// Cost    O(entries), and sorting those of U and of the last column of each node
template <class T>
void arrange_by_nodes(ColumnFactors<T>& factors);

/// factors.rows <- the rows of L of L D L^T by nodes; the rows of each column become ascending. Values are not moved. The two columns
/// of a 2x2 pivot, whose rows are the same, are of one node.
/// Cost    O(entries), and as much memory as their row numbers while it works
template <class T>
void list_rows(ColumnFactors<T>& factors);

}  // namespace overlapack::sparse::block_triangular
