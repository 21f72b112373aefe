#pragma once
#include "dense/factor_result.hpp"
#include "dense/lu/plan/plan.hpp"

#include <span>

namespace overlapack::dense {

/// Checks the parts of a plan against each other, without a matrix.
/// Errors  BadPlan if discipline, schedule, depth, pivot search and interchange do not fit together
void require_built(const LuPlan& plan);

/// P A = L U with partial pivoting, L unit lower triangular; both overwrite A. The driver of all dense LU: it chooses the moves of the
/// discipline and runs the schedule of the plan on them.
/// Shapes  A: m x n, square blocks; pivots: min(m, n) global row numbers from 0, the same on every rank: row i was exchanged
///         with row pivots[i]. A phantom rank needs no room for them, and A's memory may be null
/// Sync    collective over the team; ranks outside of A's grid only take part in its barrier
/// Errors  BadPlan when the grid does not fit the schedule (parity without node mates, hybrid without helpers); none for
///         singular A: see info
/// Source  paper 2; ScaLAPACK's pdgetrf for the meaning of the result
template <class T>
FactorResult lu_factor(comm::Rank& rank, const dist::DistributedMatrix<T>& A, std::span<Index> pivots,
                       const LuPlan& plan);

}  // namespace overlapack::dense
