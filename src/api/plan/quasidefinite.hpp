#pragma once
#include "overlapack/options.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>
#include <vector>

namespace overlapack::api {

/// Errors  BadPlan: what quasi-definite factors do not go with, and signs or a shift without them
void require_quasidefinite(const Options& options);

/// Errors  BadInput: not +1 or -1 for each of n unknowns
void require_signs(const std::vector<std::int8_t>& signs, Index n);

/// +1 or -1 where the diagonal is positive or negative.
/// Errors  BadInput: an entry of it is zero
template <class T>
std::vector<std::int8_t> signs_of_diagonal(const SparseMatrix<T>& A);

}  // namespace overlapack::api
