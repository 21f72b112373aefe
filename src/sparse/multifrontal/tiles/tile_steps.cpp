#include "sparse/multifrontal/tiles/tile_steps.hpp"

#include "base/instantiate.hpp"
#include "kernels/pivoting/cholesky_panel.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/pivoting/lu_panel.hpp"
#include "kernels/pivoting/pair_pivot.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/update/adjoint.hpp"
#include "kernels/update/swap.hpp"
#include "kernels/update/update.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"
#include "sparse/multifrontal/front/front_steps.hpp"
#include "sparse/multifrontal/tiles/reorder.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::sparse::multifrontal {

namespace {

using kernels::Op;

template <class T>
void subtract_product(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) {
  if (A.cols > 0 && !C.empty()) kernels::gemm<T>(Op::none, Op::none, T(-1), A, B, T(1), C);
}

}  // namespace

template <class T>
TileSteps<T>::TileSteps(const Structure& structure, const PivotTest<T>& test, Front<T>& front,
                        const FrontCuts& cuts, std::span<std::int32_t> row_order,
                        std::span<std::int32_t> col_order, std::vector<T>& backup)
    : structure_(structure),
      test_(test),
      front_(front),
      cuts_(cuts),
      P_(front.panel()),
      L21_(front.L21()),
      row_order_(row_order),
      col_order_(col_order),
      backup_(backup),
      local_rows_(static_cast<std::size_t>(front.summed)),
      local_cols_(is_symmetric() ? 0 : local_rows_.size()),
      tried_(static_cast<std::size_t>(cuts.blocks())),
      accepted_(tried_.size()) {
  for (Index k = 0; k < cuts.summed; ++k) widest_ = std::max(widest_, cuts.width(k));
  kept_diagonal_.resize(static_cast<std::size_t>(widest_ * widest_));
  if (structure.kind == FactorKind::cholesky) return;
  const auto size = static_cast<std::size_t>(front.order() * widest_);
  if (backup_.size() < size) backup_.resize(size);
}

template <class T>
Index TileSteps<T>::diagonal(Index k) {
  const MatrixView<T> D = part(block(k), block(k));
  const Index w = D.cols;
  std::iota(rows_of(k).begin(), rows_of(k).end(), 0);
  if (structure_.kind == FactorKind::cholesky) {
    const Index positive = kernels::cholesky_panel<T>(D);
    if (positive < w) refuse_pivot(structure_, front_, cuts_.start[k] + positive);
    return tried_[k] = w;
  }
  copy_into<T>(D, {kept_diagonal_.data(), w, w, w});
  if (structure_.kind == FactorKind::ldlt) {
    const auto done =
        kernels::ldlt_panel<T>(D, structure_.hermitian, test_.threshold, rows_of(k), d_of(k), d_off_of(k),
                               test_.least, signs_of(structure_, test_, front_, cuts_.start[k]));
    mended_.add(done.mended);
    return tried_[k] = done.eliminated;
  }
  std::iota(columns_of(k).begin(), columns_of(k).end(), 0);
  return tried_[k] =
             kernels::lu_panel<T>(D, test_.threshold, rows_of(k), columns_of(k), test_.least).eliminated;
}

/// Number of columns before the first one that has an entry above 1/u. NaN does not pass.
template <class T>
Index TileSteps<T>::count_passed(MatrixView<const T> L) const {
  if (test_.signs) return L.cols;  // pivots by signs: L is not tested
  const Real<T> most = 1 / test_.threshold;
  for (Index p = 0; p < L.cols; ++p) {
    const T* l = L.column(p);
    Index above = 0;
    for (Index i = 0; i < L.rows; ++i) above += !(kernels::magnitude(l[i]) <= most);
    if (above > 0) return p;
  }
  return L.cols;
}

