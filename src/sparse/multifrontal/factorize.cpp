#include "sparse/multifrontal/factorize.hpp"

#include "comm/values.hpp"
#include "sparse/analysis/front_cost.hpp"

#include <algorithm>
#include <complex>
#include <limits>
#include <type_traits>
#include <utility>

namespace overlapack::sparse {

namespace {

template <class T>
PivotTest<T> test_of(const EntryStore<T>& entries, const MultifrontalPlan& plan) {
  const auto sizes = entries.row_size();
  return pivot_test<T>(plan, sizes.empty() ? 0.0 : *std::ranges::max_element(sizes));
}

}  // namespace

template <class T>
FactorWalk<T>::FactorWalk(comm::Rank& rank, FactorState<T>& state, const EntryStore<T>& entries,
                          const MultifrontalPlan& plan)
    : rank_(rank),
      state_(state),
      structure_(state.structure),
      entries_(entries),
      plan_(plan),
      assembler_(state.structure, state.space),
      eliminator_(state.structure, plan, test_of(entries, plan), state.space),
      pivot_check_(state.structure, entries, plan, state.stats),
      pool_(state.pool),
      walk_(rank, state.structure.tasks, dist::Direction::upward, plan.walk, *this),
      children_(state.space.children),
      cuts_fronts_(rank.size() > 1 || rank.capabilities().slice_helpers) {
  const AssemblyTree& tree = structure_.tree;
  for (Index f = 0; f < tree.fronts(); ++f)
    if (state.is_mine(f)) my_flops_ += owner_flops(structure_, f);
  my_flops_ += root_flops_of_rank();
  if (structure_.grid_root >= 0) root_.emplace(state, entries, plan, walk_, pool_);
  if (std::ranges::find(structure_.in_strips, 1) != structure_.in_strips.end())
    distributed_.emplace(state, entries, plan, walk_, pool_, test_of(entries, plan),
                         root_ ? &*root_ : nullptr);
  if (plan.steals && rank.size() > 1)
    stolen_.emplace(state, entries, plan, walk_, pool_, [this](double flops) {
      my_flops_ += flops;
      if (distributed_) distributed_->worked(-flops);
    });
}

template <class T>
template <class F>
void FactorWalk<T>::stage(const comm::Work& work, F&& f) {
  if (inside_task_) return comm::on_values(rank_, std::forward<F>(f));
  rank_.compute(work, std::forward<F>(f));
  rank_.poll();
}

template <class T>
void FactorWalk<T>::run_all() {
  walk_.run();
  if (stolen_) {
    stolen_->settle();
    state_.stats.stolen = stolen_->stealing().stolen();
  }
  if (root_) factorize_root();
  if (!distributed_) return;
  distributed_->finish();
  state_.stats.load_messages = distributed_->load_messages();
}

template <class T>
bool FactorWalk<T>::run(Index task) {
  report_progress();
  const Index first = structure_.task_front[task], end = structure_.task_front[task + 1];
  const double done_before = done_flops_;
  if (stolen_) stolen_->stealing().begins(task);
  if (first == structure_.grid_root) {
    start_root(first);
    return true;
  }
  if (structure_.in_strips[first]) {
    start_distributed(first);
    return false;
  }
  if (end - first == 1) {
    eliminate_front(first);
  } else {
    double flops = 0;
    for (Index f = first; f < end; ++f)
      flops += front_flops(structure_.kind, structure_.tree.order(f), structure_.tree.pivots(f));
    comm::compute_with_lists(rank_, {"subtree", flops}, [&] {
      inside_task_ = true;
      for (Index f = first; f < end; ++f) eliminate_front(f);
      inside_task_ = false;
    });
  }
  for (Index f = first; f < end; ++f) {
    const Index parent = structure_.tree.parent[f];
    if (parent >= 0 && structure_.task_of[parent] != task && !state_.is_mine(parent))
      send_contribution(state_.front(f));
  }
  if (distributed_) distributed_->worked(done_flops_ - done_before);
  return true;
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

/// The owner's part of a root that all ranks share: its names; then everybody hears of its order.
template <class T>
void FactorWalk<T>::start_root(Index f) {
  collect_children(f);
  std::vector<Index> delayed;
  for (const auto& child : children_) delayed.push_back(child.delayed);
  Front<T>& front = allocate(f);
  assembler_.begin(front, children_);
  front.eliminated = front.summed;  // by all ranks, after the walk
  root_->describe(front, delayed);
}

/// What each rank has of it.
template <class T>
double FactorWalk<T>::root_flops_of_rank() const {
  const Index f = structure_.grid_root;
  if (f < 0) return 0;
  return front_flops(structure_.kind, structure_.tree.order(f), structure_.tree.pivots(f)) / rank_.size();
}

template <class T>
void FactorWalk<T>::factorize_root() {
  const double before = done_flops_;
  root_->factorize(
      [&](double share) {
        done_flops_ = before + share * root_flops_of_rank();
        report_progress();
      },
      pivot_check_);
}

/// The owner's part of a front whose border rows are dealt to other ranks.
template <class T>
void FactorWalk<T>::start_distributed(Index f) {
  Front<T>& front = assemble(f);
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c])
    if (!state_.is_mine(c)) release_remote(c);
  distributed_->masters().start(
      front, [this, &front](const kernels::PanelSteps<T>& steps) { finish_distributed(front, steps); });
}

