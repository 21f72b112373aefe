#pragma once
#include "dense/check/entry_sizes.hpp"
#include "dist/grid/distributed_matrix.hpp"

#include <functional>

namespace overlapack::dense {

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
/// stored(A) is the matrix that was factorised: none or trans; solve(op, x): x <- op(stored(A))^{-1} x on every rank
/// Sync    collective over the team; the result is on every rank
/// Cost    a pass over A and 4 to 11 solves
/// Source  Skeel 1979; Higham 2002, section 7.2
template <class T>
double scaled_condition(comm::Rank& rank, const dist::DistributedMatrix<T>& A, kernels::Op stored,
                        const EntrySizes& sizes, const std::function<void(kernels::Op, std::span<T>)>& solve);

}  // namespace overlapack::dense
