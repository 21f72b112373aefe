#pragma once
#include "kernels/product/operand.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::supernodal {

/// Result of the elimination of one node's square.
struct SquareResult {
  Index exchanged = 0;  ///< pivots that were not on the diagonal
  Index replaced = 0;   ///< pivots that were too small, and were replaced
  double smallest = 0;  ///< size of the smallest pivot; 0 if one was replaced
  bool is_finite = true;
};

/// Work space of factor_square, reused from node to node.
template <class T>
struct SquareWork {
  std::vector<T> values;
  std::vector<std::int32_t> rows, columns, before, pivot_rows;
};

/// D(row_order, column_order) = L U in place, L unit lower, U upper: threshold pivoting inside of the block; pivots below
/// test.replacement are replaced by it.
/// Shapes  D: w x w; orders: w each, on return row i is old row row_order[i]
/// Cost    2/3 w^3 flops
/// Source  Li and Demmel, SuperLU_DIST, ACM TOMS 29 (2003), section 2, with exchanges inside of the block
template <class T>
SquareResult factor_square(MatrixView<T> D, const PivotTest<T>& test, std::span<std::int32_t> row_order,
                           std::span<std::int32_t> column_order, SquareWork<T>& work);

}  // namespace overlapack::sparse::supernodal