template <class T>
void FactorWalk<T>::finish_distributed(Front<T>& front, const kernels::PanelSteps<T>& steps) {
  const Index f = front.number, task = structure_.task_of[f];
  if (structure_.kind == FactorKind::cholesky && front.delayed() > 0)
    refuse_pivot(structure_, front, front.eliminated);
  const double flops = owner_flops(structure_, f);
  count(front, {front.eliminated, steps.two_by_two(), steps.negative(),
                panel_flops<T>(structure_.kind, front.order(), front.eliminated)});
  comm::on_values(rank_, [&] { pivot_check_.check(front); });
  done_flops_ += flops;
  distributed_->worked(flops);
  distributed_->masters().announce(front);
  if (!state_.is_mine(structure_.tree.parent[f])) send_contribution(front);
  walk_.complete(task);
}

template <class T>
Front<T>& FactorWalk<T>::assemble(Index f) {
  const AssemblyTree& tree = structure_.tree;
  collect_children(f);
  Front<T>& front = allocate(f);
  assembler_.begin(front, children_);
  stage({"assemble", 0, 0, tree.order(f), tree.pivots(f)}, [&] {
    assembler_.add_entries(front, entries_of(f));
    assembler_.add_summed(front, children_);
  });
  return front;
}

template <class T>
void FactorWalk<T>::eliminate_front(Index f) {
  const AssemblyTree& tree = structure_.tree;
  const double flops = front_flops(structure_.kind, tree.order(f), tree.pivots(f));
  Front<T>& front = assemble(f);
  Elimination done = eliminator_.every_pivot(front);  // without numbers
  const double update = update_flops(structure_, f);
  if (cuts_fronts_ && eliminator_.is_elimination_long(front))
    done = eliminator_.eliminate_in_slices(rank_, front);
  else
    stage({"panel", flops - update, 0, tree.order(f), tree.pivots(f)},
          [&] { done = eliminator_.eliminate(front); });
  count(front, done);
  comm::on_values(rank_, [&] { pivot_check_.check(front); });
  done_flops_ += flops;
  if (front.border == 0) {
    pivot_check_.check_root(front.delayed());
    release_children(f);
    return;
  }
  const bool is_whole = !structure_.is_symmetric() || structure_.takes_pieces(tree.parent[f]);
  front.block_width = is_whole ? front.border : staircase_width(front.border);
  front.block =
      pool_.take(static_cast<std::size_t>(staircase_entries(front.border, front.block_width)) * sizeof(T));
  state_.hold_bytes(static_cast<double>(front.block.bytes), pool_.kept_bytes());
  if (cuts_fronts_ && eliminator_.is_update_long(front))
    eliminator_.update_in_slices(rank_, front);
  else
    stage({"update", update, 0, front.border, front.border, front.eliminated},
          [&] { eliminator_.update(front); });
  stage({"extend_add", 0, 3 * contribution_entries(structure_, f) * sizeof(T), front.border, front.border},
        [&] { assembler_.add_border(front, children_); });
  release_children(f);
}

template <class T>
FrontEntries<T> FactorWalk<T>::entries_of(Index f) const {
  const FrontEntries<T>* stolen = stolen_ ? stolen_->entries_of(f) : nullptr;
  return stolen ? *stolen : entries_.of_front(state_.local[f]);
}

template <class T>
void FactorWalk<T>::collect_children(Index f) {
  children_.clear();
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c]) {
    Contribution<T> child =
        state_.is_mine(c) ? contribution_of(state_.front(c)) : state_.remote[c].contribution();
    child.front = c;
    child.border = structure_.tree.border(c);
    if (structure_.in_strips[f])
      child.block = {}, child.cols = {};  // they travel in pieces
    else if (f == structure_.grid_root)
      child.block = {}, child.square = child.rows = child.cols = {};  // the same
    else if (structure_.in_strips[c])
      state_.remote[c].add_rows_to(child);
    children_.push_back(child);
  }
}

