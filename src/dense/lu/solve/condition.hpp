#pragma once
#include "dense/check/entry_sizes.hpp"
#include "dense/lu/solve/solve.hpp"

#include <functional>

namespace overlapack::dense {

/// A matrix and its factors.
template <class T>
struct Factorized {
  dist::DistributedMatrix<T> A;          ///< as it was,
  kernels::Op stored;                    ///< if its op is that: none, or trans
  const EntrySizes& sizes;               ///< of what was factorised
  const dist::DistributedMatrix<T>& LU;  ///< as lu_factor left it
  std::span<const Index> pivots;
};

/// A pivot beside the largest entry of its row and of its column in A, whichever is smaller.
struct PivotShare {
  double share = 0;
  Index row = -1, col = -1;  ///< of A
};

/// Of all ranks; NaN is the smallest.  Collective.
PivotShare smallest(comm::Rank& rank, PivotShare mine);

/// The smallest: near rounding, A may be singular, whatever its rows and columns are scaled by. sizes: of A, in whatever type.
/// Sync    collective over the team; the result is on every rank
template <class T>
PivotShare smallest_pivot_share(comm::Rank& rank, const EntrySizes& sizes,
                                const dist::DistributedMatrix<T>& LU, std::span<const Index> pivots);

/// || |C A^{-1}| |A C^{-1}| ||_oo, estimated from below, with C = diag(largest entry of each column): how much a relative
/// change of single entries may change x. Scaling rows changes nothing.
/// Sync    collective over the team; the result is on every rank
/// Cost    a pass over A and 4 to 11 solves
/// Source  Skeel 1979; Higham 2002, section 7.2
template <class T>
double scaled_condition(comm::Rank& rank, const Factorized<T>& factors, const LuPlan& plan);
/// The same with any solver: solve(op, x) is x <- op(A)^{-1} x on every rank.
template <class T>
double scaled_condition(comm::Rank& rank, const dist::DistributedMatrix<T>& A, kernels::Op stored,
                        const EntrySizes& sizes, const std::function<void(kernels::Op, std::span<T>)>& solve);

}  // namespace overlapack::dense
