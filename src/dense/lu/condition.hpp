#pragma once
#include "dense/check/entry_sizes.hpp"
#include "dense/lu/lu.hpp"

namespace overlapack::dense {

/// A matrix and its factors.
template <class T>
struct Factorized {
  const dist::DistributedMatrix<T>& A;   ///< as it was
  const EntrySizes& sizes;               ///< of A
  const dist::DistributedMatrix<T>& LU;  ///< as lu_factor left it
  std::span<const Index> pivots;
};

/// 1 / (||A||_1 ||A^{-1}||_1), where the norm of the inverse is estimated from below.
/// Sync    collective over the team; the result is on every rank
/// Cost    4 to 11 solves
template <class T>
double reciprocal_condition(comm::Rank& rank, const Factorized<T>& factors, const LuPlan& plan);

/// A pivot beside the largest entry of its row and of its column in A, whichever is smaller.
struct PivotShare {
  double share = 0;
  Index row = -1, col = -1;  ///< of A
};

/// The smallest: near rounding, A may be singular, whatever its rows and columns are scaled by.
/// Sync    collective over the team; the result is on every rank
template <class T>
PivotShare smallest_pivot_share(comm::Rank& rank, const Factorized<T>& factors);

/// || |C A^{-1}| |A C^{-1}| ||_oo, estimated from below, with C = diag(largest entry of each column): how much a relative
/// change of single entries may change x. Scaling rows changes nothing.
/// Sync    collective over the team; the result is on every rank
/// Cost    a pass over A and 4 to 11 solves
/// Source  Skeel 1979; Higham 2002, section 7.2
template <class T>
double scaled_condition(comm::Rank& rank, const Factorized<T>& factors, const LuPlan& plan);

}  // namespace overlapack::dense
