#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <ostream>
#include <span>
#include <string>

namespace overlapack::api {

/// Matrix Market, coordinate format, shortest digits that read back exactly; of a symmetric, skew or Hermitian matrix
/// the lower triangle. `comment` may have several lines.
template <class T>
void write_matrix_market(std::ostream& out, const SparseMatrix<T>& A, const std::string& comment = "");

/// Matrix Market, array format.  Shapes  values: rows x cols by columns
template <class T>
void write_matrix_market(std::ostream& out, std::span<const T> values, Index rows, Index cols,
                         const std::string& comment = "");

}  // namespace overlapack::api
