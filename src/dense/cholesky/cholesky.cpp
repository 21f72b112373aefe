#include "dense/cholesky/cholesky.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "dense/by_puts.hpp"
#include "dense/cholesky/transposed_part.hpp"
#include "dense/lu/solve/triangular_sweep.hpp"
#include "dense/message_kinds.hpp"
#include "dense/superstep_cost.hpp"
#include "dense/tiled_product.hpp"
#include "dist/moves/messages/message_moves.hpp"
#include "dist/moves/room.hpp"
#include "dist/moves/superstep/bsp2d_moves.hpp"
#include "dist/moves/superstep/superstep_moves.hpp"
#include "kernels/pivoting/cholesky_panel.hpp"
#include "kernels/product/blas_threads.hpp"
#include "kernels/product/triangular.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace overlapack::dense {
namespace {

using comm::collective::Broadcast;
using kernels::Op;

/// A message that holds `failed` (the 1-based column whose pivot is not positive, or 0), then M column by column.
template <class T>
comm::Body packed_factor(Index failed, MatrixView<const T> M) {
  std::vector<std::byte> bytes(sizeof(Index) + static_cast<std::size_t>(M.rows * M.cols) * sizeof(T));
  std::memcpy(bytes.data(), &failed, sizeof(Index));
  T* to = reinterpret_cast<T*>(bytes.data() + sizeof(Index));
  for (Index j = 0; j < M.cols; ++j) to = std::copy_n(M.column(j), M.rows, to);
  return comm::Body::adopt(std::move(bytes));
}
Index failed_in(const comm::Body& body) { return body.as<Index>()[0]; }
template <class T>
MatrixView<const T> matrix_in(const comm::Body& body, Index rows, Index cols) {
  return {reinterpret_cast<const T*>(body.data() + sizeof(Index)), rows, cols, std::max<Index>(rows, 1)};
}

/// Right-looking Cholesky by panels, in the order of look_ahead.hpp with depth 1. In lockstep (supersteps), a panel's first superstep
/// travels while the trailing matrix is updated.
template <class T>
class Cholesky {
 public:
  Cholesky(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, const CholeskyPlan& plan)
      : moves_(moves),
        A_(A),
        plan_(plan),
        tile_(is_product_tiled(moves.rank(), A.grid->size()) ? plan.tile : 0),
        row_(A.grid->row_group(A.me)),
        column_(A.grid->column_group(A.me)) {}

  FactorResult run() {
    const Index panels = A_.cols.blocks();
    if (panels == 0) return {};
    factor_panel(0);
    for (Index k = 0; k < panels; ++k) {
      const comm::Body body = panel_->finish();
      result_.info = failed_in(body);
      if (result_.info != 0) break;
      const MatrixView<const T> L =
          matrix_in<T>(body, rows_behind(k), end_of(k) - first_of(k));  // my rows of L21
      const std::vector<T> W = transposed_side(k, L);  // the rows of L21 with the numbers of my columns
      if (k + 1 < panels) {
        update(k, k + 1, L, W);  // A(k+1:n, k+1) -= L21 L(k+1, k)^H
        factor_panel(k + 1);
        ++result_.panels_ahead;
      }
      for (Index j = k + 2; j < panels; ++j) update(k, j, L, W);
    }
    return result_;
  }

 private:
  Index first_of(Index k) const { return k * A_.cols.block; }
  Index end_of(Index k) const { return std::min(first_of(k + 1), A_.n()); }
  Index rows_behind(Index k) const { return A_.local.rows - A_.first_row({end_of(k)}); }

  /// A(k, k) = L11 L11^H, L21 = A(k+1:n, k) L11^{-H}; then start the broadcast of L21 along the process rows.
  void factor_panel(Index k) {
    const double left = 1 - static_cast<double>(k) / static_cast<double>(A_.cols.blocks());
    if (plan_.on_progress) plan_.on_progress(1 - left * left * left);
    ++result_.panels;
    const dist::Global f{first_of(k)}, e{end_of(k)};
    const Index width = e.value - f.value;
    comm::Body body;
    if (A_.owns_col(f)) {
      const comm::Body diagonal = diagonal_block(k);
      const MatrixView<const T> L11 = matrix_in<T>(diagonal, width, width);
      const MatrixView<T> below = A_.part(e, {A_.m()}, f, e);
      const auto cost = kernels::triangular_cost<T>(width, below.rows);
      moves_.rank().compute({"trsm", cost.flops, cost.bytes, below.rows, width, width},
                            [&] { kernels::solve_right_lower_trans<T>(L11, false, true, below); });
      body = packed_factor<T>(failed_in(diagonal), below);
    } else {
      moves_.take_part_in_syncs(dist::Moves<T>::Verb::broadcast, column_);
    }
    panel_ = moves_.start_broadcast(
        row_, A_.cols.owner(f), {CholeskyMove::panel, k},
        sizeof(Index) + static_cast<std::size_t>(rows_behind(k) * width) * sizeof(T), std::move(body));
  }

