#include "sparse/multifrontal/factorize/factorize.hpp"

#include "sparse/factors/pivot_test.hpp"

#include <algorithm>
#include <complex>
#include <utility>

namespace overlapack::sparse {

namespace {

template <class T>
PivotTest<T> test_of(const EntryStore<T>& entries, const FactorPlan& plan) {
  const auto sizes = entries.row_size();
  return pivot_test<T>(plan, sizes.empty() ? 0.0 : *std::ranges::max_element(sizes));
}

}  // namespace

template <class T>
FactorWalk<T>::FactorWalk(comm::Rank& rank, FactorState<T>& state, const EntryStore<T>& entries,
                          const FactorPlan& plan)
    : rank_(rank),
      state_(state),
      structure_(state.structure),
      walk_(rank, state.structure.tasks, dist::Direction::upward, plan.fronts.walk, *this),
      assembly_(state,
                [this, &entries](Index f) {
                  const EntryList<T>* stolen = stolen_ ? stolen_->entries_of(f) : nullptr;
                  return stolen ? *stolen : entries.of_slot(state_.fronts.place(f));
                }),
      tally_(rank, state, entries, plan),
      whole_(walk_, state, plan, test_of(entries, plan), assembly_, tally_,
             [this](double flops) { worked(flops); }) {
  if (structure_.grid_root >= 0) root_.emplace(state, entries, plan, walk_, assembly_, tally_);
  if (std::ranges::find(structure_.in_strips, 1) != structure_.in_strips.end())
    distributed_.emplace(state, entries, plan, walk_, test_of(entries, plan), assembly_, tally_,
                         root_ ? &*root_ : nullptr);
  if (plan.fronts.steals && rank.size() > 1)
    stolen_.emplace(state, entries, plan, walk_, [this](double flops) {
      tally_.expect(flops);
      worked(-flops);
    });
}

/// Others hear of work that is done, or given away.
template <class T>
void FactorWalk<T>::worked(double flops) {
  if (distributed_) distributed_->worked(flops);
}

template <class T>
void FactorWalk<T>::run_all() {
  walk_.run();
  if (stolen_) {
    stolen_->settle();
    state_.counts().stolen = stolen_->stealing().stolen();
  }
  if (root_) root_->factorize();
  if (!distributed_) return;
  distributed_->finish_news();
  state_.counts().load_messages = distributed_->load_messages();
}

template <class T>
FrontKind& FactorWalk<T>::kind_of(Index f) {
  if (f == structure_.grid_root) return *root_;
  if (structure_.in_strips[f]) return *distributed_;
  return whole_;
}

template <class T>
bool FactorWalk<T>::run(Index task) {
  tally_.report();
  if (stolen_) stolen_->stealing().begins(task);
  return kind_of(structure_.task_front[task]).start(task);
}

template <class T>
void FactorWalk<T>::ready(Index task) {
  if (distributed_) distributed_->ready(task);
  if (stolen_) stolen_->stealing().ready(task);
}

template <class T>
void FactorWalk<T>::idle(bool has_ended) {
  if (stolen_) stolen_->stealing().ask();
  if (!has_ended || !distributed_ || (stolen_ && !stolen_->stealing().is_closed())) return;
  if (!std::exchange(is_closing_, true)) distributed_->close();
}

template <class T>
void FactorWalk<T>::received(comm::Message message) {
  const comm::Kind kind = message.header.kind;
  if (kind == MessageKind::stealing)
    stolen_->stealing().received(std::move(message));
  else if (kind == MessageKind::root_description || kind == MessageKind::root_piece)
    root_->received(std::move(message));
  else
    distributed_->received(std::move(message));
}

template <class T>
void FactorWalk<T>::arrived(Index, comm::Message message) {
  if (message.header.kind == MessageKind::strip_list)
    return distributed_->masters().take_announcement(message);
  const Index front = front_of(message);
  state_.structure.owner[front] = message.source;  // it may have been stolen
  RemoteContribution<T>& child = state_.remote[front];
  child.take(rank_, std::move(message));
  child.book(state_.ledger);
}

template class FactorWalk<float>;
template class FactorWalk<double>;
template class FactorWalk<std::complex<float>>;
template class FactorWalk<std::complex<double>>;

}  // namespace overlapack::sparse
