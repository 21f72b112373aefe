#include "dense/lu/solve/solve.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "dense/lu/solve/triangular_sweep.hpp"
#include "dense/message_kinds.hpp"
#include "dist/moves/messages/message_moves.hpp"
#include "kernels/product/blas_threads.hpp"
#include "kernels/update/swap.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::dense {
namespace {

using kernels::Op;

/// X <- P X, or P^T X: the exchanges of lu_factor in order, or in reverse.
template <class T>
void exchange_rows(std::span<const Index> pivots, bool backwards, MatrixView<T> X) {
  const auto count = static_cast<Index>(pivots.size());
  for (Index k = 0; k < count; ++k) {
    const Index i = backwards ? count - 1 - k : k;
    kernels::swap_rows<T>(X, i, pivots[static_cast<std::size_t>(i)]);
  }
}

/// X <- op(A)^{-1} X, X on every process:  A = P^T L U.
template <class T>
void solve_replicated_lu(dist::Moves<T>& moves, Op op, const dist::DistributedMatrix<T>& A,
                         std::span<const Index> pivots, MatrixView<T> X) {
  const Index n = A.m();
  if (op == Op::none) {
    exchange_rows(pivots, false, X);
    triangular_sweep<T>(moves, {A, n, Triangle::unit_lower, op}, X, SolveMove::lower_sweep);
    triangular_sweep<T>(moves, {A, n, Triangle::upper, op}, X, SolveMove::upper_sweep);
  } else {
    triangular_sweep<T>(moves, {A, n, Triangle::upper, op}, X, SolveMove::upper_sweep);
    triangular_sweep<T>(moves, {A, n, Triangle::unit_lower, op}, X, SolveMove::lower_sweep);
    exchange_rows(pivots, true, X);
  }
}

SolvePlan solve_plan(const LuPlan& plan, Index block) {
  return {plan.rhs_block, plan.inbox, plan.discipline, plan.world, block};
}

}  // namespace

template <class T>
void lu_solve(comm::Rank& rank, Op op, const dist::DistributedMatrix<T>& A, std::span<const Index> pivots,
              const dist::DistributedMatrix<T>& B, const LuPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  if (A.m() != A.n() || B.m() != A.n())
    throw Error(Status::bad_input, "the factors are " + std::to_string(A.m()) + " x " +
                                       std::to_string(A.n()) + " and the right-hand side has " +
                                       std::to_string(B.m()) +
                                       " rows; give a square matrix and as many rows");
  solve_by_columns<T>(
      rank, B, solve_plan(plan, std::min(A.cols.block, A.n())),
      [&](dist::Moves<T>& moves, MatrixView<T> X) { solve_replicated_lu(moves, op, A, pivots, X); });
}

template <class T>
void lu_solve(comm::Rank& rank, Op op, const dist::DistributedMatrix<T>& A, std::span<const Index> pivots,
              MatrixView<T> X, const LuPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  solve_by_columns<T>(
      rank, *A.grid, X, solve_plan(plan, std::min(A.cols.block, A.n())),
      [&](dist::Moves<T>& moves, MatrixView<T> part) { solve_replicated_lu(moves, op, A, pivots, part); });
}

template <class T>
std::vector<T> back_substitute(comm::Rank& rank, const dist::DistributedMatrix<T>& A, const LuPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  std::vector<T> X;
  if (A.grid->holds(rank.rank())) {
    comm::Exchange exchange(rank, comm::Lane::bulk, plan.inbox);
    dist::MessageMoves<T> moves(exchange, messages_of_solves);
    X = replicated(moves, A, {A.m()}, {A.n()}, {SolveMove::gather});
    triangular_sweep<T>(moves, {A, A.m(), Triangle::upper, Op::none}, {X.data(), A.m(), A.n() - A.m(), A.m()},
                        SolveMove::upper_sweep);
    exchange.close();
  }
  comm::collective::barrier(rank);
  return X;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                    \
  template void lu_solve(comm::Rank&, Op, const dist::DistributedMatrix<T>&, std::span<const Index>, \
                         const dist::DistributedMatrix<T>&, const LuPlan&);                          \
  template void lu_solve(comm::Rank&, Op, const dist::DistributedMatrix<T>&, std::span<const Index>, \
                         MatrixView<T>, const LuPlan&);                                              \
  template std::vector<T> back_substitute(comm::Rank&, const dist::DistributedMatrix<T>&, const LuPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