  /// Factorise A(k, k) on its owner and broadcast L11 down its process column.
  comm::Body diagonal_block(Index k) {
    const dist::Global f{first_of(k)}, e{end_of(k)};
    comm::Body body;
    if (A_.owns_row(f)) {
      const MatrixView<T> D = A_.part(f, e, f, e);
      Index done = D.cols;  // for phantom ranks, which do not run the kernel
      const auto cost = kernels::cholesky_panel_cost<T>(D.rows, D.cols);
      moves_.rank().compute({"panel", cost.flops, cost.bytes, D.rows, D.cols, D.cols},
                            [&] { done = kernels::cholesky_panel<T>(D); });
      body = packed_factor<T>(done < D.cols ? f.value + done + 1 : 0, D);
    }
    const Index width = e.value - f.value;
    return moves_
        .start_broadcast(column_, A_.rows.owner(f), {CholeskyMove::diagonal, k},
                         sizeof(Index) + static_cast<std::size_t>(width * width) * sizeof(T), std::move(body))
        ->finish();
  }

  /// Call block(j, i, rows) for each block j > k such that process `position` of my process column owns block row j and I own block
  /// column j. i: offset of block column j among my columns behind panel k; rows: rows of block row j.
  template <class F>
  void for_blocks(Index k, int position, F&& block) const {
    Index i = 0;
    for (Index j = k + 1; j < A_.cols.blocks(); ++j) {
      if (!A_.owns_col({first_of(j)})) continue;
      const Index rows = end_of(j) - first_of(j);
      if (A_.rows.owner({first_of(j)}) == position) block(j, i, rows);
      i += rows;
    }
  }

  /// The rows of L21 with the numbers of my columns behind panel k, each received from its owner in my process column. On a square grid
  /// one process owns all of them.
  std::vector<T> transposed_side(Index k, MatrixView<const T> L) {
    const Index mine = A_.local.cols - A_.first_col({end_of(k)});
    std::vector<T> W(static_cast<std::size_t>(mine * L.cols));
    std::vector<std::size_t> bytes(static_cast<std::size_t>(column_.size()));
    for (int position = 0; position < column_.size(); ++position)
      for_blocks(k, position, [&](Index, Index, Index rows) {
        bytes[static_cast<std::size_t>(position)] += static_cast<std::size_t>(rows * L.cols) * sizeof(T);
      });
    const std::vector<comm::Body> parts =
        moves_.all_gather(column_, {CholeskyMove::transpose, k}, bytes, my_part(k, L));
    for (int position = 0; position < column_.size(); ++position) {
      const T* from = parts[static_cast<std::size_t>(position)].template as<T>().data();
      for_blocks(k, position, [&](Index, Index i, Index rows) {
        for (Index c = 0; c < L.cols; ++c, from += rows) std::copy_n(from, rows, W.data() + i + c * mine);
      });
    }
    return W;
  }

  comm::Body my_part(Index k, MatrixView<const T> L) const {
    std::vector<T> values;
    for_blocks(k, column_.me, [&](Index j, Index, Index count) {
      const Index i = A_.first_row({first_of(j)}) - A_.first_row({end_of(k)});
      for (Index c = 0; c < L.cols; ++c)
        values.insert(values.end(), L.column(c) + i, L.column(c) + i + count);
    });
    return comm::Body::adopt(std::move(values));
  }

  /// A(j:n, j) -= L(j:n, k) L(j, k)^H
  void update(Index k, Index j, MatrixView<const T> L, const std::vector<T>& W) {
    const dist::Global f{first_of(j)}, e{end_of(j)};
    if (!A_.owns_col(f)) return;
    const Index mine = A_.local.cols - A_.first_col({end_of(k)}), behind = A_.first_col({end_of(k)});
    const MatrixView<const T> Lj{W.data() + A_.first_col(f) - behind, e.value - f.value, L.cols, mine};
    const MatrixView<T> C = A_.part(f, {A_.m()}, f, e);
    add_product<T>(moves_.rank(), tile_, Op::conj_trans, T(-1), L.block(L.rows - C.rows, 0, C.rows, L.cols),
                   Lj, C);
  }

