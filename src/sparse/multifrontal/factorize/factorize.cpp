#include "sparse/multifrontal/factorize/factorize.hpp"

#include "base/instantiate.hpp"
#include "sparse/factors/pivot_test.hpp"
#include "sparse/multifrontal/plan/largest_message.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace overlapack::sparse::multifrontal {

namespace {

/// Least time between two reports to the caller (api::Interruption).
constexpr double progress_period_s = 0.02;

dist::WalkPlan walk_plan(const Structure& structure, const FactorPlan& plan, int ranks,
                         std::size_t entry_bytes) {
  dist::WalkPlan walk = plan.fronts.walk;
  walk.largest_bytes = largest_message(structure, plan, ranks, entry_bytes);
  return walk;
}

template <class T>
PivotTest<T> test_of(const FactorPlan& plan, const Structure& structure, const EntryStore<T>& entries) {
  if (structure.signs.empty()) return pivot_test<T>(plan, structure.kind, entries.largest());
  return sign_test<T>(plan, {structure.signs.data(), structure.signs.size()}, entries.row_size());
}

}  // namespace

template <class T>
FactorWalk<T>::FactorWalk(comm::Rank& rank, FactorState<T>& state, const EntryStore<T>& entries,
                          const FactorPlan& plan, const FactorWatch& watch)
    : walk_(rank, state.structure.tasks, dist::Direction::upward,
            walk_plan(state.structure, plan, rank.size(), sizeof(T)), *this),
      assembly_(state,
                [this, &state, &entries](Index f) {
                  const auto stolen = stolen_ ? stolen_->entries_of(f) : std::optional<EntryList<T>>();
                  return stolen ? *stolen : entries.of_slot(state.fronts.position(f));
                }),
      tally_(rank, state, entries, plan, watch),
      here_{rank, state, state.structure, entries, plan, walk_, assembly_, tally_, kinds_},
      whole_(here_, test_of(plan, state.structure, entries), entries.largest(),
             [this](double flops) { count_work_done(flops); }) {
  const Structure& structure = state.structure;
  const PivotTest<T> test = test_of(plan, structure, entries);
  if (structure.grid_root >= 0) root_.emplace(here_, test.replacement);
  if (std::ranges::find(structure.in_strips, 1) != structure.in_strips.end())
    distributed_.emplace(here_, test, entries.largest());
  kinds_ = {&whole_, distributed_ ? &*distributed_ : nullptr, root_ ? &*root_ : nullptr};
  if (distributed_ || root_)
    for (Index f = 0; f < structure.tree.fronts(); ++f) here_.kind_of(f).add_waits_of_front(f);
  if (plan.fronts.steals && rank.size() > 1)
    stolen_.emplace(here_, [this](double flops) {
      tally_.add_expected_flops(flops);
      count_work_done(-flops);
    });
}

/// Lowers this rank's load, of which others hear: work was done, or given away.
template <class T>
void FactorWalk<T>::count_work_done(double flops) {
  if (distributed_) distributed_->count_work_done(flops);
}

/// Runs the walk, and then what must wait for its end: figures, owners of stolen fronts, the rest of the
/// file, the root on the grid.
template <class T>
void FactorWalk<T>::run_all() {
  double reported_s = here_.rank.now();
  const auto report = [&] {
    if (here_.rank.now() - reported_s < progress_period_s) return;
    reported_s = here_.rank.now();
    tally_.report();
  };
  // reports also while this rank has no task and helps others
  const std::shared_ptr<void> token = tally_.is_watched() ? here_.rank.on_progress(report) : nullptr;
  walk_.run();
  FactorState<T>& state = here_.state;
  state.stats.times_full = walk_.times_full();
  LowRankTally low_rank = whole_.low_rank();
  if (distributed_) low_rank.add(distributed_->low_rank());
  tally_.add(low_rank);
  state.stats.factor_bytes = static_cast<double>(state.ledger.factors.used_bytes());
  state.stats.reserved_bytes = static_cast<double>(state.ledger.factors.reserved_bytes());
  if (stolen_) {
    stolen_->broadcast_owners();
    state.stats.stolen = stolen_->stealing().stolen();
  }
  write_rest();
  if (root_) root_->factorize();
  if (!distributed_) return;
  distributed_->finish_news();
  state.stats.load_news = distributed_->load_news();
}

/// Writes the rest of the factors to the file: the last segments, and fronts whose delayed pivots other ranks
/// had to take first.
template <class T>
void FactorWalk<T>::write_rest() {
  FactorState<T>& state = here_.state;
  if (!state.file) return;
  for (Front<T>& front : state.fronts) state.finish(front);
  state.file->write_all(here_.rank);
  state.stats.disk_written_bytes = state.file->written_bytes();
  state.stats.disk_wait_s = state.file->wait_s();
  state.stats.factor_bytes += state.stats.disk_written_bytes;
  state.stats.times_disk_full_budget = state.file->times_full();
}

template <class T>
bool FactorWalk<T>::run(Index task) {
  tally_.report();
  if (stolen_) stolen_->stealing().on_task_begin(task);
  if (distributed_) distributed_->on_task_begin(task);
  return here_.kind_of(here_.structure.task_front[task]).start(task);
}

template <class T>
void FactorWalk<T>::on_task_ready(Index task) {
  if (distributed_) distributed_->on_task_ready(task);
  if (stolen_) stolen_->stealing().on_task_ready(task);
}

template <class T>
void FactorWalk<T>::on_idle(bool has_ended) {
  if (stolen_) stolen_->stealing().ask_for_work();
  if (!has_ended || !distributed_ || (stolen_ && !stolen_->stealing().is_closed())) return;
  if (!std::exchange(is_closing_, true)) distributed_->close();
}

template <class T>
void FactorWalk<T>::on_message(comm::Message message) {
  const Index f = front_of(message);
  switch (MessageKind(message.header.kind)) {
    case MessageKind::stealing:
      return stolen_->stealing().on_message(std::move(message));
    case MessageKind::strip_left:
    case MessageKind::strips_over:
      return distributed_->on_message(std::move(message));
    case MessageKind::load_news:
      return distributed_->handle_load_message(message);
    case MessageKind::strip_description:
    case MessageKind::panel_part:
    case MessageKind::root_description:
      return here_.kind_of(f).on_message(std::move(message));
    case MessageKind::parent_strips:
    case MessageKind::contribution_piece:
    case MessageKind::root_piece:  // on its way from f to the front above
      return here_.kind_of_parent(f).on_message(std::move(message));
    default:
      throw Error(Status::internal,
                  "a message of kind " + std::to_string(message.header.kind) + " has no receiver");
  }
}

template <class T>
void FactorWalk<T>::on_task_message(Index, comm::Message message) {
  if (message.header.kind == MessageKind::strip_list)
    return distributed_->masters().handle_announcement(message);
  const Index front = front_of(message);
  here_.state.structure.owner[front] = message.source;  // a stolen front has another owner than the plan's
  if (message.header.kind == MessageKind::block_part && here_.rank.capabilities().shared_memory)
    here_.state.ledger.subtract_passed_bytes(message.body.size());
  RemoteContribution<T>& child = here_.state.remote[front];
  child.store_block_or_delayed(here_.rank, here_.state.ledger, std::move(message));
  child.count_in_ledger(here_.state.ledger);
}

OVERLAPACK_INSTANTIATE_CLASS(FactorWalk);

}  // namespace overlapack::sparse::multifrontal