template <class T>
Index TileSteps<T>::solve(Index i, Index k) {
  const Range rows = remaining(i, k);
  const Index e = tried_[k];
  const MatrixView<T> D = part(block(k), block(k)).block(0, 0, e, e), all = part(rows, block(k));
  const MatrixView<T> X = all.block(0, 0, rows.size, e);
  if (structure_.kind != FactorKind::cholesky) {
    const MatrixView<T> before = backup_of(i, rows.size, all.cols);
    copy_into<T>(all, before);
    reorder_columns<T>(before, columns_of(k), all);
  }
  if (structure_.kind == FactorKind::lu) {
    kernels::solve_right_upper<T>(D, false, X);
    return count_passed(X);
  }
  const bool is_ldlt = structure_.kind == FactorKind::ldlt, conj = structure_.is_conjugated();
  kernels::solve_right_lower_trans<T>(D, is_ldlt, conj, X);
  if (i < cuts_.summed) kernels::adjoint<T>(X, P_.block(cuts_.start[k], rows.first, e, rows.size), conj);
  if (!is_ldlt) return e;
  kernels::divide_by_d<T>(structure_.hermitian, d_of(k), d_off_of(k), X);
  return count_passed(X);
}

template <class T>
Index TileSteps<T>::solve_failed(Index k, Index j) {
  const Range cols = remaining(j, k);
  const Index e = tried_[k];
  const MatrixView<T> all = part(block(k), cols), before = backup_of(j, all.rows, cols.size);
  copy_into<T>(all, before);
  reorder_rows<T>(before, rows_of(k), all);
  const MatrixView<T> U = all.block(0, 0, e, cols.size);
  kernels::solve_left_lower<T>(part(block(k), block(k)).block(0, 0, e, e), true, U);
  const MatrixView<T> L = P_.block(cols.first, cuts_.start[k], cols.size, e);
  kernels::adjoint<T>(U, L, structure_.is_conjugated());
  kernels::divide_by_d<T>(structure_.hermitian, d_of(k), d_off_of(k), L);
  return count_passed(L);
}

template <class T>
Index TileSteps<T>::accept(Index k, Index vote) {
  const bool has_pairs = structure_.kind == FactorKind::ldlt;
  if (has_pairs && vote > 0 && vote < tried_[k] && d_off_of(k)[vote - 1] != T(0)) --vote, ++cut_pairs_;
  accepted_[k] = vote;
  if (!has_failed(k)) return vote;
  restore_diagonal(k);
  if (has_pairs)
    for (Index p = vote; p < cuts_.width(k); ++p) d_of(k)[p] = d_off_of(k)[p] = T(0);
  return vote;
}

template <class T>
void TileSteps<T>::restore_diagonal(Index k) {
  const Index e = accepted_[k], w = cuts_.width(k);
  const MatrixView<T> D = part(block(k), block(k)), before{kept_diagonal_.data(), w, w, w};
  const MatrixView<T> L = D.block(e, 0, w - e, e), U = D.block(0, e, e, w - e),
                      rest = D.block(e, e, w - e, w - e);
  const auto row = rows_of(k), column = columns_of(k);
  if (!is_symmetric()) {
    for (Index q = e; q < w; ++q)
      for (Index p = e; p < w; ++p) D(p, q) = before(row[p], column[q]);
    return subtract_product<T>(L, U, rest);
  }
  const bool conj = structure_.is_conjugated();
  for (Index q = e; q < w; ++q)
    for (Index p = q; p < w; ++p) {
      const Index i = row[p], j = row[q];
      D(p, q) = i >= j ? before(i, j) : conj ? conjugate(before(j, i)) : before(j, i);
    }
  if (e == 0) return;
  const MatrixView<T> W = scratch<T>(w - e, e);
  kernels::scale_by_d<T>(L, structure_.hermitian, d_of(k), d_off_of(k), W);
  kernels::adjoint<T>(W, U, conj);
  kernels::gemm_lower<T>(Op::none, T(-1), L, U, T(1), rest);
}

template <class T>
void TileSteps<T>::restore(Index i, Index k) {
  const Range rows = remaining(i, k);
  const Index w = cuts_.width(k);
  const MatrixView<T> X = part(rows, failed_range(k)), before = backup_of(i, rows.size, w);
  for (Index p = accepted_[k]; p < w; ++p)
    std::copy_n(before.column(columns_of(k)[p]), rows.size, X.column(p - accepted_[k]));
  subtract_product<T>(part(rows, pivots(k)), part(pivots(k), failed_range(k)), X);
}

