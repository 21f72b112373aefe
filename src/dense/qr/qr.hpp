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
  Index smallest = 8;    ///< columns that a panel reflects one by one
  Index tile = 512;      ///< columns are cut so that about tile^2 entries are reflected between polls
  Index tiles = 4;       ///< tiles per strip, whose sums over the process column are one message
  Index rhs_block = 64;  ///< right-hand sides solved together
  comm::InboxOptions inbox{.posted = 8};
  /// As LuPlan::on_progress.
  std::function<void(double share)> on_progress = {};
};

/// A = Q R as qr_factor stores it: R in the upper triangle of VR, V below the diagonal; S of panel k in the columns of
/// panel k, the same on every rank. (LAPACK's xGEQRT.)
template <class T>
struct QrFactors {
  const dist::DistributedMatrix<T>& VR;
  MatrixView<T> S;  ///< block x min(m, n)
};

/// A = Q R by Householder's reflections, Q = H_0 H_1 ... the product of the panels', R upper triangular (trapezoidal if
/// m < n).
/// Shapes  A: m x n, square blocks; S's memory may be null on a phantom rank
/// Sync    collective over the team; ranks outside of A's grid only take part in its barrier, and onesided in its window
/// Cost    2 n^2 (m - n / 3) flops for m >= n; a panel travels along its process row, the products with it are summed over
///         process columns
/// Errors  BadPlan for blocks that are not square and for what the discipline has not, BadInput where S has another shape; none for dependent columns: R has
///         small or zero entries on its diagonal
/// Source  LAPACK's xGEQRF; ScaLAPACK's pxGEQRF for the distribution
template <class T>
FactorResult qr_factor(comm::Rank& rank, const QrFactors<T>& factors, const QrPlan& plan);

/// C <- op(Q) C.
/// Shapes  C: m x any on VR's grid, row blocks and row source as VR's; op: none or conj_trans
/// Sync    collective over the team
/// Cost    4 m n columns flops about
template <class T>
void qr_multiply(comm::Rank& rank, kernels::Op op, const QrFactors<T>& factors,
                 const dist::DistributedMatrix<T>& C, const QrPlan& plan);

/// The X that makes ||B - A X||_F least, A of full rank: B <- Q^H B, X = R^{-1} B(0:n) in B's first n rows. The columns of the
/// rest of B have the norms of those of B - A X.
/// Shapes  B: m x nrhs as C of qr_multiply, m >= n
/// Sync    collective over the team
template <class T>
void qr_least_squares(comm::Rank& rank, const QrFactors<T>& factors, const dist::DistributedMatrix<T>& B,
                      const QrPlan& plan);

/// How near the columns of A are to being dependent, whatever their scaling: the least |r_jj| / column_size[j], the largest entry
/// of column j of A; and || |C R^{-1}| ||_1 with C = diag(column_size), estimated from below.
/// Shapes  column_size: n, the same on every rank
/// Sync    collective over the team; the results are on every rank
template <class T>
double smallest_diagonal_share(comm::Rank& rank, const QrFactors<T>& factors,
                               std::span<const double> column_size);
template <class T>
double estimate_scaled_inverse_norm(comm::Rank& rank, const QrFactors<T>& factors,
                                    std::span<const double> column_size, const QrPlan& plan);

}  // namespace overlapack::dense
