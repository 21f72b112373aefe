#include "dense/qr/qr_norms.hpp"

#include "base/instantiate.hpp"
#include "dense/check/entry_sizes.hpp"
#include "dense/lu/panel/diagonal.hpp"
#include "dist/grid/owned_matrix.hpp"

#include <algorithm>

namespace overlapack::dense {
namespace {

using kernels::Op;

template <class T>
double one_norm_of(comm::Rank& rank, const dist::DistributedMatrix<T>& A, ColumnSource<T> columns) {
  return entry_sizes<T>(rank, A, columns, {0}, {A.n()}).norm_one();
}

/// to <- the upper triangle of A, zeros below.
template <class T>
void copy_upper(const dist::DistributedMatrix<T>& A, MatrixView<T> to) {
  for (Index j = 0; j < A.local.cols; ++j) {
    const Index end = A.first_row({std::min(A.cols.global({j}, A.me.col).value + 1, A.m())});
    std::copy_n(A.local.column(j), end, to.column(j));
    std::fill(to.column(j) + end, to.column(j) + to.rows, T(0));
  }
}

}  // namespace

template <class T>
QrNorms qr_norms(comm::Rank& rank, const QrFactors<T>& factors, ColumnSource<T> columns, const QrPlan& plan) {
  const dist::DistributedMatrix<T>& A = factors.VR;
  const dist::OwnedMatrix<T> owned(*A.grid, rank.rank(), A.rows, A.cols);
  const dist::DistributedMatrix<T>& C = owned.view();
  QrNorms norms{.matrix_one = one_norm_of(rank, A, columns)};

  copy_upper(A, C.local);
  qr_multiply(rank, Op::none, factors, C, plan);  // Q R
  for (Index j = 0; j < C.local.cols; ++j) {
    const MatrixView<const T> a = columns(j, 1);
    for (Index i = 0; i < C.local.rows; ++i) C.local(i, j) -= a(i, 0);
  }
  norms.residual = one_norm_of<T>(rank, C, columns_of(C));

  for (Index j = 0; j < C.local.cols; ++j) std::fill_n(C.local.column(j), C.local.rows, T(0));
  for_my_diagonal(C, [](Index, T& entry) { entry = T(1); });
  qr_multiply(rank, Op::none, factors, C, plan);
  qr_multiply(rank, Op::conj_trans, factors, C, plan);  // Q^H (Q I)
  for_my_diagonal(C, [](Index, T& entry) { entry -= T(1); });
  norms.orthogonality = one_norm_of<T>(rank, C, columns_of(C));
  return norms;
}

#define OVERLAPACK_INSTANTIATE(T) \
  template QrNorms qr_norms(comm::Rank&, const QrFactors<T>&, ColumnSource<T>, const QrPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
