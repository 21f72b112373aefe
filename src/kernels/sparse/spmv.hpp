#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <span>

/// Products with a sparse matrix stored by columns. x and y must not overlap.
namespace overlapack::kernels {

/// y <- A x.  Shapes  x: A.cols, y: A.rows
template <class T>
void spmv(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
          std::span<std::type_identity_t<T>> y);

/// y <- A^T x, with conj A^H x.  Shapes  x: A.rows, y: A.cols
template <class T>
void spmv_trans(const SparseMatrix<T>& A, bool conj, std::span<const std::type_identity_t<T>> x,
                std::span<std::type_identity_t<T>> y);

}  // namespace overlapack::kernels
