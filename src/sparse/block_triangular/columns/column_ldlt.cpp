#include "sparse/block_triangular/columns/column_ldlt.hpp"

#include "base/instantiate.hpp"
#include "kernels/pivoting/pair_pivot.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/block_form.hpp"
#include "sparse/block_triangular/columns/column_kernel.hpp"
#include "sparse/block_triangular/columns/read_ahead.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace overlapack::sparse::block_triangular {

using kernels::magnitude;

template <class T>
ColumnLdlt<T>::ColumnLdlt(const SparseMatrix<T>& A, const Analysis& analysis, const PivotTest<T>& test,
                          const FactorPlan& plan, ColumnFactors<T>& factors)
    : A_(A),
      analysis_(analysis),
      test_(test),
      plan_(plan),
      least_share_(singular_share<T>(plan)),
      factors_(factors),
      position_(positions(analysis.row_perm)) {
  const auto n = static_cast<std::size_t>(A.cols);
  test_.least = std::max(test.least, std::numeric_limits<Real<T>>::min());
  factors.block_start = {0, A.cols};
  factors.by_fronts = {0};
  factors.is_hermitian = analysis.hermitian && ScalarTraits<T>::is_complex;
  factors.lower.clear(A.cols);
  factors.upper.clear(A.cols);
  factors.pivot.assign(n, T(1));
  factors.pivot_off.assign(n, T(0));
  factors.row_of_pivot.assign(n, 0);
  factors.off_diagonal = 0;
  factors.rows = {};
  factors.sets = {};
  step_of_.assign(n, -1);
  turn_of_.resize(n);
  std::iota(turn_of_.begin(), turn_of_.end(), 0);
  first_waiting_.assign(n, -1);
  next_waiting_.assign(n, -1);
  list_.assign(n, -1);
  bundles_.reserve(n);
  marked_by_.assign(n, -1);
  own_.x.assign(n, T(0));
  partner_.x.assign(n, T(0));
}

template <class T>
void ColumnLdlt<T>::advance(Index count) {
  for (; count > 0 && !is_done(); --count) {
    process_variable(static_cast<Node>(turn_++));
    if (turn_ == factors_.columns() && !stats_.has_given_up) finish();
  }
}

/// Is the work so far, with entries and tries counted as operations, more than most_growth x the work that
/// was predicted for all columns without delayed pivots?
template <class T>
bool ColumnLdlt<T>::is_fill_too_much() const {
  const ColumnPlan& plan = plan_.columns;
  const double done = stats_.flops + plan.entry_flops * static_cast<double>(factors_.lower.size() + tries_);
  const double predicted = analysis_.flops + plan.entry_flops * static_cast<double>(analysis_.factor_nnz);
  return done > plan.most_growth * predicted;
}

/// The turn of p: tries the variables that wait for p, and p itself. As long as one finds a pivot, the others
/// are tried again, up to plan.most_rounds times, or without limit if no later variable is left for them to
/// wait for.
template <class T>
void ColumnLdlt<T>::process_variable(Node p) {
  const Index never = factors_.columns();
  members_.clear();
  for (Node m = first_waiting_[p]; m >= 0; m = next_waiting_[m]) members_.push_back(m);
  members_.push_back(p);
  here_.clear();
  for (Node b = list_[p]; b >= 0; b = bundles_[b].next) here_.push_back(b);
  next_turn_ = never;
  bool has_gained = true;
  for (int round = 0;
       has_gained && !members_.empty() && (round < plan_.columns.most_rounds || next_turn_ == never);
       ++round) {
    has_gained = false;
    next_turn_ = never;
    for (const Node m : members_) {
      if (is_live(m)) has_gained |= eliminate(m);
      stats_.has_given_up = plan_.columns.may_give_up && is_fill_too_much();
      if (stats_.has_given_up) return;
    }
    std::erase_if(members_, [&](Node m) { return !is_live(m); });
  }
  if (!members_.empty()) delay_variable(p);
  list_new_bundles();
}

/// Tries to eliminate m; returns whether it found a pivot.
template <class T>
bool ColumnLdlt<T>::eliminate(Node m) {
  gather(m, own_);
  if (test_.signs) {
    own_.x[m] = mend_pivot(m);
    store_1x1_pivot(m);
    return true;
  }
  const Largest beside = largest_of(own_, -1);
  const Real<T> size = magnitude(own_.x[m]), most = std::numeric_limits<Real<T>>::max();
  if (!(beside.size <= most && size <= most)) refuse_range(m);
  if (size >= std::max(test_.threshold * beside.size, test_.least)) {
    check_pivot(size, m);
    store_1x1_pivot(m);
    return true;
  }
  if (beside.size == 0) {
    own_.x[m] = replace_zero_pivot(m);
    store_1x1_pivot(m);
    return true;
  }
  if (turn_of_[beside.row] == turn_of_[m] && try_2x2_pivot(m, beside.row)) return true;
  for (const Node i : own_.rows)
    if (turn_of_[i] != turn_of_[m]) next_turn_ = std::min<Index>(next_turn_, turn_of_[i]);
  clear(own_, m);
  return false;
}