/// A zeroed front with room for what the children delayed.
template <class T>
Front<T>& FactorWalk<T>::allocate(Index f) {
  Front<T>& front = state_.front(f);
  front = {};
  front.number = f;
  front.border = structure_.tree.border(f);
  front.summed = structure_.tree.pivots(f);
  for (const auto& child : children_) front.summed += child.delayed;
  Arena& arena = state_.arena;
  const auto s = static_cast<std::size_t>(front.summed);
  const bool is_here = f != structure_.grid_root;
  if (is_here) front.panel_data = arena.zeros<T>(static_cast<std::size_t>(padded_ld(front.order())) * s);
  front.row_name = front.col_name = arena.zeros<std::int32_t>(s);
  if (!structure_.is_symmetric()) {
    if (is_here && !structure_.in_strips[f])
      front.lower_data = arena.zeros<T>(static_cast<std::size_t>(padded_ld(front.border)) * s);
    front.col_name = arena.zeros<std::int32_t>(s);
  }
  if (structure_.kind == FactorKind::ldlt) {
    front.d = arena.zeros<T>(s);
    front.d_off = arena.zeros<T>(s);
  }
  state_.hold_bytes(0, pool_.kept_bytes());
  return front;
}

template <class T>
void FactorWalk<T>::count(const Front<T>& front, const Elimination& done) {
  FactorStats& stats = state_.stats;
  const Index e = front.eliminated;
  (front.border > 0 ? stats.pivots_delayed : stats.null_pivots) += front.delayed();
  stats.two_by_two += done.two_by_two;
  stats.negative_pivots += done.negative;
  stats.flops += done.flops;
  stats.fronts += 1;
  stats.factor_nnz += static_cast<Index>(front_factor_nnz(structure_.kind, front.order(), e));
  stats.factor_bytes = static_cast<double>(state_.arena.used_bytes());
  stats.reserved_bytes = static_cast<double>(state_.arena.reserved_bytes());
  state_.stats.perturbed += done.perturbed;
}

template <class T>
void FactorWalk<T>::release_children(Index f) {
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c]) {
    if (state_.is_mine(c)) {
      state_.live_bytes -= static_cast<double>(state_.front(c).block.bytes);
      pool_.give(std::move(state_.front(c).block));
    }
    if (!state_.is_mine(c) || structure_.in_strips[c]) release_remote(c);
  }
}

template <class T>
void FactorWalk<T>::release_remote(Index child) {
  state_.live_bytes -= static_cast<double>(state_.remote[child].bytes());
  state_.remote[child].release();
}

template <class T>
void FactorWalk<T>::send_contribution(Front<T>& front) {
  const Index parent = structure_.task_of[structure_.tree.parent[front.number]];
  const bool last = front.number + 1 == structure_.task_front[structure_.task_of[front.number] + 1];
  const bool pack_lower = structure_.is_symmetric() && !rank_.capabilities().shared_memory;
  const Index to = structure_.tree.parent[front.number];
  const bool in_pieces = structure_.in_strips[front.number] || structure_.takes_pieces(to);
  if (front.delayed() > 0 || in_pieces) {
    Contribution<T> delayed = contribution_of(front);
    if (in_pieces) delayed.cols = {};
    if (to == structure_.grid_root) delayed.square = delayed.rows = {};  // they go to their places
    auto [header, body] = pack_delayed(rank_, delayed);
    walk_.send(parent, header, std::move(body), in_pieces && last);
  }
  if (in_pieces) return;
  state_.live_bytes -= static_cast<double>(front.block.bytes);
  auto [header, body] = pack_block(rank_, front, pack_lower);
  ++state_.stats.sent_contributions;
  walk_.send(parent, header, std::move(body), last);
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
  const Index front = message.header.id[2];
  state_.structure.owner[front] = message.source;  // it may have been stolen
  RemoteContribution<T>& child = state_.remote[front];
  const std::size_t before = child.bytes();
  child.take(rank_, std::move(message));
  state_.live_bytes += static_cast<double>(child.bytes() - before);
}

template <class T>
void FactorWalk<T>::report_progress() {
  if (plan_.on_progress && !plan_.on_progress(my_flops_ > 0 ? done_flops_ / my_flops_ : 1))
    throw Error(ErrorKind::cancelled, "multifrontal", "the factorisation was cancelled by the caller");
}

template class FactorWalk<float>;
template class FactorWalk<double>;
template class FactorWalk<std::complex<float>>;
template class FactorWalk<std::complex<double>>;

}  // namespace overlapack::sparse
