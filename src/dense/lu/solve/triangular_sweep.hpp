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

/// Messages of solves are short: broadcast down binary trees.
inline constexpr dist::MessagePlan messages_of_solves{.broadcast =
                                                          comm::collective::BroadcastKind::binary_tree};

/// Decisions of a solve.
struct SolvePlan {
  Index columns = 64;  ///< right-hand sides solved together
  comm::InboxOptions inbox{.posted = 8};
  Discipline discipline = Discipline::messages;  ///< superstep: on BSP2D; onesided: direct broadcasts
  comm::superstep::WorldPlan world = {};
  Index block = 0;  ///< of the triangles, where onesided has to know how much is sent at once
};

enum class Triangle : std::uint8_t { unit_lower, lower, upper, unit_upper };

/// op of a triangle of A(0:n, 0:n).
template <class T>
struct TriangleOf {
  const dist::DistributedMatrix<T>& A;
  Index n;
  Triangle triangle;
  kernels::Op op = kernels::Op::none;
};

/// X <- op(triangle of A)^{-1} X for an X replicated on every process of the grid. Only vectors are sent: the owner
/// of A(k, k) solves block k from partial sums of its process row (op none) or column, and broadcasts it to all.
/// Shapes  X: n x nrhs; move: the sweep's own
/// Sync    collective over the grid
/// Cost    n^2 nrhs flops; a block: log2 Q + log2 (P Q) messages of b nrhs words, one after the other; in supersteps 1 for the
///         sum, none on one process column, and 2, 1, 0 to broadcast to more than 2, 2, 1 processes
template <class T>
void triangular_sweep(dist::Moves<T>& moves, const TriangleOf<T>& of, MatrixView<T> X, comm::Kind move);

/// Columns [c0, c1) of A, all of their rows, on every process of the grid.
/// Cost    a broadcast of each process's part, at once
template <class T>
std::vector<T> replicated(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, dist::Global c0,
                          dist::Global c1, const comm::Key& key);

/// B <- solve(B) for a `solve` that needs its columns on every process: replicated plan.columns at a time.
/// Sync    collective over the team; ranks outside of the grid only take part in the barriers, and onesided in the window
template <class T>
void solve_by_columns(comm::Rank& rank, const dist::DistributedMatrix<T>& B, const SolvePlan& plan,
                      const std::function<void(dist::Moves<T>&, MatrixView<T>)>& solve);

/// The same for an X replicated on every process of the grid.
template <class T>
void solve_by_columns(comm::Rank& rank, const dist::ProcessGrid& grid, MatrixView<T> X, const SolvePlan& plan,
                      const std::function<void(dist::Moves<T>&, MatrixView<T>)>& solve);

}  // namespace overlapack::dense
