#include "sparse/multifrontal/eliminate.hpp"

#include "kernels/cholesky_panel.hpp"
#include "kernels/gemm.hpp"
#include "kernels/ldlt_panel.hpp"
#include "kernels/lu_panel.hpp"
#include "kernels/operand.hpp"
#include "kernels/swap.hpp"
#include "kernels/triangular.hpp"
#include "kernels/update.hpp"
#include "sparse/multifrontal/slices.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <type_traits>

namespace overlapack::sparse {

void identity(std::vector<std::int32_t>& order, Index count) {
  order.resize(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
}

void apply_order(std::span<const std::int32_t> order, std::int32_t* names, std::vector<std::int32_t>& work) {
  work.assign(names, names + order.size());
  for (std::size_t k = 0; k < order.size(); ++k) names[k] = work[static_cast<std::size_t>(order[k])];
}

template <class T>
double panel_flops(FactorKind kind, const Front<T>& front) {
  const Index f = front.order(), e = front.eliminated;
  switch (kind) {
    case FactorKind::lu:
      return kernels::lu_panel_cost<T>(f, e).flops;
    case FactorKind::ldlt:
      return kernels::ldlt_panel_cost<T>(f, e).flops;
    case FactorKind::cholesky:
      break;
  }
  return kernels::cholesky_panel_cost<T>(f, e).flops;
}

template <class T>
double elimination_flops(FactorKind kind, const Front<T>& front) {
  const Index s = front.summed, m = front.border, e = front.eliminated;
  const kernels::Cost rest = kind == FactorKind::lu
                                 ? kernels::triangular_cost<T>(e, m) + kernels::gemm_cost<T>(m, s - e, e) +
                                       kernels::gemm_cost<T>(m, m, e)
                                 : kernels::lower_update_cost<T>(m, e);
  return panel_flops(kind, front) + rest.flops;
}

template <class T>
Elimination all_pivots(FactorKind kind, Front<T>& front) {
  front.eliminated = front.summed;
  return {.eliminated = front.summed, .flops = elimination_flops(kind, front)};
}

template <class T>
PivotTest<T> pivot_test(const MultifrontalPlan& plan, double largest) {
  const auto threshold = static_cast<Real<T>>(plan.pivot_threshold);
  if (plan.keeps_null_pivots) {
    constexpr double float_epsilon = std::numeric_limits<float>::epsilon();
    const double share = std::is_same_v<Real<T>, float> ? 1000 * float_epsilon : plan.null_pivot;
    return {std::max(threshold, static_cast<Real<T>>(plan.null_threshold)),
            static_cast<Real<T>>(share * largest)};
  }
  return {threshold, 0, static_cast<Real<T>>(plan.perturbation * largest)};
}

template <class T>
bool Eliminator<T>::is_sliced(Index m, Index n, Index k) const {
  return kernels::gemm_cost<T>(m, n, k).flops > plan_.slice_flops;
}

template <class T>
Elimination Eliminator<T>::eliminate(comm::Rank& rank, Front<T>& front) {
  Elimination done;
  switch (structure_.kind) {
    case FactorKind::lu:
      done = lu(rank, front);
      break;
    case FactorKind::ldlt:
      done = ldlt(front);
      break;
    case FactorKind::cholesky:
      done = cholesky(front);
      break;
  }
  front.eliminated = done.eliminated;
  done.flops = elimination_flops(structure_.kind, front);
  return done;
}

template <class T>
Elimination Eliminator<T>::lu(comm::Rank& rank, Front<T>& front) {
  const Index s = front.summed, m = front.border;
  const MatrixView<T> P = front.panel(), L21 = front.lower();
  identity(row_order_, s);
  identity(col_order_, s);
  const auto panel = kernels::lu_panel<T>(P, test_.threshold, col_order_, row_order_, test_.least);
  Elimination done{.eliminated = panel.eliminated};
  if (test_.replacement > 0) take_statically_lu(P, done);
  const Index e = done.eliminated;
  apply_order(row_order_, front.row_name, names_);
  apply_order(col_order_, front.col_name, names_);

  work_.resize(static_cast<std::size_t>(std::max(m, s)));
  kernels::permute_columns<T>(L21, col_order_, work_);
  const kernels::Cost cost = kernels::triangular_cost<T>(e, m) + kernels::gemm_cost<T>(m, s - e, e);
  const Index slice_rows = plan_.slice_rows, slices = (m + slice_rows - 1) / slice_rows;
  for_each_slice(
      rank, cost.flops > plan_.slice_flops, {"trsm", cost.flops, cost.bytes, m, s, e}, slices, [&](Index i) {
        const Index rows = std::min(slice_rows, m - i * slice_rows);
        const MatrixView<T> L = L21.block(i * slice_rows, 0, rows, s);
        // L21(:, 0:e) <- A21(:, 0:e) U11^{-1};   A21(:, e:s) -= L21(:, 0:e) U(0:e, e:s)
        kernels::solve_right_lower_trans<T>(P.block(0, 0, e, e), true, false, L.block(0, 0, rows, e));
        kernels::gemm<T>(kernels::Op::none, kernels::Op::trans, T(-1), L.block(0, 0, rows, e),
                         P.block(e, 0, s - e, e), T(1), L.block(0, e, rows, s - e));
      });
  return done;
}

/// Nothing but what is below the least size is left in the rest of a panel: its next diagonal entry grows to that.
template <class T>
bool replace_next(MatrixView<T> P, Index k, Real<T> least) {
  T& next = P(k, k);
  if (!std::isfinite(kernels::magnitude(next))) return false;  // refused later
  next = T(std::real(next) < 0 ? -least : least);
  return true;
}

// |l| is not bounded then, but for the least size; no zero, since it stands in a denominator
constexpr double no_threshold = 1e-20;

/// The columns that failed, without a threshold.
/// Source  Li and Demmel, SuperLU_DIST, ACM TOMS 29 (2003), section 2, with exchanges inside of the front
template <class T>
void Eliminator<T>::take_statically_lu(MatrixView<T> P, Elimination& done) {
  const Index f = P.rows, s = P.cols;
  work_.resize(static_cast<std::size_t>(f));
  for (Index e = done.eliminated; e < s; e = done.eliminated) {
    identity(rest_rows_, s - e);
    identity(rest_cols_, s - e);
    done.eliminated += kernels::lu_panel<T>(P.block(e, e, f - e, s - e), Real<T>(no_threshold), rest_cols_,
                                            rest_rows_, test_.replacement)
                           .eliminated;
    kernels::permute_rows<T>(P.block(e, 0, s - e, e), rest_cols_, work_);
    kernels::permute_columns<T>(P.block(0, e, e, s - e), rest_rows_, work_);
    apply_order(rest_rows_, row_order_.data() + e, names_);
    apply_order(rest_cols_, col_order_.data() + e, names_);
    if (done.eliminated == s || !replace_next(P, done.eliminated, test_.replacement)) return;
    ++done.perturbed;
  }
}

template <class T>
void Eliminator<T>::take_statically_ldlt(Front<T>& front, Elimination& done) {
  const MatrixView<T> P = front.panel();
  const Index f = P.rows, s = P.cols;
  work_.resize(static_cast<std::size_t>(f));
  for (Index e = done.eliminated; e < s; e = done.eliminated) {
    identity(rest_rows_, s - e);
    const auto size = static_cast<std::size_t>(s - e);
    const auto more =
        kernels::ldlt_panel<T>(P.block(e, e, f - e, s - e), structure_.hermitian, Real<T>(no_threshold),
                               rest_rows_, {front.d + e, size}, {front.d_off + e, size}, test_.replacement);
    kernels::permute_rows<T>(P.block(e, 0, s - e, e), rest_rows_, work_);
    apply_order(rest_rows_, row_order_.data() + e, names_);
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
  identity(row_order_, s);
  const auto size = static_cast<std::size_t>(s);
  const auto panel = kernels::ldlt_panel<T>(front.panel(), structure_.hermitian, test_.threshold, row_order_,
                                            {front.d, size}, {front.d_off, size}, test_.least);
  Elimination done{panel.eliminated, panel.two_by_two, panel.negative};
  if (test_.replacement > 0) take_statically_ldlt(front, done);
  apply_order(row_order_, front.row_name, names_);
  return done;
}

template <class T>
Elimination Eliminator<T>::cholesky(Front<T>& front) {
  const Index done = kernels::cholesky_panel<T>(front.panel());
  if (done < front.summed) refuse_pivot(structure_, front, done);
  return {.eliminated = done};
}

template <class T>
void Eliminator<T>::update(comm::Rank& rank, Front<T>& front) {
  const Index s = front.summed, m = front.border, e = front.eliminated;
  const MatrixView<T> C = front.contribution();
  const MatrixView<T> below = front.panel().block(s, 0, m, e);  // U12^T, or L21 where symmetric
  const bool sliced = is_sliced(m, m, e);
  if (!structure_.is_symmetric()) {
    // C <- -L21 U12
    const MatrixView<T> L21 = front.lower().block(0, 0, m, e);
    const kernels::Cost cost = kernels::gemm_cost<T>(m, m, e);
    for_each_slice(rank, sliced, {"gemm", cost.flops, cost.bytes, m, m, e}, kernels::full_update_tiles(m, m),
                   [&](Index i) { kernels::full_update_tile<T>(i, L21, below, false, C); });
    return;
  }
  MatrixView<T> W = below;
  if (structure_.kind == FactorKind::ldlt) {  // W = L21 D
    work_.resize(static_cast<std::size_t>(padded_ld(m) * e));
    W = {work_.data(), m, e, padded_ld(m)};
    const auto size = static_cast<std::size_t>(e);
    kernels::scale_by_d<T>(below, structure_.hermitian, std::span<const T>(front.d, size),
                           std::span<const T>(front.d_off, size), W);
  }
  // C <- -W L21^T, lower triangle
  const bool conjugated = structure_.hermitian || structure_.kind == FactorKind::cholesky;
  const kernels::Cost cost = kernels::lower_update_cost<T>(m, e);
  for_each_slice(rank, sliced, {"gemm", cost.flops, cost.bytes, m, m, e}, kernels::lower_update_tiles(m),
                 [&](Index i) { kernels::lower_update_tile<T>(i, W, below, conjugated, false, C); });
}

#define OVERLAPACK_INSTANTIATE(T)                           \
  template double panel_flops(FactorKind, const Front<T>&); \
  template Elimination all_pivots(FactorKind, Front<T>&);   \
  template PivotTest<T> pivot_test(const MultifrontalPlan&, double);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE
template class Eliminator<float>;
template class Eliminator<double>;
template class Eliminator<std::complex<float>>;
template class Eliminator<std::complex<double>>;

}  // namespace overlapack::sparse