/// The pivot of m, whose sign is known. A number beside it that is not finite makes a later pivot so, which
/// is then refused.
template <class T>
T ColumnLdlt<T>::mend_pivot(Node m) {
  const double size = own_.size;
  kernels::PivotSigns<T> own = test_.signs;
  own.sign += m;
  own.size = &size;
  kernels::MendedPivots mends;
  const Real<T> pivot = own.mended(std::real(own_.x[m]), 0, mends);
  if (!std::isfinite(pivot)) refuse_range(m);
  stats_.pivots.perturbed += mends.replaced;
  stats_.pivots.wrong_sign += mends.wrong_sign;
  check_pivot(std::abs(pivot), m);
  return pivot;
}

/// work <- B(:, m) - L D L(m, :)^T, in the rows that have no pivot yet.
template <class T>
void ColumnLdlt<T>::gather(Node m, Work& work) {
  ++at_work_;
  ++tries_;
  scatter(m, work);
  for (const Node b : here_) {
    const Index at = position_in(bundles_[b], m);
    if (at >= 0) subtract(bundles_[b], at, work);
  }
  if (factors_.is_hermitian) work.x[m] = std::real(work.x[m]);
}

/// work <- B(:, m)
template <class T>
void ColumnLdlt<T>::scatter(Node m, Work& work) {
  read_ahead(A_, analysis_, position_, m);
  work.rows.clear();
  marked_by_[m] = at_work_;
  const Index c = analysis_.col_perm[m];
  const double scale = analysis_.col_scale[c];
  Real<T> largest = 0;
  for (Index p = A_.start[c]; p < A_.start[c + 1]; ++p) {
    const Index r = A_.row[p];
    const Node i = position_[r];
    const T value = scaled_entry(A_.value[p], analysis_.row_scale[r], scale);
    largest = std::max(largest, magnitude(value));
    if (!is_live(i)) continue;
    work.x[i] = value;
    if (i == m) continue;
    work.rows.push_back(i);
    marked_by_[i] = at_work_;
  }
  work.size = largest;
}

/// work -= L(:, bundle) D L(m, bundle)^T
/// at: position of m in its live rows
template <class T>
void ColumnLdlt<T>::subtract(const Bundle& bundle, Index at, Work& work) {
  const Index width = bundle.end - bundle.first, live = bundle.live;
  const Node* const row = live_rows(bundle);
  T* const x = work.x.data();
  if (bundle.is_new)
    for (Index i = 0; i < live; ++i)
      if (std::exchange(marked_by_[row[i]], at_work_) != at_work_) work.rows.push_back(row[i]);
  stats_.flops += 2.0 * static_cast<double>(width * live);
  if (width == 1) {
    const T* const l = factors_.lower.value.data() + bundle.tail - live;
    const T w = mirrored(l[at]) * bundle.pivot;
    for (Index i = 0; i < live; ++i) x[row[i]] -= l[i] * w;
    return;
  }
  w_.resize(static_cast<std::size_t>(width));
  for (Index k = 0; k < width; ++k) w_[k] = mirrored(live_values(bundle, bundle.first + k)[at]);
  multiply_by_d(factors_, bundle.first, std::span(w_));
  subtract_columns(
      row, live, width, [&](Index k) { return live_values(bundle, bundle.first + k); }, w_.data(), x);
}

/// Position of m in the live rows of a bundle, or -1. Rows of the current turn come first, so that only they
/// are looked at.
template <class T>
Index ColumnLdlt<T>::position_in(const Bundle& bundle, Node m) const {
  const Node* const row = live_rows(bundle);
  for (Index i = 0; i < bundle.live && turn_of_[row[i]] == turn_of_[m]; ++i)
    if (row[i] == m) return i;
  return -1;
}

/// Largest entry of a column without the diagonal and row `except`. Its size is not finite if one of the
/// entries is not.
template <class T>
typename ColumnLdlt<T>::Largest ColumnLdlt<T>::largest_of(const Work& work, Node except) const {
  Largest largest;
  Real<T> sum = 0;
  for (const Node i : work.rows) {
    if (i == except) continue;
    const Real<T> size = magnitude(work.x[i]);
    sum += size;
    if (size > largest.size) largest = {size, i};
  }
  if (!(sum <= std::numeric_limits<Real<T>>::max())) largest.size = sum;
  return largest;
}

