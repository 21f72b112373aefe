#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/superstep/world_plan.hpp"
#include "dense/factor_result.hpp"
#include "dist/moves/messages/message_plan.hpp"
#include "overlapack/choices.hpp"

#include <functional>

namespace overlapack::dense {

/// Decisions of a distributed Cholesky factorisation.
struct CholeskyPlan {
  Discipline discipline = Discipline::messages;
  dist::MessagePlan messages = {};
  comm::superstep::WorldPlan world = {};
  /// Factorise A = U^H U with U in the upper triangle of A. The factorisation needs memory for another local part of A.
  bool is_upper = false;
  Index tile = 512;      ///< as LuPlan::tile
  Index rhs_block = 64;  ///< right-hand sides solved together
  comm::InboxOptions inbox{.posted = 8};
  /// As LuPlan::on_progress.
  std::function<void(double share)> on_progress = {};
};

/// A = L L^H, L in the lower triangle of A; entries above the diagonal are ignored, and overwritten in diagonal blocks.
/// plan.is_upper: A = U^H U, U in the upper triangle of A; entries below the diagonal are ignored and stay.
/// Look-ahead of depth 1: the next panel is factorised and sent before the trailing matrix is updated.
/// Shapes  A: n x n, square blocks
/// Sync    collective over the team; ranks outside of the grid only take part in its barrier, and onesided in its window
/// Cost    n^3 / 3 flops; a panel travels along its process rows, and each of its blocks down the process column that
///         needs its transpose. By supersteps (BSP2D) a panel takes 2 for its diagonal block (1 on two process rows, 0 on
///         one), 2 for the panel itself (1 on two process columns, 0 on one) and 1 for the transposes (0 on one process row).
///         By one-sided moves these are direct broadcasts, those of the transposes one after the other
/// Source  right-looking block Cholesky: ScaLAPACK's pdpotrf
template <class T>
FactorResult cholesky_factor(comm::Rank& rank, const dist::DistributedMatrix<T>& A, const CholeskyPlan& plan);

/// B <- A^{-1} B with the factors that cholesky_factor stored in A. As lu_solve.
template <class T>
void cholesky_solve(comm::Rank& rank, const dist::DistributedMatrix<T>& A,
                    const dist::DistributedMatrix<T>& B, const CholeskyPlan& plan);

/// X <- A^{-1} X for an X replicated on every process of the grid; X is ignored on ranks outside of it.
/// Shapes  X: n x nrhs
template <class T>
void cholesky_solve(comm::Rank& rank, const dist::DistributedMatrix<T>& A, MatrixView<T> X,
                    const CholeskyPlan& plan);

}  // namespace overlapack::dense