  dist::Moves<T>& moves_;
  const dist::DistributedMatrix<T>& A_;
  const CholeskyPlan& plan_;
  Index tile_;  ///< order of the tiles of updates; 0: updates are not cut
  comm::collective::Group row_, column_;
  std::unique_ptr<Broadcast> panel_;
  FactorResult result_;
};

/// X <- L^{-H} L^{-1} X, or U^{-1} U^{-H} X; X on every process.
template <class T>
void solve_replicated_cholesky(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, bool is_upper,
                               MatrixView<T> X) {
  const Triangle stored = is_upper ? Triangle::upper : Triangle::lower;
  const Op first = is_upper ? Op::conj_trans : Op::none, second = is_upper ? Op::none : Op::conj_trans;
  triangular_sweep<T>(moves, {A, A.n(), stored, first}, X, CholeskyMove::forward_sweep);
  triangular_sweep<T>(moves, {A, A.n(), stored, second}, X, CholeskyMove::backward_sweep);
}

template <class T>
FactorResult cholesky_by_messages(comm::Rank& rank, const dist::DistributedMatrix<T>& A,
                                  const CholeskyPlan& plan) {
  comm::Exchange exchange(rank, comm::Lane::bulk, plan.inbox);
  dist::MessageMoves<T> moves(exchange, plan.messages);
  FactorResult result = Cholesky<T>(moves, A, plan).run();
  result.overlapped_messages = exchange.overlapped_messages();
  exchange.close();
  return result;
}

/// Source  paper 4, section 4
template <class T>
FactorResult cholesky_by_supersteps(comm::Rank& rank, const dist::DistributedMatrix<T>& A,
                                    const CholeskyPlan& plan) {
  comm::superstep::World world(rank, plan.world, dist::world_ranks(*A.grid));
  dist::Bsp2d bsp(world, *A.grid);
  dist::Bsp2dMoves<T> moves(bsp);
  FactorResult result = Cholesky<T>(moves, A, plan).run();
  world.end();
  write_cost(world, result);
  result.scopes_of_one = bsp.counters().scopes_of_one;
  result.scopes_of_two = bsp.counters().scopes_of_two;
  result.scopes_of_more = bsp.counters().scopes_of_more;
  return result;
}

/// Source  paper 3, section 2, whose operations are those of LU
template <class T>
FactorResult cholesky_by_puts(comm::Rank& rank, const dist::DistributedMatrix<T>& A,
                              const CholeskyPlan& plan) {
  const std::size_t body = dist::room_for(A, A.cols.block).body;
  return run_with_puts<T>(rank, *A.grid, {.row = {.body = body}, .column = {.body = body}},
                          [&](dist::Moves<T>& moves) { return Cholesky<T>(moves, A, plan).run(); });
}

template <class T>
FactorResult lower_factor(comm::Rank& rank, const dist::DistributedMatrix<T>& A, const CholeskyPlan& plan) {
  if (plan.discipline == Discipline::onesided) return cholesky_by_puts(rank, A, plan);
  if (!A.grid->holds(rank.rank())) return {};
  return plan.discipline == Discipline::superstep ? cholesky_by_supersteps(rank, A, plan)
                                                  : cholesky_by_messages(rank, A, plan);
}

/// U from the lower factor of the transpose: the upper triangle of A is the lower triangle of A^T = M M^H, and U = M^T.
template <class T>
FactorResult upper_factor(comm::Rank& rank, const dist::DistributedMatrix<T>& A, const CholeskyPlan& plan) {
  if (!A.grid->holds(rank.rank())) return lower_factor(rank, A, plan);
  const TransposedPart<T> transposed(rank, A);
  const FactorResult result = lower_factor(rank, transposed.view(), plan);
  transposed.store_upper();
  return result;
}

SolvePlan sweep_plan(const CholeskyPlan& plan, Index block) {
  return {plan.rhs_block, plan.inbox, plan.discipline, plan.world, block};
}

}  // namespace

template <class T>
FactorResult cholesky_factor(comm::Rank& rank, const dist::DistributedMatrix<T>& A,
                             const CholeskyPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  if (A.m() != A.n() || A.rows.block != A.cols.block)
    throw Error(Status::bad_input, "the matrix is " + std::to_string(A.m()) + " x " + std::to_string(A.n()) +
                                       " in blocks of " + std::to_string(A.rows.block) + " x " +
                                       std::to_string(A.cols.block) + "; give a square one in square blocks");
  const FactorResult result = plan.is_upper ? upper_factor(rank, A, plan) : lower_factor(rank, A, plan);
  comm::collective::barrier(rank);
  return result;
}

template <class T>
void cholesky_solve(comm::Rank& rank, const dist::DistributedMatrix<T>& A,
                    const dist::DistributedMatrix<T>& B, const CholeskyPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  if (B.m() != A.n())
    throw Error(Status::bad_input, "the right-hand side has " + std::to_string(B.m()) + " rows, the matrix " +
                                       std::to_string(A.n()));
  solve_by_columns<T>(
      rank, B, sweep_plan(plan, std::min(A.cols.block, A.n())),
      [&](dist::Moves<T>& moves, MatrixView<T> X) { solve_replicated_cholesky(moves, A, plan.is_upper, X); });
}

template <class T>
void cholesky_solve(comm::Rank& rank, const dist::DistributedMatrix<T>& A, MatrixView<T> X,
                    const CholeskyPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  solve_by_columns<T>(rank, *A.grid, X, sweep_plan(plan, std::min(A.cols.block, A.n())),
                      [&](dist::Moves<T>& moves, MatrixView<T> part) {
                        solve_replicated_cholesky(moves, A, plan.is_upper, part);
                      });
}

#define OVERLAPACK_INSTANTIATE(T)                                                             \
  template FactorResult cholesky_factor(comm::Rank&, const dist::DistributedMatrix<T>&,       \
                                        const CholeskyPlan&);                                 \
  template void cholesky_solve(comm::Rank&, const dist::DistributedMatrix<T>&,                \
                               const dist::DistributedMatrix<T>&, const CholeskyPlan&);       \
  template void cholesky_solve(comm::Rank&, const dist::DistributedMatrix<T>&, MatrixView<T>, \
                               const CholeskyPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
