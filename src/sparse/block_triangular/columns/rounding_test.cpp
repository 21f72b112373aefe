#include "sparse/block_triangular/columns/rounding_test.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/factors/pivot_test.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>

namespace overlapack::sparse::block_triangular {

template <class T>
RoundingTest<T>::RoundingTest(const SparseMatrix<T>& A, const Analysis& analysis, const FactorPlan& plan)
    : A_(A), analysis_(analysis), least_(singular_share<T>(plan)) {}

template <class T>
double RoundingTest<T>::row_size(Node row) {
  if (row_size_.empty()) {
    row_size_.resize(static_cast<std::size_t>(A_.rows));
    for (Index j = 0; j < A_.cols; ++j)
      for (Index p = A_.start[j]; p < A_.start[j + 1]; ++p) {
        const Index r = A_.row[p];
        const T entry = scaled_entry(A_.value[p], analysis_.row_scale[r], analysis_.col_scale[j]);
        row_size_[r] = std::max(row_size_[r], static_cast<double>(kernels::magnitude(entry)));
      }
  }
  return row_size_[analysis_.row_perm[row]];
}

OVERLAPACK_INSTANTIATE_CLASS(RoundingTest);

}  // namespace overlapack::sparse::block_triangular
