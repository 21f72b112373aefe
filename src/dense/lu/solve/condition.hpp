#pragma once
#include "dense/check/entry_sizes.hpp"
#include "dist/grid/distributed_matrix.hpp"

#include <functional>

namespace overlapack::dense {

/// Size of a pivot relative to A: |u_kk| / min(largest entry of its row of A, largest entry of its column of A).
struct PivotShare {
  double share = 0;
  Index row = -1, col = -1;  ///< where the pivot stood in A
};

/// The smallest of all ranks' shares; NaN counts as the smallest. Collective.
PivotShare smallest_over_ranks(comm::Rank& rank, PivotShare mine);

/// The smallest pivot share over all pivots. If it is near rounding level, A may be singular, however its rows and columns are scaled.
/// sizes: of A before the factorisation
/// Sync    collective over the team; the result is on every rank
template <class T>
PivotShare smallest_pivot_share(comm::Rank& rank, const EntrySizes& sizes,
                                const dist::DistributedMatrix<T>& LU, std::span<const Index> pivots);

/// Skeel's condition number || |C A^{-1}| |A C^{-1}| ||_oo with C = diag(largest entry of each column), estimated from below: how much a
/// relative change of single entries of A may change x. It does not depend on the scaling of the rows.
/// stored: none or trans; stored(A) is the matrix that was factorised. solve(op, x): x <- op(stored(A))^{-1} x on every rank
/// Sync    collective over the team; the result is on every rank
/// Cost    a pass over A and 4 to 11 solves
/// Source  Skeel 1979; Higham 2002, section 7.2
template <class T>
double scaled_condition(comm::Rank& rank, const dist::DistributedMatrix<T>& A, kernels::Op stored,
                        const EntrySizes& sizes, const std::function<void(kernels::Op, std::span<T>)>& solve);

}  // namespace overlapack::dense
