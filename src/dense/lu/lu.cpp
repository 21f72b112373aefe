#include "dense/lu/lu.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "comm/failure.hpp"
#include "comm/wrap/counted.hpp"
#include "dense/by_puts.hpp"
#include "dense/look_ahead.hpp"
#include "dense/lu/schedule/steps.hpp"
#include "dense/superstep_cost.hpp"
#include "dist/grid/nodes.hpp"
#include "dist/moves/messages/message_moves.hpp"
#include "dist/moves/onesided/onesided_moves.hpp"
#include "dist/moves/superstep/superstep_moves.hpp"
#include "kernels/product/blas_threads.hpp"
#include "kernels/product/operand.hpp"

#include <optional>
#include <string>

namespace overlapack::dense {
namespace {

/// Check that the plan allows panels of several blocks, which several process columns factorise together.
void require_wide_panels(const LuPlan& plan) {
  const bool is_built = plan.discipline == Discipline::superstep && plan.schedule == Schedule::flat &&
                        plan.pivot_search == PivotSearch::columns && plan.swap != SwapKind::shared;
  if (!is_built)
    throw Error(Status::bad_plan,
                "panels of several blocks are for the discipline superstep, schedule flat, pivot_search "
                "columns, and interchange direct or pairwise; choose these, or leave panel_width out");
}

template <class T>
void require_shape(const dist::DistributedMatrix<T>& A, std::span<Index> pivots, const LuPlan& plan,
                   bool is_phantom) {
  const auto refuse = [](Status status, const std::string& message) { throw Error(status, message); };
  if (A.rows.block != A.cols.block)
    refuse(Status::bad_plan, "the blocks are " + std::to_string(A.rows.block) + " x " +
                                 std::to_string(A.cols.block) + "; LU needs square ones");
  if (static_cast<Index>(pivots.size()) != std::min(A.m(), A.n()) && !is_phantom)
    refuse(Status::bad_input, "there is room for " + std::to_string(pivots.size()) +
                                  " pivots, but the matrix is " + std::to_string(A.m()) + " x " +
                                  std::to_string(A.n()));
  if (plan.panel_width % A.cols.block != 0)
    refuse(Status::bad_plan, "panels of " + std::to_string(plan.panel_width) +
                                 " columns are not made of whole blocks of " + std::to_string(A.cols.block) +
                                 "; choose a multiple of the block");
  if (plan.panel_width > A.cols.block) require_wide_panels(plan);
  if (plan.depth < 0 || plan.tile < 1 || !(plan.split_share >= 0 && plan.split_share <= 1))
    refuse(Status::bad_plan, "depth must be at least 0, tile at least 1, split_share between 0 and 1");
}

/// Look-ahead with one rank a node: the rank moves messages while its helper threads compute.
template <class T>
void run_hybrid(Steps<T>& steps) {
  if (!steps.rank().capabilities().slice_helpers)
    throw Error(Status::bad_plan,
                "the hybrid schedule needs helper threads that compute while the rank moves messages; give "
                "workers, or choose schedule lookahead");
  look_ahead(steps, steps.plan().depth);
}

/// Run one of the schedules that need no more than the Moves interface.
template <class T>
void run(Steps<T>& steps) {
  switch (steps.plan().schedule) {
    case Schedule::flat:
      return run_flat(steps);
    case Schedule::look_ahead:
      return look_ahead(steps, steps.plan().depth);
    case Schedule::split:
      return run_split_update(steps);
    case Schedule::hybrid:
      return run_hybrid(steps);
    case Schedule::parity:
    case Schedule::pipelined:
      // parity is called by lu_by_messages; require_discipline_for_schedule has refused the other cases
      break;
  }
}

template <class T>
FactorResult lu_by_messages(comm::Rank& rank, const dist::DistributedMatrix<T>& A, std::span<Index> pivots,
                            const LuPlan& plan, const dist::NodeLayout& nodes) {
  comm::Exchange exchange(rank, comm::Lane::bulk, plan.inbox);
  dist::MessageMoves<T> moves(exchange, plan.messages);
  Steps<T> steps(moves, A, pivots, plan);
  if (plan.schedule == Schedule::parity)
    run_parity(steps, moves, nodes);
  else
    run(steps);
  FactorResult result = steps.finish();
  result.overlapped_messages = exchange.overlapped_messages();
  exchange.close();
  return result;
}

template <class T>
FactorResult lu_by_supersteps(comm::Rank& rank, const dist::DistributedMatrix<T>& A, std::span<Index> pivots,
                              const LuPlan& plan) {
  comm::superstep::World world(rank, plan.world, dist::world_ranks(*A.grid));
  const bool looks_ahead = plan.schedule == Schedule::look_ahead;
  // a panel, with look-ahead the next one, and the block row if its owner broadcasts it
  const int bodies = 1 + (looks_ahead ? 1 : 0) + (dist::leaves_rows_with_owner(plan.swap) ? 1 : 0);
  dist::SuperstepMoves<T> moves(world, A, plan.sync == SyncKind::known, plan.swap,
                                plan.panel_columns(A.cols.block), bodies);
  Steps<T> steps(moves, A, pivots, plan);
  if (looks_ahead)
    run_look_ahead_in_supersteps(steps, moves);
  else
    run_flat(steps);
  FactorResult result = steps.finish();
  world.end();
  write_cost(world, result);
  return result;
}

/// Moves by messages that replace one-sided ones if the plan has a library_broadcast, which stands for paper 3's message-passing
/// library: the pivot search, and the broadcasts unless they are direct.
template <class T>
struct Library {
  std::optional<comm::Exchange> exchange;
  std::optional<dist::MessageMoves<T>> messages;
  dist::Moves<T>*search = nullptr, *broadcasts = nullptr;

