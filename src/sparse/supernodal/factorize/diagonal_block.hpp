#pragma once
#include "kernels/product/operand.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::supernodal {

/// What the elimination of one node's square did.
struct SquareResult {
  Index exchanged = 0;  ///< pivots that did not stand on the diagonal
  Index replaced = 0;   ///< pivots that were too small, and were replaced
  double smallest = 0;  ///< size of the smallest pivot; 0 where one was replaced
  bool is_finite = true;
};

/// Kept from one node to the next.
template <class T>
struct SquareWork {
  std::vector<T> values;
  std::vector<std::int32_t> rows, columns, before, pivot_rows;
};

/// D(row_order, column_order) = L U in D's place, L unit lower, U upper: threshold pivoting inside of the block, and what is left
/// below test.replacement becomes that.
/// Shapes  D: w x w; orders: w each, on return new place i is of old row row_order[i]
/// Cost    2/3 w^3 flops
/// Source  Li and Demmel, SuperLU_DIST, ACM TOMS 29 (2003), section 2, with exchanges inside of the block
template <class T>
SquareResult factor_square(MatrixView<T> D, const PivotTest<T>& test, std::span<std::int32_t> row_order,
                           std::span<std::int32_t> column_order, SquareWork<T>& work);

}  // namespace overlapack::sparse::supernodal
