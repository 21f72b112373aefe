#pragma once
#include "overlapack/options.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>
#include <vector>

namespace overlapack::api {

/// Check that the options suit quasi-definite factors.
/// Errors  BadPlan: factorization quasidefinite with an option that excludes it, or `signs` or `regularization` without it
void require_quasidefinite(const Options& options);

/// Check that there is a sign, +1 or -1, for each of n unknowns.
/// Errors  BadInput
void require_signs(const std::vector<std::int8_t>& signs, Index n);

/// The signs of the diagonal entries, +1 or -1.
/// Errors  BadInput: a diagonal entry is zero
template <class T>
std::vector<std::int8_t> signs_of_diagonal(const SparseMatrix<T>& A);

}  // namespace overlapack::api