template <class T>
void TileSteps<T>::restore_failed(Index k, Index j) {
  const Range cols = remaining(j, k);
  const MatrixView<T> X = part(failed_range(k), cols), before = backup_of(j, cuts_.width(k), cols.size);
  for (Index c = 0; c < cols.size; ++c)
    for (Index p = 0; p < X.rows; ++p) X(p, c) = before(rows_of(k)[p + accepted_[k]], c);
  subtract_product<T>(part(failed_range(k), pivots(k)), part(pivots(k), cols), X);
}

template <class T>
void TileSteps<T>::solve_row(Index k, Index j) {
  const Range cols = remaining(j, k);
  const MatrixView<T> all = part(block(k), cols), U = part(pivots(k), cols);
  reorder<T>(rows_of(k), all, reorder_rows<T>);
  kernels::solve_left_lower<T>(part(pivots(k), pivots(k)), true, U);
  if (has_failed(k)) subtract_product<T>(part(failed_range(k), pivots(k)), U, part(failed_range(k), cols));
}

template <class T>
void TileSteps<T>::update(Index i, Index j, Index k) {
  const Range rows = remaining(i, k), cols = remaining(j, k);
  const MatrixView<T> L = part(rows, pivots(k)), U = part(pivots(k), cols), C = part(rows, cols);
  if (!is_symmetric() || i != j) return subtract_product<T>(L, U, C);
  if (L.cols > 0) kernels::gemm_lower<T>(Op::none, T(-1), L, U, T(1), C);
}

template <class T>
void TileSteps<T>::solve_lower(Index b, Index k) {
  const Range rows = block(cuts_.summed + b);
  const MatrixView<T> all = L21_.block(rows.first - front_.summed, cuts_.start[k], rows.size, cuts_.width(k));
  reorder<T>(rows_of(k), all, reorder_columns<T>);
  const Index e = accepted_[k];
  const MatrixView<T> L = all.block(0, 0, all.rows, e);
  kernels::solve_right_lower_trans<T>(part(pivots(k), pivots(k)), true, false, L);
  if (has_failed(k) && e > 0)
    kernels::full_update<T>(L, part(failed_range(k), pivots(k)), true, all.block(0, e, all.rows, failed(k)));
}

template <class T>
void TileSteps<T>::update_lower(Index b, Index j, Index k) {
  const Range rows = block(cuts_.summed + b), cols = remaining(j, k);
  const Index top = rows.first - front_.summed;
  if (accepted_[k] == 0) return;
  kernels::full_update<T>(L21_.block(top, cuts_.start[k], rows.size, accepted_[k]), part(cols, pivots(k)),
                          true, L21_.block(top, cols.first, rows.size, cols.size));
}

template <class T>
void TileSteps<T>::update_contribution(const ContributionCut& tile, Index from, Index to) {
  const StaircaseView<T> all = front_.contribution();
  const MatrixView<T> C = all.block(tile.top, tile.left, tile.rows, tile.cols);
  const bool is_diagonal = is_symmetric() && tile.top == tile.left, conj = structure_.is_conjugated();
  const Index s = front_.summed;
  bool is_first = std::accumulate(accepted_.begin(), accepted_.begin() + from, Index{0}) == 0;
  for (Index k = from; k < to;) {  // steps without failed columns join the next one in a single product
    const Index first = cuts_.start[k];
    Index end = first + accepted_[k];
    while (++k < to && end == cuts_.start[k]) end += accepted_[k];
    const Index e = end - first;
    if (e == 0) continue;
    const MatrixView<T> A = is_symmetric() ? P_.block(s + tile.top, first, tile.rows, e)
                                           : L21_.block(tile.top, first, tile.rows, e);
    MatrixView<T> B = P_.block(s + tile.left, first, tile.cols, e);
    if (structure_.kind == FactorKind::ldlt) {
      const MatrixView<T> W = scratch<T>(tile.cols, e);
      const auto size = static_cast<std::size_t>(e);
      kernels::scale_by_d<T>(B, structure_.hermitian, std::span<const T>(front_.d + first, size),
                             std::span<const T>(front_.d_off + first, size), W);
      B = W;
    }
    if (is_diagonal)
      kernels::lower_update<T>(A, B, conj, !is_first, C);
    else
      kernels::gemm<T>(Op::none, conj ? Op::conj_trans : Op::trans, T(-1), A, B, T(is_first ? 0 : 1), C);
    is_first = false;
  }
  if (is_first && to == cuts_.summed)  // no pivots at all
    for (Index j = 0; j < C.cols; ++j) std::fill_n(C.column(j), C.rows, T(0));
}

