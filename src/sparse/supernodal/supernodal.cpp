#include "sparse/supernodal/supernodal.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/product/blas_threads.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/sum_over_ranks.hpp"
#include "sparse/matrix/permute.hpp"
#include "sparse/supernodal/factorize/border_sums.hpp"
#include "sparse/supernodal/factorize/left_update.hpp"
#include "sparse/supernodal/factorize/steps.hpp"
#include "sparse/supernodal/factors/entry_positions.hpp"
#include "sparse/supernodal/factors/state.hpp"
#include "sparse/supernodal/factors/state_packing.hpp"
#include "sparse/supernodal/factors/traffic.hpp"
#include "sparse/supernodal/layout/node_map.hpp"
#include "sparse/supernodal/layout/node_slots.hpp"
#include "sparse/supernodal/solve/solve.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace overlapack::sparse::supernodal {
namespace {

[[noreturn]] void refuse_plan(const std::string& message) { throw Error(Status::bad_plan, message); }

void require_plan(const FactorPlan& plan) {
  using enum Schedule;
  const Schedule schedule = plan.nodes.schedule;
  if (schedule != flat && schedule != pipelined && schedule != look_ahead)
    refuse_plan("schedule is " + std::string(to_string(schedule)) +
                ", which is for dense matrices; supernodal LU has flat, pipelined and lookahead");
  if (schedule == look_ahead && plan.nodes.depth < 1)
    refuse_plan("schedule is lookahead, but depth is 0; give a depth of at least 1, or schedule flat");
  if (plan.keeps_null_pivots)
    refuse_plan("null_pivots is set, but static pivoting replaces small pivots; use method multifrontal");
}

dist::ProcessGrid grid_of(const NodesPlan& plan, int ranks) {
  constexpr auto order = dist::GridOrder::row_major;
  return plan.grid_rows > 0 ? dist::ProcessGrid(plan.grid_rows, plan.grid_cols, order, ranks)
                            : dist::squarest_grid(ranks, order);
}

/// Broadcast rank 0's structure.
NodeStructure broadcast_structure(comm::Rank& rank, NodeStructure structure) {
  structure.n = comm::collective::broadcast(rank, 0, structure.n);
  const auto share = [&](auto& list) { list = comm::collective::broadcast(rank, 0, list); };
  share(structure.first);
  share(structure.width);
  for (NodeLists* lists : {&structure.rows, &structure.columns}) {
    share(lists->start);
    share(lists->variable);
  }
  return structure;
}

/// The test of static pivoting: pivots that are too small are replaced. A phantom rank accepts every pivot.
template <class T>
PivotTest<T> static_pivots(const FactorPlan& plan, const EntryStore<T>& entries, bool is_phantom) {
  if (is_phantom) return {};
  const double rounding = 8 * static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
  const double asked = plan.perturbation > 0 ? plan.perturbation : plan.nodes.perturbation;
  const auto replacement = static_cast<Real<T>>(std::max(asked, rounding) * entries.largest());
  return {static_cast<Real<T>>(plan.pivot_threshold), 0,
          std::max(replacement, std::numeric_limits<Real<T>>::min())};
}

/// Eliminates the nodes on the grid by one of the three schedules of paper 1.
template <class T>
void eliminate_distributed(Steps<T>& steps, Schedule schedule) {
  if (schedule == Schedule::flat)
    run_flat(steps);
  else if (schedule == Schedule::pipelined)
    run_pipelined(steps);
  else
    look_ahead(steps);
}

}  // namespace

template <class T>
Supernodal<T>::Supernodal() = default;
template <class T>
Supernodal<T>::~Supernodal() = default;

template <class T>
const FactorStats& Supernodal<T>::stats() const {
  return state_->stats;
}

