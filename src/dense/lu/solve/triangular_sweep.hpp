#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/superstep/world_plan.hpp"
#include "dist/moves/messages/message_plan.hpp"
#include "dist/moves/moves.hpp"
#include "kernels/product/gemm.hpp"
#include "overlapack/choices.hpp"

#include <functional>
#include <vector>

namespace overlapack::dense {

/// The messages of solves are short, so that binary trees are the fastest broadcasts.
inline constexpr dist::MessagePlan messages_of_solves{.broadcast =
                                                          comm::collective::BroadcastKind::binary_tree};

/// Decisions of a solve.
struct SolvePlan {
  Index columns = 64;  ///< right-hand sides solved together
  comm::InboxOptions inbox{.posted = 8};
  Discipline discipline = Discipline::messages;  ///< superstep: on BSP2D; onesided: direct broadcasts
  comm::superstep::WorldPlan world = {};
  /// onesided: order of the blocks of the triangles, from which the window's size follows
  Index block = 0;
};

enum class Triangle : std::uint8_t { unit_lower, lower, upper, unit_upper };

/// The matrix of a triangular solve: op of a triangle of A(0:n, 0:n).
template <class T>
struct TriangleOf {
  const dist::DistributedMatrix<T>& A;
  Index n;
  Triangle triangle;
  kernels::Op op = kernels::Op::none;
};

/// X <- op(triangle of A)^{-1} X for an X replicated on every process of the grid. Only blocks of X are sent: the owner of A(k, k) solves
/// block k from the partial sums of its process row (op none) or column, and broadcasts it to all.
/// Shapes  X: n x nrhs; move: the kind of this sweep's messages
/// Sync    collective over the grid
/// Cost    n^2 nrhs flops; each block costs log2 Q + log2 (P Q) messages of b nrhs words, one after the other. In supersteps it
///         costs 1 for the sum (0 on one process column), and 2, 1 or 0 for the broadcast to more than 2, 2 or 1 processes
template <class T>
void triangular_sweep(dist::Moves<T>& moves, const TriangleOf<T>& of, MatrixView<T> X, comm::Kind move);

/// All rows of the columns [c0, c1) of A, on every process of the grid.
/// Cost    an all-gather of the processes' parts
template <class T>
std::vector<T> replicated(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, dist::Global c0,
                          dist::Global c1, const comm::Key& key);

/// B <- solve(B), for a `solve` that needs its right-hand sides on every process: plan.columns columns at a time are replicated and
/// solved.
/// Sync    collective over the team; ranks outside of the grid only take part in the barriers, and onesided in the window
template <class T>
void solve_by_columns(comm::Rank& rank, const dist::DistributedMatrix<T>& B, const SolvePlan& plan,
                      const std::function<void(dist::Moves<T>&, MatrixView<T>)>& solve);

/// X <- solve(X), plan.columns columns at a time, for an X that is replicated on every process of the grid already.
template <class T>
void solve_by_columns(comm::Rank& rank, const dist::ProcessGrid& grid, MatrixView<T> X, const SolvePlan& plan,
                      const std::function<void(dist::Moves<T>&, MatrixView<T>)>& solve);

}  // namespace overlapack::dense
