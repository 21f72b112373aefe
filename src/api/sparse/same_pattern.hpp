#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <string_view>

/// Errors for matrices that do not have the pattern that was analysed. call: the function that takes matrices with another pattern.
namespace overlapack::api {

[[noreturn]] void refuse_order(Index n, Index analysed, std::string_view call);
/// Refuse a matrix whose positions differ. entries, analysed: the numbers of entries of this matrix and of the analysed one, of the same
/// order.
[[noreturn]] void refuse_positions(Index entries, Index analysed, std::string_view call);
/// Refuse a matrix that lacks the symmetry of the matrix that was analysed.
template <class T>
[[noreturn]] void refuse_symmetry(const SparseMatrix<T>& A, Symmetry analysed, std::string_view call);

}  // namespace overlapack::api