template <class T>
void Supernodal<T>::factorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                              const FactorPlan& plan) {
  require_plan(plan);
  const double begin_s = rank.now();
  const dist::ProcessGrid grid = grid_of(plan.nodes, rank.size());
  const NodeOrder order =
      plan.nodes.order.value_or(rank.size() > 1 ? NodeOrder::levels : NodeOrder::postorder);
  const NodeStructure structure =
      broadcast_structure(rank, rank.rank() == 0 ? analysis->nodes : NodeStructure());
  const bool are_subtrees_chosen = grid.size() > 1 && plan.nodes.map == NodeMap::subtrees;
  SharedList<std::int32_t> owner;
  if (rank.rank() == 0 || !are_subtrees_chosen)
    owner = subtree_owners(structure, grid.size(), plan.nodes,
                           rank.rank() == 0 ? analysis->cost : FrontCostModel());
  if (are_subtrees_chosen) owner = comm::collective::broadcast(rank, 0, owner);
  state_ = std::make_unique<NodeState<T>>(
      SupernodalLayout(structure, owner, order == NodeOrder::levels, grid, rank.rank()));
  state_->rhs_block = plan.rhs_block;
  if (rank.rank() == 0) {
    state_->rows = {analysis->row_perm, analysis->row_scale};
    state_->columns = {analysis->col_perm, analysis->col_scale};
  }
  compute(rank, analysis, A, plan, begin_s, false);
}

template <class T>
void Supernodal<T>::refactorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                                const FactorPlan& plan) {
  require_plan(plan);
  compute(rank, analysis, A, plan, rank.now(), true);
}

template <class T>
void Supernodal<T>::compute(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                            const FactorPlan& plan, double begin_s, bool keeps_positions) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  const bool is_phantom = rank.capabilities().is_phantom;
  state_->subtrees.allocate_panels(state_->layout.subtrees.nodes, is_phantom);
  state_->top.allocate_panels(state_->layout.top.nodes, is_phantom);
  state_->entries.distribute(rank, NodeSlots(state_->layout, rank.size()), analysis, A, keeps_positions);
  distribute_entries(rank);
  state_->stats = {};
  const PanelTraffic traffic = panel_traffic<T>(state_->layout);
  state_->stats.panel_messages = traffic.messages;
  state_->stats.panel_bytes = traffic.bytes;
  state_->stats.deal_s = rank.now() - begin_s;
  run(rank, plan);
}

/// Add the entries of B to the panels.
template <class T>
void Supernodal<T>::distribute_entries(comm::Rank& rank) {
  if (rank.capabilities().is_phantom) return;
  const EntryList<T> list = state_->entries.of_slot(0);
  auto& position = state_->entry_position;
  if (position.size() != list.value.size()) position = entry_positions(*state_, list);
  for (std::size_t e = 0; e < position.size(); ++e) *position[e] += list.value[e];
}

/// The numerical phase: each rank eliminates its own subtrees, their updates go to the nodes above, and the
/// grid eliminates these.
template <class T>
void Supernodal<T>::run(comm::Rank& rank, const FactorPlan& plan) {
  NodeState<T>& state = *state_;
  FactorStats& stats = state.stats;
  const bool is_phantom = rank.capabilities().is_phantom;
  state.for_each_part([&](const LayoutPart& part, const RankPanels<T>& panels) {
    for (Index k = 0; k < part.nodes.nodes(); ++k)
      stats.factor_nnz += (panels.lower[k].values.rows + panels.upper[k].values.rows) * part.nodes.width(k);
    stats.factor_bytes += static_cast<double>(panels.memory->used_bytes());
    stats.reserved_bytes += static_cast<double>(panels.memory->reserved_bytes());
  });
  const PivotTest<T> test = static_pivots<T>(plan, state.entries, is_phantom);
  AccountPart account(this->watch().memory);
  BorderSums<T> border(rank, state.layout.border, stats);
  Steps<T> below(rank, state.layout.subtrees.nodes, state.subtrees, plan, test, this->watch(), stats),
      above(rank, state.layout.top.nodes, state.top, plan, test, this->watch(), stats);
  const double border_bytes = eliminate_subtrees(rank, plan, below, border, account);
  border.add_to_panels(state.top);
  account.set_bytes(stats.factor_bytes, stats.factor_bytes);
  eliminate_distributed(above, plan.nodes.schedule);
  stats.most_entries_of_rank = state.entries.size();
  const double smallest = std::min(below.smallest_pivot(), above.smallest_pivot());
  stats.smallest.share = std::min(1.0, is_phantom ? 1 : smallest / state.entries.largest());
  stats.peak_bytes = stats.factor_bytes + std::max(border_bytes, above.most_held_bytes());
  // This sum is also a barrier, since a rank takes part in it after its last update. From here on no rank
  // reads panels that others sent, and refactorize may write to them.
  sum_over_ranks(rank, stats, account);
}

