#pragma once
#include "kernels/cost.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <span>

/// Products with a sparse matrix stored by columns. x and y must not overlap.
/// Cost    spmv_cost(A.rows, A.cols, A.nnz())
namespace overlapack::kernels {

/// y <- A x.  Shapes  x: A.cols, y: A.rows
template <class T>
void spmv(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
          std::span<std::type_identity_t<T>> y);

/// y <- A^T x, with conj A^H x.  Shapes  x: A.rows, y: A.cols
template <class T>
void spmv_trans(const SparseMatrix<T>& A, bool conj, std::span<const std::type_identity_t<T>> x,
                std::span<std::type_identity_t<T>> y);

/// r <- b - A x, summed in a longer format than the working precision (float: double; double: long double), so that
/// refinement is not stopped by the rounding of long rows, and in the same pass
/// weight <- |A| |x| + |b|: the denominator of the componentwise backward error (Arioli, Demmel, Duff 1989).
/// A matrix that says it is symmetric or Hermitian has to be, square and with both triangles.
template <class T>
void residual(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
              std::span<const std::type_identity_t<T>> b, std::span<std::type_identity_t<T>> r,
              std::span<Real<T>> weight);

/// One right-hand side of many.  Shapes  b, r, weight: A.rows; x: A.cols
template <class T>
struct ResidualColumn {
  std::span<const T> b, x;
  std::span<T> r;
  std::span<Real<T>> weight;
};

/// The residuals of many right-hand sides: from three on eight of them at a time, so that A is read once for all of these. In
/// double precision they are summed in two numbers each (Ogita, Rump, Oishi 2005), no less accurate than one by one.
/// Units  memory: 40 numbers a row and column of A, 80 if complex
template <class T>
void residuals(const SparseMatrix<T>& A, std::span<const ResidualColumn<T>> columns);

template <class T>
constexpr Cost spmv_cost(Index rows, Index cols, Index nnz) {
  return {static_cast<double>(nnz) * multiply_add_flops<T>,
          static_cast<double>(nnz) * (sizeof(T) + sizeof(Index)) + static_cast<double>(cols) * sizeof(T) +
              2.0 * static_cast<double>(rows) * sizeof(T)};
}

}  // namespace overlapack::kernels
