#pragma once
#include "base/matrix_view.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <string>

namespace overlapack::api {

/// Write a sparse matrix as Matrix Market, coordinate format; with the lower triangle only if A.symmetry says
/// so. Values are the shortest decimals that read back to the same bits. A name ending in .gz is compressed.
/// The file appears whole or not at all.
/// Cost    the text once in memory
/// Errors  BadInput if the file cannot be written, or A holds non-finite values or contradicts its symmetry
template <class T>
void write_matrix_market(const std::string& path, const SparseMatrix<T>& A, const std::string& comment = "");

/// Write a dense array, such as solutions, as Matrix Market, array format.
/// Errors  as above
template <class T>
void write_matrix_market(const std::string& path, MatrixView<const T> X, const std::string& comment = "");

}  // namespace overlapack::api
