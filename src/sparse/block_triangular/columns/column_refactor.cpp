#include "sparse/block_triangular/columns/column_refactor.hpp"

#include "base/each_figure.hpp"
#include "base/instantiate.hpp"
#include "base/spares.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/block_triangular/columns/column_kernel.hpp"
#include "sparse/block_triangular/columns/column_nodes.hpp"
#include "sparse/block_triangular/columns/column_sets.hpp"
#include "sparse/block_triangular/columns/read_ahead.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace overlapack::sparse::block_triangular {

using kernels::magnitude;

template <class T>
ColumnRefactor<T>::ColumnRefactor(const SparseMatrix<T>& A, const Analysis& analysis,
                                  const PivotTest<T>& test, const FactorPlan& plan, double pivot_share,
                                  ColumnFactors<T>& factors, int threads)
    : A_(A),
      analysis_(analysis),
      least_share_(singular_share<T>(plan)),
      test_(test),
      joint_accesses_(plan.columns.joint_accesses),
      factors_(factors),
      pivot_of_row_(static_cast<std::size_t>(A.rows)),
      rest_{.rounding = {A, analysis, plan}},
      failed_(A.cols) {
  test_.threshold *= static_cast<Real<T>>(pivot_share);
  if (factors.is_symmetric()) {
    test_.least = std::max(test.least, std::numeric_limits<Real<T>>::min());
    if (factors.rows.start.empty()) list_rows(factors);
  } else if (factors.node_end.empty()) {
    arrange_by_nodes(factors);
  }
  if (factors.sets.threads != threads) find_column_sets(factors, threads, plan.columns);
  for (Index k = 0; k < A.cols; ++k)
    pivot_of_row_[analysis.row_perm[factors.row_of_pivot[k]]] = static_cast<Node>(k);
}

template <class T>
void ColumnRefactor<T>::refactorize_sets(comm::Rank& rank) {
  const ColumnSets& sets = factors_.sets;
  const auto count = static_cast<std::size_t>(sets.count());
  if (count == 0) return;
  std::vector<Part> parts(count, rest_);
  std::vector<Index> failed(count);
  Spares<Space> spaces(count);
  rank.run_slices({.kind = "columns", .n = sets.start[sets.count()]}, count, [&](std::size_t s) {
    parts[s].space = spaces.acquire();
    failed[s] = run(sets.set(static_cast<Index>(s)), parts[s]);
    spaces.put_back(std::move(parts[s].space));
  });
  failed_ = *std::ranges::min_element(failed);
  for (const Part& part : parts) {
    rest_.stats.flops += part.stats.flops;
    add<PivotFigures>(rest_.stats.pivots, part.stats.pivots);
    rest_.stats.smallest.replace_if_smaller(part.stats.smallest);
  }
  rest_.stats.shared_columns = sets.start[sets.count()];
}

template <class T>
void ColumnRefactor<T>::advance(Index count) {
  const auto rest = factors_.sets.rest().subspan(next_);
  const auto end = std::ranges::lower_bound(rest, failed_);  // columns behind a failed one would be discarded
  std::size_t now = std::min<std::size_t>(end - rest.begin(), static_cast<std::size_t>(count));
  if (now > 0 && factors_.is_symmetric() && factors_.is_pair(rest[now - 1])) ++now;
  const Index failed = run(rest.first(now), rest_);
  failed_ = std::min(failed_, failed);
  next_ += now;
}

/// Refactorise columns, ascending, up to the first whose pivot fails; returns that, or the number of all columns.
template <class T>
Index ColumnRefactor<T>::run(std::span<const Node> columns, Part& part) const {
  const Index n = factors_.columns();
  if (columns.empty()) return n;
  part.space.x.resize(static_cast<std::size_t>(n), T(0));
  if (factors_.is_symmetric()) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Node k = columns[i];
      if (factors_.is_pair(k)) ++i;
      if (!refactorize_pivot(k, part)) return k;
    }
    return n;
  }
  for (const Node column : columns) {
    while (column >= factors_.block_start[part.block + 1]) ++part.block;
    if (!refactorize_column(column, part)) return column;
  }
  return n;
}

