#pragma once
#include "dense/check/entry_sizes.hpp"
#include "dense/lu/solve/solve.hpp"

#include <functional>

namespace overlapack::dense {

/// A matrix and its factors.
template <class T>
struct Factorized {
  dist::DistributedMatrix<T> A;          ///< before the factorisation
  kernels::Op stored;                    ///< stored(A) is the matrix that was factorised: none or trans
  const EntrySizes& sizes;               ///< of what was factorised
  const dist::DistributedMatrix<T>& LU;  ///< as lu_factor left it
  std::span<const Index> pivots;
};

/// |pivot| over the smaller of the largest entries of its row and of its column in A.
struct PivotShare {
  double share = 0;
  Index row = -1, col = -1;  ///< of A
};

/// The smallest of all ranks' shares; NaN counts as the smallest. Collective.
PivotShare smallest_over_ranks(comm::Rank& rank, PivotShare mine);

/// The smallest pivot share: near rounding level A may be singular, however rows and columns are scaled. sizes: of A, in any type.
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
