#include "sparse/multifrontal/inverse/inverse_front.hpp"

#include "base/copy_into.hpp"
#include "base/instantiate.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/update/adjoint.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

namespace {

using kernels::Op;

template <class T>
MatrixView<T> room(std::vector<T>& numbers, Index rows, Index cols) {
  const Index ld = padded_ld(rows);
  numbers.resize(std::max(numbers.size(), static_cast<std::size_t>(ld * cols)));
  return {numbers.data(), rows, cols, std::max<Index>(ld, 1)};
}

}  // namespace

/// X^T = L11^{-T} L(o, 1)^T. For LU, L11^T is the upper triangle of the panel, and L(o, 1)^T stands beside it
/// and in L21.
template <class T>
MatrixView<T> FrontInverter<T>::x_trans(const Front<T>& front) {
  const Index e = front.eliminated, d = front.delayed(), m = front.border;
  const MatrixView<T> P = front.panel(), V = room(x_, e, d + m);
  if (structure_.is_symmetric()) {
    kernels::adjoint<T>(P.block(e, 0, d + m, e), V, false);
    kernels::solve_left_lower_trans<T>(P.block(0, 0, e, e), structure_.has_unit_diagonal(), false, V);
    return V;
  }
  copy_into(P.block(0, e, e, d), V.block(0, 0, e, d));
  kernels::adjoint<T>(front.L21().block(0, 0, m, e), V.block(0, d, e, m), false);
  kernels::solve_left_upper<T>(P.block(0, 0, e, e), false, V);
  return V;
}

/// LU: Y = U11^{-1} U(1, o). The panel has [U11^T; U(1, o)^T].
template <class T>
MatrixView<T> FrontInverter<T>::y(const Front<T>& front) {
  const Index e = front.eliminated, others = front.order() - e;
  const MatrixView<T> P = front.panel(), Y = room(y_, e, others);
  kernels::adjoint<T>(P.block(e, 0, others, e), Y, false);
  kernels::solve_left_lower_trans<T>(P.block(0, 0, e, e), true, false, Y);
  return Y;
}

/// Z(1, 1) = U11^{-1} D^{-1} L11^{-1}
template <class T>
void FrontInverter<T>::set_pivots(const Front<T>& front, MatrixView<T> Z) const {
  const Index e = Z.rows;
  const auto size = static_cast<std::size_t>(e);
  const MatrixView<T> square = front.panel().block(0, 0, e, e);
  for (Index j = 0; j < e; ++j) {
    std::fill_n(Z.column(j), e, T(0));
    Z(j, j) = T(1);
  }
  if (!structure_.is_symmetric()) {
    kernels::solve_left_upper_trans<T>(square, false, false, Z);
    kernels::solve_left_lower_trans<T>(square, true, false, Z);
    return;
  }
  kernels::solve_left_lower<T>(square, structure_.has_unit_diagonal(), Z);
  if (structure_.kind == FactorKind::ldlt)
    kernels::solve_d<T>(structure_.hermitian, {front.d, size}, {front.d_off, size}, Z);
  kernels::solve_left_lower_trans<T>(square, structure_.has_unit_diagonal(), structure_.is_conjugated(), Z);
}

/// Z(1, o) = Z(o, 1)^T, or its conjugate.
template <class T>
void FrontInverter<T>::copy_to_upper(Index pivots, MatrixView<T> Z) const {
  kernels::adjoint<T>(Z.block(pivots, 0, Z.rows - pivots, pivots),
                      Z.block(0, pivots, pivots, Z.rows - pivots), false);
  if (!structure_.is_conjugated()) return;
  for (Index j = pivots; j < Z.cols; ++j)
    for (Index i = 0; i < pivots; ++i) Z(i, j) = conjugate(Z(i, j));
}

template <class T>
void FrontInverter<T>::compute_rest_of_inverse(const Front<T>& front, MatrixView<T> Z) {
  const Index e = front.eliminated, others = Z.rows - e;
  if (e == 0) return;
  const MatrixView<T> Z11 = Z.block(0, 0, e, e), Z1o = Z.block(0, e, e, others),
                      Zo1 = Z.block(e, 0, others, e), Zoo = Z.block(e, e, others, others);
  set_pivots(front, Z11);
  if (others == 0) return;
  kernels::gemm<T>(Op::none, Op::trans, T(-1), Zoo, x_trans(front), T(0), Zo1);
  if (!structure_.is_symmetric()) {
    const MatrixView<T> Y = y(front);
    kernels::gemm<T>(Op::none, Op::none, T(-1), Y, Zoo, T(0), Z1o);
    kernels::gemm<T>(Op::none, Op::none, T(-1), Y, Zo1, T(1), Z11);
    return;
  }
  copy_to_upper(e, Z);
  // Z(1, 1) -= Y Z(o, 1): x_ has X^T, which is Y of a symmetric matrix; of a Hermitian one Y is its conjugate
  const MatrixView<T> Xt{x_.data(), e, others, std::max<Index>(padded_ld(e), 1)};
  if (structure_.is_conjugated())
    for (Index j = 0; j < others; ++j)
      for (Index i = 0; i < e; ++i) Xt(i, j) = conjugate(Xt(i, j));
  kernels::gemm<T>(Op::none, Op::none, T(-1), Xt, Zo1, T(1), Z11);
}

template <class T>
double inverse_flops(const Structure& structure, Index f) {
  const double s = static_cast<double>(structure.tree.pivots(f)),
               m = static_cast<double>(structure.tree.border(f));
  const double both_sides = s * m * m + s * s * m / 2;  // Z(o, o) X and its triangular solve
  const double sides = structure.is_symmetric() ? 1 : 2;
  return kernels::multiply_add_flops<T> * (sides * both_sides + s * s * m + s * s * s);
}

#define OVERLAPACK_INSTANTIATE(T)  \
  template class FrontInverter<T>; \
  template double inverse_flops<T>(const Structure&, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
