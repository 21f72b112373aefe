#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <string_view>

/// Refusals of matrices that are not of the pattern that was analysed; call: the function that takes others.
namespace overlapack::api {

[[noreturn]] void refuse_order(Index n, Index analysed, std::string_view call);
/// Shapes  entries, analysed: how many there are, of matrices of the same order
[[noreturn]] void refuse_positions(Index entries, Index analysed, std::string_view call);
/// A is not as symmetric as the matrix that was analysed.
template <class T>
[[noreturn]] void refuse_symmetry(const SparseMatrix<T>& A, Symmetry analysed, std::string_view call);

}  // namespace overlapack::api