/// Takes x(m) as a 1x1 pivot: L(:, step) = x / x(m).
template <class T>
void ColumnLdlt<T>::store_1x1_pivot(Node m) {
  const T pivot = std::exchange(own_.x[m], T(0)), reciprocal = T(1) / pivot;
  factors_.pivot[step_] = pivot;
  if (!ScalarTraits<T>::is_complex || factors_.is_hermitian) stats_.pivots.negative += std::real(pivot) < 0;
  remove_from_bundles(m);
  store_columns({&m, 1}, own_.rows);
  const EntryColumns<T>& L = factors_.lower;
  for (Index p = L.start[step_ - 1]; p < L.size(); ++p) factors_.lower.value[p] *= reciprocal;
  stats_.flops += static_cast<double>(L.size() - L.start[step_ - 1]);
}

/// Takes E, of rows and columns m and r, as a 2x2 pivot if it passes the test: [L(:, step) L(:, step + 1)] =
/// [x y] E^{-1}.
template <class T>
bool ColumnLdlt<T>::try_2x2_pivot(Node m, Node r) {
  gather(r, partner_);
  LargeVector<T>&x = own_.x, &y = partner_.x;
  const kernels::PairPivot<T> pair(x[m], x[r], y[r], factors_.is_hermitian);
  if (!pair.passes_threshold_test(largest_of(own_, r).size, largest_of(partner_, m).size, test_.threshold,
                                  test_.least)) {
    clear(partner_, r);
    return false;
  }
  check_pivot(pair.size(), m);
  factors_.pivot[step_] = x[m];
  factors_.pivot_off[step_] = x[r];
  factors_.pivot[step_ + 1] = y[r];
  if (!ScalarTraits<T>::is_complex || factors_.is_hermitian) stats_.pivots.negative += pair.negative();
  ++stats_.pivots.two_by_two;
  for (const Node i : own_.rows)
    if (marked_by_[i] != at_work_) partner_.rows.push_back(i);
  std::erase(partner_.rows, m);
  x[m] = x[r] = y[m] = y[r] = T(0);
  remove_from_bundles(m);
  remove_from_bundles(r);
  const Node pivots[] = {m, r};
  store_columns(pivots, partner_.rows);
  const std::vector<Index>& start = factors_.lower.start;
  T* const l = factors_.lower.value.data();
  const Index rows = start[step_] - start[step_ - 1];
  pair.divide(l + start[step_ - 2], l + start[step_ - 1], rows);
  stats_.flops += 6.0 * static_cast<double>(rows);
  return true;
}

/// The pivot of m if all that is left of its row and column is zero, as PivotCheck::replace_zero.
template <class T>
T ColumnLdlt<T>::replace_zero_pivot(Node m) {
  if (!(own_.size > 0) || plan_.refuses_rounding)
    refuse_singular(own_.size > 0 ? "nothing is left of column " + std::to_string(analysis_.col_perm[m])
                                  : "it has a row or column of zeros",
                    "null_pivots and method multifrontal");
  ++stats_.pivots.rounding;
  ++stats_.pivots.zero;
  stats_.smallest.replace_if_smaller({0, analysis_.row_perm[m], analysis_.col_perm[m]});
  return T(static_cast<Real<T>>(zero_share<T>(plan_) * own_.size));
}

template <class T>
void ColumnLdlt<T>::refuse_range(Node m) const {
  throw Error(Status::bad_input,
              "numbers left the range of their type in column " + std::to_string(analysis_.col_perm[m]) +
                  (test_.signs ? ": use scaling ruiz, see that signs are those of the matrix"
                               : ": use matching on or scaling ruiz") +
                  ", or compute in double precision");
}

/// As PivotCheck::check
template <class T>
void ColumnLdlt<T>::check_pivot(double size, Node m) {
  const double relative = size / own_.size;
  if (relative <= stats_.smallest.share)
    stats_.smallest.replace_if_smaller({relative, analysis_.row_perm[m], analysis_.col_perm[m]});
  if (relative >= least_share_) return;
  if (plan_.refuses_rounding)
    refuse_singular("the pivot of column " + std::to_string(analysis_.col_perm[m]) + " fell to " +
                        scientific(relative) + " of the size of its column, which is rounding",
                    "null_pivots and method multifrontal");
  ++stats_.pivots.rounding;
}

/// Renumbers the rows of L by their pivots.
template <class T>
void ColumnLdlt<T>::finish() {
  for (Node& row : factors_.lower.row) row = step_of_[row];
}

template <class T>
void ColumnLdlt<T>::clear(Work& work, Node m) {
  work.x[m] = T(0);
  for (const Node i : work.rows) work.x[i] = T(0);
}

OVERLAPACK_INSTANTIATE_CLASS(ColumnLdlt);

}  // namespace overlapack::sparse::block_triangular