template <class T>
bool ColumnRefactor<T>::refactorize_column(Index column, Part& part) const {
  read_ahead(A_, analysis_, pivot_of_row_, column);
  const Index block = part.block, first = factors_.block_start[block], c = analysis_.col_perm[column];
  const double scale = analysis_.col_scale[c];
  const bool by_fronts = factors_.by_fronts[block] != 0;
  const EntryColumns<T>& U_pattern = factors_.upper;
  T* const upper = factors_.upper.value.data();
  T* const x = part.space.x.data();
  Index u = U_pattern.start[column];
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
  const Node *const row = L.row.data(), *const u_row = U_pattern.row.data(),
                    *const node_end = factors_.node_end.data();
  const Index* const start = L.start.data();
  T* const lower = factors_.lower.value.data();
  const Index joint = joint_accesses_;
  Index multiply_adds = 0;
  for (const Index end = U_pattern.start[column + 1]; u < end;) {
    const Index j = u_row[u], last = std::min<Index>(node_end[j], column);
    if ((last - j - 1) * (start[last] - start[last - 1]) >= joint) {
      subtract_node(j, last, upper + u, part);
      u += last - j;
      continue;
    }
    const T xj = upper[u++] = std::exchange(x[j], T(0));
    const Index after = start[j + 1];
    for (Index p = start[j]; p < after; ++p) x[row[p]] -= lower[p] * xj;
    multiply_adds += after - start[j];
  }

  const T pivot = std::exchange(x[column], T(0));
  const Index begin = start[column], end = start[column + 1];
  Real<T> largest = magnitude(pivot), sum = largest;  // the sum is not finite if an entry is not
  for (Index p = begin; p < end; ++p) {
    const T value = lower[p] = std::exchange(x[row[p]], T(0));
    const Real<T> size = magnitude(value);
    sum += size;
    largest = size > largest ? size : largest;
  }
  factors_.pivot[column] = pivot;
  if (!(sum <= std::numeric_limits<Real<T>>::max()) || !accepts(column, largest, column_size, part))
    return false;
  for (Index p = begin; p < end; ++p) lower[p] /= pivot;
  part.stats.flops += static_cast<double>(2 * multiply_adds + end - begin);
  ++part.stats.pivots.kept;
  return true;
}

/// Subtracts columns j : last of one node together: upper <- x(j : last) after the node's own triangle, and
/// x(rows below) -= L(rows below, j : last) upper.
template <class T>
void ColumnRefactor<T>::subtract_node(Index j, Index last, T* upper, Part& part) const {
  const EntryColumns<T>& L = factors_.lower;
  const T* const lower = L.value.data();
  T* const x = part.space.x.data();
  const Index width = last - j, below = L.start[last - 1], m = L.start[last] - below;
  for (Index k = 0; k < width; ++k) {
    const T xk = upper[k] = std::exchange(x[j + k], T(0));
    const T* const l = lower + L.start[j + k];
    for (Index i = k + 1; i < width; ++i) x[j + i] -= l[i - k - 1] * xk;
  }
  part.stats.flops += static_cast<double>(width * (width - 1) + 2 * width * m);

  subtract_columns(
      L.row.data() + below, m, width, [&](Index k) { return lower + L.start[j + k] + (width - k - 1); },
      upper, x);
}

/// Does the pivot of a column pass the tests?
/// largest: largest entry of the column after elimination
/// column_size: largest entry of B's column in its block
template <class T>
bool ColumnRefactor<T>::accepts(Index column, Real<T> largest, Real<T> column_size, Part& part) const {
  const Real<T> pivot = magnitude(factors_.pivot[column]);
  if (!(pivot > 0) || pivot < test_.threshold * largest) return false;
  if (test_.replacement > 0) return pivot >= test_.replacement;
  const auto size = static_cast<double>(pivot), of_column = static_cast<double>(column_size);
  if (!part.rounding.passes(size, of_column, factors_.row_of_pivot[column])) return false;
  part.stats.smallest.replace_if_smaller(
      {size / of_column, analysis_.row_perm[factors_.row_of_pivot[column]], analysis_.col_perm[column]});
  return true;
}

OVERLAPACK_INSTANTIATE_CLASS(ColumnRefactor);

}  // namespace overlapack::sparse::block_triangular