/// Eliminates this rank's subtrees, left-looking, and posts the sends of their updates to the nodes above.
/// Returns the peak of the bytes used besides the factors
template <class T>
double Supernodal<T>::eliminate_subtrees(comm::Rank& rank, const FactorPlan& plan, Steps<T>& steps,
                                         BorderSums<T>& border, AccountPart& account) {
  const NodeGrid& nodes = state_->layout.subtrees.nodes;
  RankPanels<T>& panels = state_->subtrees;
  panels.allocate_border_nodes(nodes, rank.capabilities().is_phantom);
  const auto bytes = static_cast<double>(panels.border_memory->used_bytes());
  const double factor_bytes = state_->stats.factor_bytes;
  account.set_bytes(factor_bytes + bytes, factor_bytes + bytes);
  LeftUpdate<T> updates(rank, nodes, panels, plan, state_->stats);
  factorize_left_looking(steps, updates);
  border.send(panels);
  const double most = bytes + border.held_bytes();
  account.set_bytes(factor_bytes + most, factor_bytes + most);
  panels.free_border_nodes(nodes);
  account.set_bytes(factor_bytes + border.held_bytes(), factor_bytes + most);
  return most;
}

template <class T>
void Supernodal<T>::solve(comm::Rank& rank, kernels::Op op, const T* b, T* x, Index nrhs) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  supernodal::solve(rank, *state_, op, b, x, nrhs);
}

template <class T>
void Supernodal<T>::null_space(comm::Rank&, kernels::Op, T*) {
  refuse_plan("static pivoting finds no null pivots; factorise with null_pivots and method multifrontal");
}

template <class T>
dense::ScaledNumber<T> Supernodal<T>::determinant(comm::Rank& rank) const {
  const NodeState<T>& state = *state_;
  const auto parity = [](std::span<const std::int32_t> order) {
    return is_odd(std::vector<Index>(order.begin(), order.end()));
  };
  dense::ScaledNumber<T> all;
  state.for_each_part([&](const LayoutPart& part, const RankPanels<T>& panels) {
    for (Index k = 0; k < part.nodes.nodes(); ++k) {
      if (!part.nodes.owns_diagonal(k)) continue;
      for (Index i = 0; i < part.nodes.width(k); ++i)
        all = product(all, dense::ScaledNumber<T>{square_of(panels, k)(i, i), 0});
      const NodePanel<T>& panel = panels.lower[k];
      if (parity(panel.row_order()) != parity(panel.column_order())) all.mantissa = -all.mantissa;
    }
  });
  if (rank.rank() == 0) {
    all.exponent -= log2_product(state.rows.scale) + log2_product(state.columns.scale);
    std::vector<Index> row_of(state.rows.number.size());
    for (std::size_t k = 0; k < row_of.size(); ++k) row_of[state.columns.number[k]] = state.rows.number[k];
    if (is_odd(std::move(row_of))) all.mantissa = -all.mantissa;
  }
  comm::collective::all_reduce(rank, std::span<dense::ScaledNumber<T>>(&all, 1), dense::product<T>);
  return all;
}

template <class T>
comm::Body Supernodal<T>::packed() const {
  return pack(*state_);
}

template <class T>
void Supernodal<T>::unpack(const comm::Body& body, const FactorPlan& plan) {
  state_ = unpack_nodes<T>(body);
  state_->rhs_block = plan.rhs_block;
}

OVERLAPACK_INSTANTIATE_CLASS(Supernodal);

}  // namespace overlapack::sparse::supernodal
