#include "sparse/block_triangular/column_refactor.hpp"

#include "kernels/operand.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>
#include <complex>
#include <limits>

namespace overlapack::sparse {

using kernels::magnitude;

template <class T>
ColumnRefactor<T>::ColumnRefactor(const SparseMatrix<T>& A, const Analysis& analysis,
                                  const PivotTest<T>& test, double singular_pivot, ColumnFactors<T>& factors)
    : A_(A),
      analysis_(analysis),
      test_(test),
      singular_pivot_(singular_pivot),
      factors_(factors),
      pivot_of_row_(static_cast<std::size_t>(A.rows)),
      x_(static_cast<std::size_t>(A.cols), T(0)) {
  for (Index k = 0; k < A.cols; ++k)
    pivot_of_row_[analysis.row_perm[factors.row_of_pivot[k]]] = static_cast<Node>(k);
}

template <class T>
void ColumnRefactor<T>::advance(Index count) {
  for (; count > 0 && !is_done(); --count) {
    has_failed_ = !refactorize_column();
    if (++column_ == factors_.block_start[block_ + 1]) ++block_;
  }
}

template <class T>
bool ColumnRefactor<T>::refactorize_column() {
  const Index first = factors_.block_start[block_], c = analysis_.col_perm[column_];
  const double scale = analysis_.col_scale[c];
  const bool by_fronts = factors_.by_fronts[block_] != 0;
  const EntryColumns<T>& U_pattern = factors_.upper;
  T* const upper = factors_.upper.value.data();
  T* const x = x_.data();
  Index u = U_pattern.start[column_];
  Real<T> column_size = 0;
  for (Index p = A_.start[c]; p < A_.start[c + 1]; ++p) {
    const Index r = A_.row[p];
    const Node at = pivot_of_row_[r];
    if (at >= first && by_fronts) continue;
    const T value = scaled_entry(A_.value[p], analysis_.row_scale[r], scale);
    if (at < first) {
      upper[u++] = value;
      continue;
    }
    x[at] = value;
    column_size = std::max(column_size, magnitude(value));
  }
  if (by_fronts) return true;

  const EntryColumns<T>& L = factors_.lower;
  const Node* const row = L.row.data();
  T* const lower = factors_.lower.value.data();
  for (; u < U_pattern.start[column_ + 1]; ++u) {  // in an order that L allows
    const Node j = U_pattern.row[u];
    const T xj = x[j];
    x[j] = T(0);
    upper[u] = xj;
    for (Index p = L.start[j]; p < L.start[j + 1]; ++p) x[row[p]] -= lower[p] * xj;
    stats_.flops += 2.0 * static_cast<double>(L.start[j + 1] - L.start[j]);
  }

  const T pivot = x[column_];
  x[column_] = T(0);
  const Index begin = L.start[column_], end = L.start[column_ + 1];
  Real<T> largest = magnitude(pivot);
  bool is_finite = largest <= std::numeric_limits<Real<T>>::max();
  for (Index p = begin; p < end; ++p) {
    const Real<T> size = magnitude(x[row[p]]);
    is_finite &= size <= std::numeric_limits<Real<T>>::max();
    largest = std::max(largest, size);
  }
  if (!is_finite || !accepts(magnitude(pivot), largest, column_size)) return false;
  factors_.pivot[column_] = pivot;
  for (Index p = begin; p < end; ++p) {
    lower[p] = x[row[p]] / pivot;
    x[row[p]] = T(0);
  }
  stats_.flops += static_cast<double>(end - begin);
  ++stats_.kept;
  return true;
}

template <class T>
bool ColumnRefactor<T>::accepts(Real<T> pivot, Real<T> largest, Real<T> column_size) {
  if (!(pivot > 0) || pivot < test_.threshold * largest) return false;
  if (test_.replacement > 0) return pivot >= test_.replacement;
  const double relative = static_cast<double>(pivot) / static_cast<double>(column_size);
  stats_.smallest_pivot = std::min(stats_.smallest_pivot, relative);
  return column_size > 0 && relative >= singular_pivot_;
}

#define OVERLAPACK_INSTANTIATE(T) template class ColumnRefactor<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