template <class T>
void TileSteps<T>::finish(Index j) {
  const Range mine = pivots(j);
  for (Index k = j + 1; k < cuts_.summed && mine.size > 0; ++k) {
    if (!std::ranges::is_sorted(rows_of(k))) {
      const MatrixView<T> work = scratch<T>(cuts_.width(k), 1);
      kernels::permute_rows<T>(part(block(k), mine), rows_of(k),
                               {work.data, static_cast<std::size_t>(work.rows)});
    }
    if (!is_symmetric()) reorder<T>(columns_of(k), part(mine, block(k)), reorder_columns<T>);
  }
}

template <class T>
Index TileSteps<T>::compact() {
  std::vector<std::int32_t> before;
  const auto relabel = [&](std::span<std::int32_t> all, const std::vector<std::int32_t>& local) {
    before.assign(all.begin(), all.end());
    for (Index k = 0; k < cuts_.summed; ++k)
      for (Index i = cuts_.start[k]; i < cuts_.start[k + 1]; ++i) all[i] = before[cuts_.start[k] + local[i]];
  };
  relabel(row_order_, local_rows_);
  if (!is_symmetric()) relabel(col_order_, local_cols_);
  const Index gained = std::accumulate(accepted_.begin(), accepted_.end(), Index{0});
  if (gained < front_.summed) move_failed();
  return gained;
}

template <class T>
void TileSteps<T>::move_failed() {
  const Index s = front_.summed;
  std::vector<std::int32_t> order;
  for (const bool is_wanted : {true, false})
    for (Index k = 0; k < cuts_.summed; ++k) {
      const Range wanted = is_wanted ? pivots(k) : failed_range(k);
      for (Index i = 0; i < wanted.size; ++i) order.push_back(static_cast<std::int32_t>(wanted.first + i));
    }
  std::vector<T> work(static_cast<std::size_t>(front_.order()));
  kernels::permute_rows<T>(P_.block(0, 0, s, s), order, work);
  kernels::permute_columns<T>(P_, order, work);
  const auto permute = [&](auto* values) {
    const std::vector before(values, values + s);
    for (Index i = 0; i < s; ++i) values[i] = before[static_cast<std::size_t>(order[i])];
  };
  permute(row_order_.data());
  if (!is_symmetric()) {
    kernels::permute_columns<T>(L21_, order, work);
    permute(col_order_.data());
  }
  if (structure_.kind == FactorKind::ldlt) permute(front_.d), permute(front_.d_off);
}

template <class T>
Index TileSteps<T>::two_by_two(Index e) const {
  if (structure_.kind != FactorKind::ldlt) return 0;
  return std::count_if(front_.d_off, front_.d_off + e, [](T off) { return off != T(0); });
}

template <class T>
Index TileSteps<T>::negative(Index e) const {
  if (structure_.kind != FactorKind::ldlt || (ScalarTraits<T>::is_complex && !structure_.hermitian)) return 0;
  Index count = 0;
  for (Index p = 0; p < e; ++p) {
    if (front_.d_off[p] == T(0)) {
      count += std::real(front_.d[p]) < 0;
      continue;
    }
    count +=
        kernels::PairPivot<T>(front_.d[p], front_.d_off[p], front_.d[p + 1], structure_.hermitian).negative();
    ++p;
  }
  return count;
}

OVERLAPACK_INSTANTIATE_CLASS(TileSteps);

}  // namespace overlapack::sparse::multifrontal
