#include "sparse/multifrontal/front/eliminate.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"
#include "kernels/pivoting/cholesky_panel.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/pivoting/lu_panel.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/operand.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/update/swap.hpp"
#include "kernels/update/update.hpp"
#include "sparse/multifrontal/front/front_steps.hpp"
#include "sparse/multifrontal/front/lower_rows.hpp"
#include "sparse/multifrontal/front/pivot_order.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <type_traits>

namespace overlapack::sparse::multifrontal {

/// Cost of applying e pivots to L21.
template <class T>
kernels::Cost lower_cost(const Front<T>& front, Index e) {
  return kernels::triangular_cost<T>(e, front.border) +
         kernels::gemm_cost<T>(front.border, front.summed - e, e);
}

/// Cost of subtracting the products of e pivots from C.
template <class T>
kernels::Cost update_cost(const Structure& structure, const Front<T>& front, Index e) {
  const Index m = front.border;
  return structure.is_symmetric() ? kernels::lower_update_cost<T>(m, e) : kernels::gemm_cost<T>(m, m, e);
}

template <class T>
double elimination_flops(const Structure& structure, const Front<T>& front, Index e) {
  const double panel = panel_flops<T>(structure.kind, front.order(), e);
  return structure.is_symmetric() ? panel : panel + lower_cost(front, e).flops;
}

template <class T>
bool Eliminator<T>::is_elimination_long(const Front<T>& front) const {
  return elimination_flops(structure_, front, front.summed) > plan_.slice_flops;
}

template <class T>
bool Eliminator<T>::is_update_long(const Front<T>& front) const {
  return update_cost(structure_, front, front.eliminated).flops > plan_.slice_flops;
}

template <class T>
Elimination Eliminator<T>::eliminate(Front<T>& front) {
  Elimination done;
  switch (structure_.kind) {
    case FactorKind::lu:
      done = lu(front);
      break;
    case FactorKind::ldlt:
      done = ldlt(front);
      break;
    case FactorKind::cholesky:
    case FactorKind::qr:             // never of a front
    case FactorKind::quasidefinite:  // is ldlt
      done.eliminated = kernels::cholesky_panel<T>(front.panel());
      break;
  }
  return finish_elimination(front, done);
}

template <class T>
Elimination Eliminator<T>::finish_elimination(Front<T>& front, Elimination done) {
  if (structure_.kind == FactorKind::cholesky) {
    if (done.eliminated < front.summed) refuse_pivot(structure_, front, done.eliminated);
  } else {
    apply_order(space_.row_order, front.row_name, space_.names);
    if (structure_.kind == FactorKind::lu) apply_order(space_.col_order, front.col_name, space_.names);
  }
  return count_elimination(front, done);
}

template <class T>
Elimination Eliminator<T>::count_elimination(Front<T>& front, Elimination done) const {
  const Index e = front.eliminated = done.eliminated;
  done.flops = elimination_flops(structure_, front, e) + update_cost(structure_, front, e).flops;
  return done;
}

template <class T>
Elimination Eliminator<T>::eliminate_in_slices(comm::Rank& rank, Front<T>& front,
                                               const std::function<void(double)>& after_step) {
  FrontSteps<T> steps(rank, structure_, test_, front, space_.row_order, space_.col_order);
  const MatrixView<T> P = front.panel();
  for (;;) {
    const Index k = steps.panel().eliminated(), e = steps.next(rank, steps.width(plan_.slice_flops));
    if (e == 0) break;
    if (structure_.kind == FactorKind::lu)
      apply_panel<T>(rank, plan_, k, steps.panel().exchanged(), P.block(k, k, front.summed - k, e),
                     front.L21());
    if (k + e == front.summed) break;
    steps.update(rank, plan_.slice_flops);
    after_step(elimination_flops(structure_, front, k + e));
  }
  const kernels::PanelSteps<T>& panel = steps.panel();
  Elimination done{panel.eliminated(), panel.two_by_two(), panel.negative()};
  done.add(panel.mended());
  if (test_.replacement > 0) accept_rest_statically(front, done);
  return finish_elimination(front, done);
}

/// Static pivots for the variables that the steps have left.
template <class T>
void Eliminator<T>::accept_rest_statically(Front<T>& front, Elimination& done) {
  if (structure_.kind == FactorKind::ldlt) return accept_statically_ldlt(front, done);
  if (structure_.kind == FactorKind::cholesky) return;
  const Index first = done.eliminated, rest = front.summed - first;
  const auto order = std::span(space_.col_order).subspan(static_cast<std::size_t>(first));
  const std::vector<std::int32_t> before(order.begin(), order.end());
  std::iota(order.begin(), order.end(), 0);
  accept_statically_lu(front.panel(), done);
  complete_lower(front.panel().block(first, first, rest, rest), done.eliminated - first, order,
                 front.L21().block(0, first, front.border, rest));
  for (std::int32_t& label : order) label = before[static_cast<std::size_t>(label)];
}

template <class T>
Elimination Eliminator<T>::eliminate_rest(comm::Rank& rank, Front<T>& front, Elimination done) {
  const Index first = done.eliminated;
  if (first < front.summed) {
    search_rest(rank, front, done);
    if (test_.replacement > 0) accept_rest_statically(front, done);
  }
  done = finish_elimination(front, done);
  if (front.border > 0 && front.eliminated > first) subtract_in_slices(rank, front, first, true);
  return done;
}

template <class T>
void Eliminator<T>::search_rest(comm::Rank& rank, Front<T>& front, Elimination& done) {
  const Index e = done.eliminated, rest = front.summed - e, f = front.order();
  const bool is_lu = structure_.kind == FactorKind::lu;
  identity(space_.rest_rows, rest);
  identity(space_.rest_cols, rest);
  const auto panel = panel_steps(structure_, test_, front, e, rest, space_.rest_rows, space_.rest_cols);
  for (;;) {
    Index gained = 0;
    rank.compute(
        {"panel", panel_flops<T>(structure_.kind, f - e - panel->eliminated(), least_step), 0, f, rest},
        [&] { gained = panel->eliminate_next(least_step); });
    rank.poll();
    if (gained == 0) break;
    const std::vector<kernels::Tile> tiles = panel->tiles_to_update(plan_.slice_flops);
    double flops = 0;
    for (const kernels::Tile& tile : tiles) flops += tile.flops<T>(gained);
    rank.run_slices({"update", flops, 0, f - e, rest, gained}, tiles.size(),
                    [&](std::size_t i) { panel->update(tiles[i]); });
  }
  // the exchanges also apply to these rows, and for LU columns, of the earlier pivots
  const MatrixView<T> P = front.panel();
  space_.columns.resize(static_cast<std::size_t>(std::max(f, front.border)));
  const std::vector<std::int32_t>& order = is_lu ? space_.rest_cols : space_.rest_rows;
  kernels::permute_rows<T>(P.block(e, 0, rest, e), order, space_.columns);
  if (is_lu) {
    kernels::permute_columns<T>(P.block(0, e, e, rest), space_.rest_rows, space_.columns);
    complete_lower(P.block(e, e, rest, rest), panel->eliminated(), space_.rest_cols,
                   front.L21().block(0, e, front.border, rest));
    apply_order(space_.rest_cols, space_.col_order.data() + e, space_.names);
  }
  apply_order(space_.rest_rows, space_.row_order.data() + e, space_.names);
  done.eliminated += panel->eliminated();
  done.two_by_two += panel->two_by_two();
  done.negative += panel->negative();
  done.add(panel->mended());
}

template <class T>
Elimination Eliminator<T>::lu(Front<T>& front) {
  const Index s = front.summed;
  const MatrixView<T> P = front.panel();
  identity(space_.row_order, s);
  identity(space_.col_order, s);
  const auto panel = kernels::lu_panel<T>(P, test_.threshold, space_.col_order, space_.row_order, test_.least,
                                          &space_.pivot_rows);
  Elimination done{.eliminated = panel.eliminated};
  if (test_.replacement > 0) accept_statically_lu(P, done);
  complete_lower(P, done.eliminated, space_.col_order, front.L21());
  return done;
}

/// Columns of L21 into the order of P's rows, then
///   L21(:, 0:e) <- A21(:, 0:e) U11^{-1},   A21(:, e:s) -= L21(:, 0:e) U(0:e, e:s)
template <class T>
void Eliminator<T>::complete_lower(MatrixView<T> P, Index e, std::span<std::int32_t> order,
                                   MatrixView<T> L21) {
  const Index m = L21.rows, s = L21.cols;
  space_.columns.resize(static_cast<std::size_t>(std::max(m, s)));
  kernels::permute_columns<T>(L21, order, space_.columns);
  kernels::solve_right_lower_trans<T>(P.block(0, 0, e, e), true, false, L21.block(0, 0, m, e));
  kernels::gemm<T>(kernels::Op::none, kernels::Op::trans, T(-1), L21.block(0, 0, m, e),
                   P.block(e, 0, s - e, e), T(1), L21.block(0, e, m, s - e));
}

// Threshold u of static pivots: the least size alone decides, and |l| <= 1 / u is still within the range of
// float.
constexpr double no_threshold = 1e-20;

/// Every column that is left in the panel fails even no_threshold. Enlarges the next diagonal entry until it
/// passes the test beside its column. Returns false if the column is not finite; check_pivots refuses the
/// front then.
template <class T>
bool replace_next(MatrixView<T> P, Index k, Real<T> least) {
  Real<T> largest = 0;
  for (Index i = k; i < P.rows; ++i) {
    const Real<T> size = kernels::magnitude(P(i, k));
    if (!std::isfinite(size)) return false;
    largest = std::max(largest, size);
  }
  T& next = P(k, k);
  const Real<T> size = std::max(least, 4 * Real<T>(no_threshold) * largest);
  next = T(std::real(next) < 0 ? -size : size);
  return true;
}

/// Static pivots for the columns that failed the threshold test: a pivot of at least the size `replacement`
/// is taken without a threshold. If no column has one, the next diagonal entry is replaced (replace_next).
/// Source  Li and Demmel, SuperLU_DIST, ACM TOMS 29 (2003), section 2, with exchanges inside of the front
template <class T>
void Eliminator<T>::accept_statically_lu(MatrixView<T> P, Elimination& done) {
  const Index f = P.rows, s = P.cols;
  space_.columns.resize(static_cast<std::size_t>(f));
  for (Index e = done.eliminated; e < s; e = done.eliminated) {
    identity(space_.rest_rows, s - e);
    identity(space_.rest_cols, s - e);
    done.eliminated += kernels::lu_panel<T>(P.block(e, e, f - e, s - e), Real<T>(no_threshold),
                                            space_.rest_cols, space_.rest_rows, test_.replacement)
                           .eliminated;
    kernels::permute_rows<T>(P.block(e, 0, s - e, e), space_.rest_cols, space_.columns);
    kernels::permute_columns<T>(P.block(0, e, e, s - e), space_.rest_rows, space_.columns);
    apply_order(space_.rest_rows, space_.row_order.data() + e, space_.names);
    apply_order(space_.rest_cols, space_.col_order.data() + e, space_.names);
    if (done.eliminated == s || !replace_next(P, done.eliminated, test_.replacement)) return;
    ++done.perturbed;
  }
}

template <class T>
void Eliminator<T>::accept_statically_ldlt(Front<T>& front, Elimination& done) {
  const MatrixView<T> P = front.panel();
  const Index f = P.rows, s = P.cols;
  space_.columns.resize(static_cast<std::size_t>(f));
  for (Index e = done.eliminated; e < s; e = done.eliminated) {
    identity(space_.rest_rows, s - e);
    const auto size = static_cast<std::size_t>(s - e);
    const auto more = kernels::ldlt_panel<T>(P.block(e, e, f - e, s - e), structure_.hermitian,
                                             Real<T>(no_threshold), space_.rest_rows, {front.d + e, size},
                                             {front.d_off + e, size}, test_.replacement);
    kernels::permute_rows<T>(P.block(e, 0, s - e, e), space_.rest_rows, space_.columns);
    apply_order(space_.rest_rows, space_.row_order.data() + e, space_.names);
    done.eliminated += more.eliminated;
    done.two_by_two += more.two_by_two;
    done.negative += more.negative;
    if (done.eliminated == s || !replace_next(P, done.eliminated, test_.replacement)) return;
    ++done.perturbed;
  }
}

template <class T>
Elimination Eliminator<T>::ldlt(Front<T>& front) {
  const Index s = front.summed;
  identity(space_.row_order, s);
  const auto size = static_cast<std::size_t>(s);
  const auto panel = kernels::ldlt_panel<T>(front.panel(), structure_.hermitian, test_.threshold,
                                            space_.row_order, {front.d, size}, {front.d_off, size},
                                            test_.least, signs_of(structure_, test_, front, 0));
  Elimination done{panel.eliminated, panel.two_by_two, panel.negative};
  done.add(panel.mended);
  if (test_.replacement > 0) accept_statically_ldlt(front, done);
  return done;
}

template <class T>
MatrixView<const T> Eliminator<T>::factor_of_update(const Front<T>& front, Index first, Index count,
                                                    Index pivot) {
  const Index e = front.eliminated - pivot;
  const MatrixView<T> below = front.panel().block(front.summed + first, pivot, count, e);
  if (structure_.kind != FactorKind::ldlt) return below;
  space_.columns.resize(static_cast<std::size_t>(padded_ld(count) * e));
  const MatrixView<T> W{space_.columns.data(), count, e, padded_ld(count)};
  const auto size = static_cast<std::size_t>(e);
  kernels::scale_by_d<T>(below, structure_.hermitian, std::span<const T>(front.d + pivot, size),
                         std::span<const T>(front.d_off + pivot, size), W);
  return W;
}

/// L21 of the pivots from `pivot` on (m x e): for LU an array of its own, else the part of the panel below
/// the summed rows.
template <class T>
MatrixView<const T> Eliminator<T>::lower_factor(const Front<T>& front, Index pivot) const {
  const Index m = front.border, e = front.eliminated - pivot;
  return structure_.is_symmetric() ? front.panel().block(front.summed, pivot, m, e)
                                   : front.L21().block(0, pivot, m, e);
}

template <class T>
void Eliminator<T>::update(Front<T>& front) {
  const Index m = front.border;
  const MatrixView<const T> A = lower_factor(front);
  const StaircaseView<T> C = front.contribution();
  if (!structure_.is_symmetric())
    return kernels::full_update<T>(A, factor_of_update(front, 0, m), false, C.whole());
  for (Index first = 0; first < m; first += C.width) {
    const MatrixView<T> panel = C.panel(first);
    kernels::lower_update<T>(A.block(first, 0, panel.rows, A.cols),
                             factor_of_update(front, first, panel.cols), structure_.is_conjugated(), false,
                             panel);
  }
}

template <class T>
void Eliminator<T>::subtract_in_slices(comm::Rank& rank, Front<T>& front, Index first, bool accumulate) {
  const Index m = front.border, e = front.eliminated - first,
              edge = kernels::tile_edge<T>(plan_.slice_flops, e);
  const MatrixView<const T> A = lower_factor(front, first);
  MatrixView<const T> B;
  comm::run_unless_phantom(rank, [&] { B = factor_of_update(front, 0, m, first); });
  const StaircaseView<T> C = front.contribution();
  const auto tiles = structure_.is_symmetric() ? kernels::staircase_tiles(m, C.width, edge)
                                               : kernels::full_tiles(m, m, edge);
  const kernels::Cost cost = update_cost(structure_, front, e);
  rank.run_slices({"update", cost.flops, cost.bytes, m, m, e}, tiles.size(), [&](std::size_t i) {
    kernels::update_tile<T>(tiles[i], A, B, structure_.is_conjugated(), accumulate, C);
  });
}

OVERLAPACK_INSTANTIATE_CLASS(Eliminator);

}  // namespace overlapack::sparse::multifrontal
