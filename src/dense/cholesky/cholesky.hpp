#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dense {

/// Decisions of a distributed Cholesky factorisation.
struct CholeskyPlan {
  comm::collective::BroadcastKind broadcast = comm::collective::BroadcastKind::modified_ring;
  Index tile = 512;      ///< as LuPlan::tile
  Index rhs_block = 64;  ///< right-hand sides solved together
  comm::InboxOptions inbox{.posted = 8};
};

/// A = L L^H, L in the lower triangle of A; what is above the diagonal is neither read nor kept (inside diagonal blocks).
/// Look-ahead of depth 1: the next panel is made and sent before the trailing matrix is updated.
/// Returns 0, or the 1-based order of the first leading minor that is not positive definite (LAPACK's info), on every rank
/// of the grid.
/// Shapes  A: n x n, square blocks
/// Sync    collective over the team; ranks outside of the grid only take part in its barrier
/// Cost    n^3 / 3 flops; a panel travels along its process rows, and each of its blocks down the process column that
///         needs its transpose
/// Source  right-looking block Cholesky: ScaLAPACK's pdpotrf
template <class T>
Index cholesky_factor(comm::Rank& rank, const dist::DistributedMatrix<T>& A, const CholeskyPlan& plan);

/// X <- A^{-1} B in B's place, A as cholesky_factor left it. As lu_solve.
template <class T>
void cholesky_solve(comm::Rank& rank, const dist::DistributedMatrix<T>& A, const dist::DistributedMatrix<T>& B,
                    const CholeskyPlan& plan);

}  // namespace overlapack::dense
