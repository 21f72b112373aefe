#pragma once
#include "comm/rank.hpp"
#include "dist/grid/distributed_matrix.hpp"

#include <span>

namespace overlapack::dense {

/// The number mantissa * 2^exponent, so that determinants cannot overflow. The larger of the mantissa's real and imaginary parts is at
/// least 1/2 and below 1 in size; or the mantissa is 0.
template <class T>
struct ScaledNumber {
  T mantissa = T(1);
  Index exponent = 0;
};

template <class T>
ScaledNumber<T> product(const ScaledNumber<T>& a, const ScaledNumber<T>& b);

/// The product of A's diagonal entries and of the arguments `factor` of all ranks.
/// Sync    as lu_determinant
template <class T>
ScaledNumber<T> triangle_determinant(comm::Rank& rank, const dist::DistributedMatrix<T>& A, T factor = T(1));

/// det A = +-u_11 u_22 ... u_nn from the factors that lu_factor stored in A; the number of row exchanges gives the sign.
/// Sync    collective over the team; ranks outside of A's grid have an empty part of it; the result is on every rank
template <class T>
ScaledNumber<T> lu_determinant(comm::Rank& rank, const dist::DistributedMatrix<T>& A,
                               std::span<const Index> pivots);

}  // namespace overlapack::dense
