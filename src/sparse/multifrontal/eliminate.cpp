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
#include <complex>
#include <numeric>

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
bool Eliminator<T>::is_sliced(Index m, Index n, Index k) const {
  return kernels::gemm_cost<T>(m, n, k).flops > plan_.slice_flops;
}

template <class T>
Elimination Eliminator<T>::eliminate(comm::Rank& rank, Front<T>& front, Arena& arena) {
  Elimination done;
  switch (structure_.kind) {
    case FactorKind::lu:
      done = lu(rank, front);
      break;
    case FactorKind::ldlt:
      done = ldlt(front, arena);
      break;
    case FactorKind::cholesky:
      done = cholesky(front);
      break;
  }
  front.eliminated = done.eliminated;
  return done;
}

template <class T>
Elimination Eliminator<T>::lu(comm::Rank& rank, Front<T>& front) {
  const Index s = front.summed, m = front.border;
  const MatrixView<T> P = front.panel(), L21 = front.lower();
  identity(row_order_, s);
  identity(col_order_, s);
  const auto panel = kernels::lu_panel<T>(P, test_.threshold, col_order_, row_order_, test_.least);
  const Index e = panel.eliminated;
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
  return {
      e, 0, 0,
      kernels::lu_panel_cost<T>(front.order(), e).flops + cost.flops + kernels::gemm_cost<T>(m, m, e).flops};
}

template <class T>
Elimination Eliminator<T>::ldlt(Front<T>& front, Arena& arena) {
  const Index s = front.summed;
  front.d = arena.zeros<T>(static_cast<std::size_t>(s));
  front.d_off = arena.zeros<T>(static_cast<std::size_t>(s));
  identity(row_order_, s);
  const auto size = static_cast<std::size_t>(s);
  const auto panel = kernels::ldlt_panel<T>(front.panel(), structure_.hermitian, test_.threshold, row_order_,
                                            {front.d, size}, {front.d_off, size}, test_.least);
  apply_order(row_order_, front.row_name, names_);
  const Index e = panel.eliminated;
  return {e, panel.two_by_two, panel.negative,
          kernels::ldlt_panel_cost<T>(front.order(), e).flops +
              kernels::lower_update_cost<T>(front.border, e).flops};
}

template <class T>
Elimination Eliminator<T>::cholesky(Front<T>& front) {
  const Index done = kernels::cholesky_panel<T>(front.panel());
  if (done < front.summed) refuse_pivot(structure_, front, done);
  return {done, 0, 0,
          kernels::cholesky_panel_cost<T>(front.order(), done).flops +
              kernels::lower_update_cost<T>(front.border, done).flops};
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

#define OVERLAPACK_INSTANTIATE(T) template double panel_flops(FactorKind, const Front<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE
template class Eliminator<float>;
template class Eliminator<double>;
template class Eliminator<std::complex<float>>;
template class Eliminator<std::complex<double>>;

}  // namespace overlapack::sparse
