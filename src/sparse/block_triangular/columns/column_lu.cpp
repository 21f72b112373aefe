#include "sparse/block_triangular/columns/column_lu.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/block_form.hpp"
#include "sparse/block_triangular/columns/read_ahead.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>
#include <string>

namespace overlapack::sparse::block_triangular {

using kernels::magnitude;

template <class T>
ColumnLu<T>::ColumnLu(const SparseMatrix<T>& A, const Analysis& analysis, const PivotTest<T>& test,
                      const FactorPlan& plan, ColumnFactors<T>& factors, Index right_until)
    : A_(A),
      analysis_(analysis),
      test_(test),
      plan_(plan),
      factors_(factors),
      rounding_(A, analysis, plan),
      row_position_(positions(analysis.row_perm)) {
  const auto n = static_cast<std::size_t>(A.cols);
  factors.off_diagonal = 0;
  factors.node_end.clear();
  factors.node_end.reserve(n);
  factors.sets = {};
  diagonal_of_.resize(n);
  std::iota(diagonal_of_.begin(), diagonal_of_.end(), 0);
  column_of_diagonal_ = diagonal_of_;
  pivot_of_row_.assign(n, -1);
  pruned_end_.resize(n);
  marked_by_.assign(n, -1);
  x_.assign(n, T(0));
  if (right_until > 0)
    start_behind(right_until);
  else
    start_factors();
  Index largest = 0;
  for (Index b = 0; b < analysis.blocks(); ++b)
    if (!factors.by_fronts[b])
      largest = std::max(largest, analysis.block_start[b + 1] - analysis.block_start[b]);
  reached_.reserve(static_cast<std::size_t>(largest));
  topological_.resize(static_cast<std::size_t>(largest));
  path_.resize(static_cast<std::size_t>(largest));
  path_next_.resize(static_cast<std::size_t>(largest));
}

template <class T>
void ColumnLu<T>::start_factors() {
  const Index n = A_.cols;
  set_blocks(analysis_, factors_);
  factors_.lower.clear(n);
  factors_.upper.clear(n);
  factors_.pivot.assign(static_cast<std::size_t>(n), T(1));
  factors_.row_of_pivot = diagonal_of_;
  start_block();
}

/// Restores the state after the columns before right_until: rows of L in the current block are row indices again, not pivots, and
/// no column is pruned.
template <class T>
void ColumnLu<T>::start_behind(Index right_until) {
  EntryColumns<T>& L = factors_.lower;
  while (factors_.block_start[block_ + 1] <= right_until) ++block_;
  start_block();
  for (Index p = L.start[first_]; p < L.start[right_until]; ++p) L.row[p] = factors_.row_of_pivot[L.row[p]];
  for (EntryColumns<T>* columns : {&factors_.lower, &factors_.upper}) {
    columns->row.resize(static_cast<std::size_t>(columns->start[right_until]));
    columns->value.resize(columns->row.size());
  }
  for (; column_ < right_until; ++column_) {
    const Node row = factors_.row_of_pivot[column_];
    pivot_of_row_[row] = static_cast<Node>(column_);
    pruned_end_[column_] = L.start[column_ + 1];
    swap_diagonals(row);
  }
  const auto rest = factors_.row_of_pivot.begin() + right_until;
  std::iota(rest, factors_.row_of_pivot.end(), static_cast<Node>(right_until));
  std::fill(factors_.pivot.begin() + right_until, factors_.pivot.end(), T(1));
}

template <class T>
void ColumnLu<T>::start_block() {
  first_ = factors_.block_start[block_];
  end_ = factors_.block_start[block_ + 1];
  if (factors_.by_fronts[block_])
    for (Index k = first_; k < end_; ++k) pivot_of_row_[k] = static_cast<Node>(k);
}

/// Renumbers the block's rows of L by their pivots.
template <class T>
void ColumnLu<T>::finish_block() {
  EntryColumns<T>& L = factors_.lower;
  for (Index p = L.start[first_]; p < L.size(); ++p) L.row[p] = pivot_of_row_[L.row[p]];
  if (++block_ < factors_.blocks()) start_block();
}

template <class T>
void ColumnLu<T>::advance(Index count) {
  for (; count > 0 && !is_done(); --count) {
    factorize_column();
    factors_.lower.start[++column_] = factors_.lower.size();
    factors_.upper.start[column_] = factors_.upper.size();
    if (column_ == end_) finish_block();
  }
}

template <class T>
void ColumnLu<T>::factorize_column() {
  reached_.clear();
  top_ = static_cast<Index>(topological_.size());
  column_size_ = 0;
  scatter();
  if (factors_.by_fronts[block_]) return;
  if (end_ - first_ > 1) find_pattern();
  eliminate();
  const Node pivot_row = choose_pivot();
  store_column(pivot_row);
  prune_columns(pivot_row);
}

/// x <- B(:, column) in its diagonal block; entries above the block go to the upper factor at once.
template <class T>
void ColumnLu<T>::scatter() {
  read_ahead(A_, analysis_, row_position_, column_);
  const Index c = analysis_.col_perm[column_];
  const double scale = analysis_.col_scale[c];
  EntryColumns<T>& U = factors_.upper;
  const bool by_fronts = factors_.by_fronts[block_] != 0;
  for (Index p = A_.start[c]; p < A_.start[c + 1]; ++p) {
    const Index r = A_.row[p];
    const Node i = row_position_[r];
    if (i >= first_ && by_fronts) continue;
    const T value = scaled_entry(A_.value[p], analysis_.row_scale[r], scale);
    if (i < first_) {
      U.row.push_back(pivot_of_row_[i]);
      U.value.push_back(value);
      continue;
    }
    x_[i] = value;
    column_size_ = std::max(column_size_, magnitude(value));
    marked_by_[i] = static_cast<Node>(column_);
    if (pivot_of_row_[i] < 0) reached_.push_back(i);
  }
}

/// Finds all pivots that update the column, and all of its rows, starting from the entries of B.
template <class T>
void ColumnLu<T>::find_pattern() {
  const Index c = analysis_.col_perm[column_];
  for (Index p = A_.start[c]; p < A_.start[c + 1]; ++p) {
    const Node i = row_position_[A_.row[p]];
    if (i >= first_ && pivot_of_row_[i] >= 0 && marked_by_[i] == column_) search_from(pivot_of_row_[i]);
  }
}

/// Depth-first search from a pivot through the columns of L. Pivots come to topological_ in topological
/// order, rows without a pivot to reached_.
template <class T>
void ColumnLu<T>::search_from(Node pivot) {
  const EntryColumns<T>& L = factors_.lower;
  const auto column = static_cast<Node>(column_);
  const Node searched = -2 - column;  // marks a pivot's row whose search has begun
  Node* const path = path_.data();
  Index* const next = path_next_.data();
  Index depth = 0;
  const auto enter = [&](Node j) {
    path[depth] = j;
    next[depth++] = L.start[j];
    marked_by_[factors_.row_of_pivot[j]] = searched;
  };
  enter(pivot);
  while (depth > 0) {
    const Node j = path[depth - 1];
    const Index end = pruned_end_[j];
    Index p = next[depth - 1];
    for (; p < end; ++p) {
      const Node i = L.row[p], mark = marked_by_[i], q = pivot_of_row_[i];
      if (mark == searched) continue;
      if (q >= 0) {
        next[depth - 1] = p + 1;
        enter(q);
        break;
      }
      if (mark == column) continue;
      marked_by_[i] = column;
      reached_.push_back(i);
    }
    if (p < end) continue;
    topological_[--top_] = j;
    --depth;
  }
}

/// x <- L^{-1} x with the columns of L that the search found; the eliminated entries go to U.
template <class T>
void ColumnLu<T>::eliminate() {
  const EntryColumns<T>& L = factors_.lower;
  EntryColumns<T>& U = factors_.upper;
  T* const x = x_.data();
  const auto count = static_cast<Index>(topological_.size()) - top_;
  const Index at = U.size();
  U.row.resize(static_cast<std::size_t>(at + count));
  U.value.resize(static_cast<std::size_t>(at + count));
  for (Index t = 0; t < count; ++t) {
    const Node j = topological_[top_ + t], r = factors_.row_of_pivot[j];
    const T xj = x[r];
    x[r] = T(0);
    U.row[at + t] = j;
    U.value[at + t] = xj;
    const Node* const row = L.row.data();
    const T* const value = L.value.data();
    const Index end = L.start[j + 1];
    stats_.flops += 2.0 * static_cast<double>(end - L.start[j]);
    for (Index p = L.start[j]; p < end; ++p) x[row[p]] -= value[p] * xj;
  }
}

/// Returns the row of the pivot, which is tested or replaced.
template <class T>
Node ColumnLu<T>::choose_pivot() {
  const Node diagonal = diagonal_of_[column_];
  Node pivot_row = -1;
  Real<T> largest = 0, on_diagonal = 0;
  bool is_finite = true;
  for (const Node i : reached_) {
    const Real<T> size = magnitude(x_[i]);
    is_finite &= size <= std::numeric_limits<Real<T>>::max();
    if (i == diagonal) on_diagonal = size;
    if (size > largest) {
      largest = size;
      pivot_row = i;
    }
  }
  if (!is_finite)
    throw Error(Status::bad_input,
                "numbers left the range of their type in column " + std::to_string(column_ - first_) +
                    " of block " + std::to_string(block_) + ", which has " + std::to_string(end_ - first_) +
                    ": use matching on or scaling ruiz, or compute in double precision");
  if (on_diagonal > 0 && on_diagonal >= test_.threshold * largest) pivot_row = diagonal;
  if (test_.replacement == 0) {
    check_pivot(pivot_row);
  } else if (pivot_row < 0 || magnitude(x_[pivot_row]) < test_.replacement) {
    replace_pivot(pivot_row, test_.replacement);
    ++stats_.pivots.perturbed;
  }
  return pivot_row;
}

/// Stores the pivot and the column of L from x, which is zero afterwards.
template <class T>
void ColumnLu<T>::store_column(Node pivot_row) {
  const T pivot = x_[pivot_row];
  x_[pivot_row] = T(0);
  factors_.pivot[column_] = pivot;
  factors_.row_of_pivot[column_] = pivot_row;
  pivot_of_row_[pivot_row] = static_cast<Node>(column_);
  swap_diagonals(pivot_row);
  EntryColumns<T>& L = factors_.lower;
  Index at = L.size();
  const auto below = static_cast<Index>(reached_.size()) - 1;
  L.row.resize(static_cast<std::size_t>(at + below));
  L.value.resize(static_cast<std::size_t>(at + below));
  for (const Node i : reached_) {
    if (i == pivot_row) continue;
    L.row[at] = i;
    L.value[at++] = x_[i] / pivot;
    x_[i] = T(0);
  }
  stats_.flops += static_cast<double>(below);
  pruned_end_[column_] = L.size();
}

/// If the pivot's row was the diagonal of another column, that column gets this column's diagonal row instead.
template <class T>
void ColumnLu<T>::swap_diagonals(Node pivot_row) {
  const Node diagonal = diagonal_of_[column_];
  if (pivot_row == diagonal) return;
  ++factors_.off_diagonal;
  const Node other = column_of_diagonal_[pivot_row];
  diagonal_of_[other] = diagonal;
  column_of_diagonal_[diagonal] = other;
}

/// Symmetric pruning: if L(:, j) and U(j, :) both have an entry at this pivot, the later rows of column j are
/// also reached through the pivot's own column, and searches skip them.
template <class T>
void ColumnLu<T>::prune_columns(Node pivot_row) {
  EntryColumns<T>& L = factors_.lower;
  for (Index t = top_; t < static_cast<Index>(topological_.size()); ++t) {
    const Node j = topological_[t];
    const Index begin = L.start[j], end = L.start[j + 1];
    if (pruned_end_[j] != end) continue;
    const auto rows =
        std::span(L.row).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    if (std::find(rows.begin(), rows.end(), pivot_row) == rows.end()) continue;
    Index head = begin, tail = end;  // rows with pivots to the front
    while (head < tail) {
      if (pivot_of_row_[L.row[head]] >= 0) {
        ++head;
      } else {
        --tail;
        std::swap(L.row[head], L.row[tail]);
        std::swap(L.value[head], L.value[tail]);
      }
    }
    pruned_end_[j] = tail;
  }
}

/// Makes the diagonal the pivot, with this magnitude.
template <class T>
void ColumnLu<T>::replace_pivot(Node& pivot_row, Real<T> size) {
  pivot_row = diagonal_of_[column_];
  if (marked_by_[pivot_row] != column_) reached_.push_back(pivot_row);
  T& pivot = x_[pivot_row];
  pivot = T(std::real(pivot) < 0 ? -size : size);
}

/// Checks the pivot as PivotCheck does, and replaces it if it is zero.
/// pivot_row: -1 if all candidates are zero
template <class T>
void ColumnLu<T>::check_pivot(Node& pivot_row) {
  const double size = pivot_row < 0 ? 0 : magnitude(x_[pivot_row]);
  const double relative = column_size_ > 0 ? size / static_cast<double>(column_size_) : 0;
  const Node row = pivot_row < 0 ? diagonal_of_[column_] : pivot_row;
  stats_.smallest.replace_if_smaller({relative, analysis_.row_perm[row], analysis_.col_perm[column_]});
  if (rounding_.passes(size, static_cast<double>(column_size_), row)) return;
  const bool is_there = size > 0 || (column_size_ > 0 && rounding_.row_size(row) > 0);
  if (plan_.refuses_rounding || !is_there)
    refuse_singular("the pivot of column " + std::to_string(analysis_.col_perm[column_]) + " fell to " +
                        scientific(relative) + " of the size of its row or column, which is rounding",
                    "null_pivots and method multifrontal");
  ++stats_.pivots.rounding;
  if (size > 0) return;
  ++stats_.pivots.zero;
  replace_pivot(pivot_row, static_cast<Real<T>>(zero_share<T>(plan_) * static_cast<double>(column_size_)));
}

OVERLAPACK_INSTANTIATE_CLASS(ColumnLu);

}  // namespace overlapack::sparse::block_triangular