  Library(comm::Rank& rank, const dist::ProcessGrid& grid, const LuPlan& plan) {
    if (!plan.library_broadcast || !grid.holds(rank.rank())) return;
    exchange.emplace(rank, comm::Lane::bulk, plan.inbox);
    dist::MessagePlan by_messages = plan.messages;
    by_messages.broadcast = *plan.library_broadcast;
    search = &messages.emplace(*exchange, by_messages);
    if (plan.library_broadcast != BroadcastKind::direct) broadcasts = search;
  }
};

template <class T>
FactorResult lu_by_puts(comm::Rank& engine, const dist::DistributedMatrix<T>& A, std::span<Index> pivots,
                        const LuPlan& plan) {
  comm::Counts counts;
  comm::CountedRank rank(engine, counts);
  dist::LentMatrix<T> lent(rank, A, plan.lent_memory);
  FactorResult result;
  comm::stop_all_on_failure(rank, [&] {
    Library<T> library(rank, *A.grid, plan);
    const dist::OnesidedPlan onesided{plan.row_swap, plan.is_pairwise(), plan.reads_in_place,
                                      plan.pivot_search == PivotSearch::tournament, plan.told_by_one};
    dist::OnesidedMoves<T> moves(rank, lent, onesided, library.search, library.broadcasts);
    if (A.grid->holds(rank.rank())) {
      Steps<T> steps(moves, lent.view(), pivots, plan);
      run(steps);
      result = steps.finish();
      lent.copy_back();
      if (library.exchange) library.exchange->close();
      result.row_swaps = moves.row_swaps();
      result.blocks_in_place = moves.read_in_place();
      result.blocks_copied = moves.copied();
      result.lent_user = lent.memory() == LentMemory::user;
      result.lent_copy = lent.memory() == LentMemory::copy;
      result.lent_attach = lent.memory() == LentMemory::attach;
      add_access_counts(counts, result);
    }
    comm::collective::barrier(rank);  // afterwards nobody reads in my windows any more
  });
  return result;
}

/// The largest magnitude of A's entries, or of U's alone.
/// Sync    collective over the team
template <class T>
double largest_entry_of(comm::Rank& rank, const dist::DistributedMatrix<T>& A, bool of_U) {
  double largest = 0;
  if (A.grid->holds(rank.rank()))
    for (Index j = 0; j < A.local.cols; ++j) {
      const Index column = A.cols.global({j}, A.me.col).value,
                  end = of_U ? A.first_row({std::min(column + 1, A.m())}) : A.local.rows;
      for (Index i = 0; i < end; ++i)
        largest = std::max(largest, static_cast<double>(kernels::magnitude(A.local(i, j))));
    }
  return comm::collective::all_reduce(rank, largest, [](double a, double b) { return std::max(a, b); });
}

}  // namespace

void require_built(const LuPlan& plan) {
  require_discipline_for_schedule(plan.discipline, plan.schedule);
  require_search_for_schedule(plan.pivot_search, plan.schedule);
  require_swap_for_discipline(plan.interchange(), plan.discipline, plan.schedule);
  const bool is_ahead_in_supersteps =
      plan.discipline == Discipline::superstep && plan.schedule == Schedule::look_ahead;
  if (is_ahead_in_supersteps && (plan.depth != 1 || plan.slices < 1))
    throw Error(Status::bad_plan,
                "look-ahead in supersteps has depth 1 and at least one slice; choose them, or the discipline "
                "messages");
}

template <class T>
FactorResult lu_factor(comm::Rank& rank, const dist::DistributedMatrix<T>& A, std::span<Index> pivots,
                       const LuPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  require_built(plan);
  require_shape(A, pivots, plan, rank.capabilities().is_phantom);
  dist::NodeLayout nodes;
  if (plan.schedule == Schedule::parity)
    nodes = dist::node_layout(*A.grid, dist::nodes_of(rank, plan.ranks_per_node));
  const bool measures_growth =
      plan.pivot_search == PivotSearch::tournament && !rank.capabilities().is_phantom;
  const double before = measures_growth ? largest_entry_of(rank, A, false) : 0;
  FactorResult result;
  if (plan.discipline == Discipline::onesided)
    result = lu_by_puts(rank, A, pivots, plan);
  else if (A.grid->holds(rank.rank()))
    result = plan.discipline == Discipline::superstep ? lu_by_supersteps(rank, A, pivots, plan)
                                                      : lu_by_messages(rank, A, pivots, plan, nodes);
  comm::collective::barrier(rank);  // before anybody uses the lane again
  if (before > 0) result.growth = largest_entry_of(rank, A, true) / before;
  return result;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                   \
  template FactorResult lu_factor(comm::Rank&, const dist::DistributedMatrix<T>&, std::span<Index>, \
                                  const LuPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
