#pragma once
#include "comm/mailbox/inbox.hpp"
#include "dense/factor_result.hpp"
#include "dist/grid/distributed_matrix.hpp"
#include "dist/moves/messages/message_plan.hpp"
#include "kernels/product/gemm.hpp"
#include "overlapack/choices.hpp"

#include <functional>

namespace overlapack::dense {

/// Decisions of a distributed QR factorisation.
struct QrPlan {
  Discipline discipline = Discipline::messages;  ///< messages or onesided
  dist::MessagePlan messages = {};
  int depth = 1;         ///< panels factorised ahead; onesided: at most 1
  Index smallest = 8;    ///< a panel reflects at most this many columns one by one, and recurses above
  Index tile = 512;      ///< columns are cut so that about tile^2 entries are reflected between polls
  Index tiles = 4;       ///< tiles of a strip; the sum of a strip over the process column is one message
  Index rhs_block = 64;  ///< right-hand sides solved together
  comm::InboxOptions inbox{.posted = 8};
  /// As LuPlan::on_progress.
  std::function<void(double share)> on_progress = {};
};

/// A = Q R as qr_factor stores it, in the form of LAPACK's xGEQRT: R is in the upper triangle of VR, V below the diagonal. The
/// columns of panel k of S hold the S of panel k; S is the same on every rank.
template <class T>
struct QrFactors {
  const dist::DistributedMatrix<T>& VR;
  MatrixView<T> S;  ///< block x min(m, n)
};

/// A = Q R by Householder reflections: Q = H_0 H_1 ... is the product of the panels' block reflectors, R is upper triangular (trapezoidal
/// if m < n).
/// Shapes  A: m x n, square blocks; S's memory may be null on a phantom rank
/// Sync    collective over the team; ranks outside of A's grid only take part in its barrier, and onesided in its window
/// Cost    2 n^2 (m - n / 3) flops for m >= n; a panel travels along the process rows, and products with it are summed over
///         the process columns
/// Errors  BadPlan for blocks that are not square, and for a discipline or a depth that QR does not support; BadInput if S has
///         another shape. Dependent columns are no error: R has small or zero entries on its diagonal
/// Source  LAPACK's xGEQRF; ScaLAPACK's pxGEQRF for the distribution
template <class T>
FactorResult qr_factor(comm::Rank& rank, const QrFactors<T>& factors, const QrPlan& plan);

/// C <- op(Q) C.
/// Shapes  C: m x any on VR's grid, row blocks and row source as VR's; op: none or conj_trans
/// Sync    collective over the team
/// Cost    about 4 m n c flops for c columns of C
template <class T>
void qr_multiply(comm::Rank& rank, kernels::Op op, const QrFactors<T>& factors,
                 const dist::DistributedMatrix<T>& C, const QrPlan& plan);

/// Least squares: the X that minimises ||B - A X||_F, for an A of full rank. B <- Q^H B, then X = R^{-1} B(0:n) overwrites the first n
/// rows of B. The columns of the other rows of B have the same norms as those of B - A X.
/// Shapes  B: m x nrhs as C of qr_multiply, m >= n
/// Sync    collective over the team
template <class T>
void qr_least_squares(comm::Rank& rank, const QrFactors<T>& factors, const dist::DistributedMatrix<T>& B,
                      const QrPlan& plan);

/// Two measures of how near the columns of A are to dependence, whatever their scaling. smallest_diagonal_share: the least
/// |r_jj| / column_size[j]. estimate_scaled_inverse_norm: ||C R^{-1}||_1 with C = diag(column_size), estimated from below.
/// Shapes  column_size: n, the largest entry of each column of A, the same on every rank
/// Sync    collective over the team; the results are on every rank
template <class T>
double smallest_diagonal_share(comm::Rank& rank, const QrFactors<T>& factors,
                               std::span<const double> column_size);
template <class T>
double estimate_scaled_inverse_norm(comm::Rank& rank, const QrFactors<T>& factors,
                                    std::span<const double> column_size, const QrPlan& plan);

}  // namespace overlapack::dense
