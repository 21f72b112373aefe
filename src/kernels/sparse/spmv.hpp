#pragma once
#include "kernels/product/cost.hpp"
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

template <class T>
constexpr Cost spmv_cost(Index rows, Index cols, Index nnz) {
  return {static_cast<double>(nnz) * multiply_add_flops<T>,
          static_cast<double>(nnz) * (sizeof(T) + sizeof(Index)) + static_cast<double>(cols) * sizeof(T) +
              2.0 * static_cast<double>(rows) * sizeof(T)};
}

}  // namespace overlapack::kernels
