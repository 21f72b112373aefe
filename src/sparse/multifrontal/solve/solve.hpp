#pragma once
#include "comm/rank.hpp"
#include "dense/lu/solve/determinant.hpp"
#include "kernels/product/gemm.hpp"
#include "overlapack/triangular_factors.hpp"

#include <optional>

/// What Multifrontal asks of its factors; each function as in SparseFactors.
namespace overlapack::sparse::multifrontal {

template <class T>
struct FactorState;

template <class T>
void solve(comm::Rank& rank, FactorState<T>& state, kernels::Op op, const T* b, T* x, Index nrhs);
template <class T>
void null_space(comm::Rank& rank, FactorState<T>& state, kernels::Op op, T* Z);
template <class T>
dense::ScaledNumber<T> determinant(comm::Rank& rank, FactorState<T>& state);
template <class T>
std::optional<TriangularFactors<T>> triangular_factors(const FactorState<T>& state);
template <class T>
std::optional<SymmetricFactors<T>> symmetric_factors(const FactorState<T>& state);

}  // namespace overlapack::sparse::multifrontal
