/// ColumnRefactor of L D L^T: the numbers of L and D for known 1x1 and 2x2 pivots.
#include "base/instantiate.hpp"
#include "kernels/pivoting/pair_pivot.hpp"
#include "sparse/block_triangular/columns/column_kernel.hpp"
#include "sparse/block_triangular/columns/column_refactor.hpp"
#include "sparse/block_triangular/columns/read_ahead.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace overlapack::sparse::block_triangular {

using kernels::magnitude;

/// Columns k and, of a 2x2 pivot, k + 1. False: the pivot fails.
template <class T>
bool ColumnRefactor<T>::refactorize_pivot(Index k, Part& part) const {
  T* const x = part.space.x.data();
  T* const d = factors_.pivot.data() + k;
  const bool is_pair = factors_.is_pair(k);
  const Real<T> size = gather(k, x, part);
  d[0] = std::exchange(x[k], T(0));
  if (!is_pair) {
    if (!accepts_1x1(k, store(k, x), size, part)) return false;
    const T reciprocal = T(1) / d[0];
    for (Index p = factors_.lower.start[k]; p < factors_.lower.start[k + 1]; ++p)
      factors_.lower.value[p] *= reciprocal;
    return true;
  }
  part.space.y.resize(part.space.x.size(), T(0));
  T* const y = part.space.y.data();
  gather(k + 1, y, part);
  const T off = std::exchange(x[k + 1], T(0));
  d[1] = std::exchange(y[k + 1], T(0));
  const Real<T> beside = store(k, x), beside_next = store(k + 1, y);
  const kernels::PairPivot<T> pair(d[0], off, d[1], factors_.is_hermitian);
  if (off == T(0) || !pair.passes_threshold_test(beside, beside_next, test_.threshold, test_.least))
    return false;
  factors_.pivot_off[k] = off;
  const Index* const start = factors_.lower.start.data() + k;
  pair.divide(factors_.lower.value.data() + start[0], factors_.lower.value.data() + start[1],
              start[1] - start[0]);
  if (!ScalarTraits<T>::is_complex || factors_.is_hermitian) part.stats.pivots.negative += pair.negative();
  ++part.stats.pivots.two_by_two;
  part.stats.pivots.kept += 2;
  part.stats.flops += 6.0 * static_cast<double>(start[1] - start[0]);
  return is_above_rounding(k, pair.size(), size, part);
}

/// x(k:) <- B(k:, k) - L(k:, :k) D L(k, :k)^T. Returns the largest entry of B(:, k).
template <class T>
Real<T> ColumnRefactor<T>::gather(Index k, T* x, Part& part) const {
  const auto column_of = [&](Index pivot) { return analysis_.col_perm[factors_.row_of_pivot[pivot]]; };
  read_ahead(A_, analysis_, column_of, pivot_of_row_, k);
  const Index c = column_of(k);
  const double scale = analysis_.col_scale[c];
  Real<T> largest = 0;
  for (Index p = A_.start[c]; p < A_.start[c + 1]; ++p) {
    const Index r = A_.row[p];
    const Node i = pivot_of_row_[r];
    const T value = scaled_entry(A_.value[p], analysis_.row_scale[r], scale);
    largest = std::max(largest, magnitude(value));
    if (i >= k) x[i] = value;
  }
  for (const RowNodes::Part& node : factors_.rows.of_row(k)) subtract(node, x, part);
  if (factors_.is_hermitian) x[k] = std::real(x[k]);
  return largest;
}

/// x -= L(:, columns of the node) D L(k, them)^T in rows k and behind.
template <class T>
void ColumnRefactor<T>::subtract(const RowNodes::Part& node, T* x, Part& part) const {
  const EntryColumns<T>& L = factors_.lower;
  const Index last = node.end - 1, width = node.end - node.first, count = L.start[node.end] - node.at;
  const auto mirrored = [&](T value) { return factors_.is_hermitian ? conjugate(value) : value; };
  const Node* const row = L.row.data() + node.at;
  part.stats.flops += 2.0 * static_cast<double>(width * count);
  if (width == 1) {
    const T* const l = L.value.data() + node.at;
    const T w = mirrored(l[0]) * factors_.pivot[last];
    for (Index i = 0; i < count; ++i) x[row[i]] -= l[i] * w;
    return;
  }
  const auto column = [&](Index j) { return L.value.data() + L.start[node.first + j + 1] - count; };
  std::vector<T>& w = part.space.w;
  w.resize(static_cast<std::size_t>(width));
  for (Index j = 0; j < width; ++j) w[j] = mirrored(column(j)[0]);
  multiply_by_d(factors_, node.first, std::span(w));
  subtract_columns(row, count, width, column, w.data(), x);
}

/// L(:, k) <- x, which becomes zero there. Returns the largest entry; not finite where one of them is not.
template <class T>
Real<T> ColumnRefactor<T>::store(Index k, T* x) const {
  EntryColumns<T>& L = factors_.lower;
  Real<T> largest = 0, sum = 0;
  for (Index p = L.start[k]; p < L.start[k + 1]; ++p) {
    const T value = L.value[p] = std::exchange(x[L.row[p]], T(0));
    const Real<T> size = magnitude(value);
    sum += size;
    largest = size > largest ? size : largest;
  }
  return sum <= std::numeric_limits<Real<T>>::max() ? largest : sum;
}

/// beside: the largest entry below the pivot; size: that of B's column
template <class T>
bool ColumnRefactor<T>::accepts_1x1(Index k, Real<T> beside, Real<T> size, Part& part) const {
  T& pivot = factors_.pivot[k];
  PivotFigures& pivots = part.stats.pivots;
  if (test_.signs) {
    const double of_row = size;
    kernels::PivotSigns<T> own = test_.signs;
    own.sign += factors_.row_of_pivot[k];
    own.size = &of_row;
    kernels::MendedPivots mends;
    pivot = own.mended(std::real(pivot), 0, mends);
    pivots.perturbed += mends.replaced;
    pivots.wrong_sign += mends.wrong_sign;
  } else if (!(magnitude(pivot) >= std::max(test_.threshold * beside, test_.least))) {
    return false;
  }
  if (!std::isfinite(magnitude(pivot)) || (!test_.signs && !std::isfinite(beside))) return false;
  if (!ScalarTraits<T>::is_complex || factors_.is_hermitian) pivots.negative += std::real(pivot) < 0;
  ++pivots.kept;
  part.stats.flops += static_cast<double>(factors_.lower.start[k + 1] - factors_.lower.start[k]);
  return is_above_rounding(k, magnitude(pivot), size, part);
}

/// pivot: its size; size: that of B's column
template <class T>
bool ColumnRefactor<T>::is_above_rounding(Index k, Real<T> pivot, Real<T> size, Part& part) const {
  const double share = static_cast<double>(pivot) / static_cast<double>(size);
  const Node variable = factors_.row_of_pivot[k];
  part.stats.smallest.replace_if_smaller({share, analysis_.row_perm[variable], analysis_.col_perm[variable]});
  return share >= least_share_;
}

#define OVERLAPACK_INSTANTIATE(T) template bool ColumnRefactor<T>::refactorize_pivot(Index, Part&) const;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::block_triangular
