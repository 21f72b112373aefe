#include "sparse/multifrontal/factorize.hpp"

#include "kernels/operand.hpp"
#include "sparse/analysis/front_cost.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace overlapack::sparse {

namespace {
/// |pivot| of a 1x1, |det| / largest entry of a 2x2 pivot: its smaller eigenvalue but for a factor of two.
template <class T>
double pivot_size(const Structure& structure, const Front<T>& front, Index k, bool is_pair) {
  using kernels::magnitude;
  if (structure.kind == FactorKind::cholesky) return std::pow(magnitude(front.panel()(k, k)), 2);
  if (structure.kind == FactorKind::lu) return magnitude(front.panel()(k, k));
  if (!is_pair) return magnitude(front.d[k]);
  const T off = front.d_off[k], mirrored = structure.hermitian ? conjugate(off) : off;
  const Real<T> largest = std::max({magnitude(front.d[k]), magnitude(front.d[k + 1]), magnitude(off)});
  return magnitude(front.d[k] * (front.d[k + 1] / largest) - off * (mirrored / largest));
}

constexpr double float_epsilon = std::numeric_limits<float>::epsilon();

/// A pivot below this share of the sizes of its row and column is rounding.
template <class T>
double rounding_share(const MultifrontalPlan& plan) {
  return std::is_same_v<Real<T>, float> ? 32 * float_epsilon : plan.singular_pivot;
}

template <class T>
PivotTest<T> pivot_test(const EntryStore<T>& entries, const MultifrontalPlan& plan) {
  const auto sizes = entries.row_size();
  if (!plan.keeps_null_pivots || sizes.empty()) return {static_cast<Real<T>>(plan.pivot_threshold), 0};
  const double share = std::is_same_v<Real<T>, float> ? 1000 * float_epsilon : plan.null_pivot;
  return {static_cast<Real<T>>(std::max(plan.pivot_threshold, plan.null_threshold)),
          static_cast<Real<T>>(share * *std::ranges::max_element(sizes))};
}

template <class T>
[[noreturn]] void refuse_overflow(const Structure& structure, const Front<T>& front) {
  throw Error(ErrorKind::not_converged, "multifrontal",
              "numbers left the range of their type in front " + std::to_string(front.number) + " of " +
                  std::to_string(structure.tree.fronts()) + " (order " + std::to_string(front.order()) +
                  "): use matching on or scaling ruiz, or compute in double precision");
}

std::string scientific(double x) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, x, std::chars_format::scientific, 1).ptr;
  return {digits, end};
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
      assembler_(state.structure),
      eliminator_(state.structure, plan, pivot_test(entries, plan)),
      walk_(rank, state.structure.tasks, dist::Direction::upward, plan.walk, *this) {
  const AssemblyTree& tree = structure_.tree;
  for (Index f = 0; f < tree.fronts(); ++f)
    if (state.is_mine(f)) my_flops_ += owner_flops(structure_, f);
  if (std::ranges::find(structure_.in_strips, 1) != structure_.in_strips.end())
    distributed_.emplace(state, entries, plan, walk_, pool_, pivot_test(entries, plan));
}

template <class T>
template <class F>
void FactorWalk<T>::stage(const comm::Work& work, F&& f) {
  if (inside_task_)
    f();
  else
    rank_.compute(work, std::forward<F>(f));
}

template <class T>
void FactorWalk<T>::run_all() {
  walk_.run();
  if (!distributed_) return;
  distributed_->finish();
  state_.stats.load_messages = distributed_->load_messages();
}

template <class T>
bool FactorWalk<T>::run(Index task) {
  report_progress();
  const Index first = structure_.task_front[task], end = structure_.task_front[task + 1];
  const double done_before = done_flops_;
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
    rank_.compute({"subtree", flops}, [&] {
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

/// The owner's part of a front whose border rows are dealt to other ranks.
template <class T>
void FactorWalk<T>::start_distributed(Index f) {
  Front<T>& front = assemble(f);
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c])
    if (!state_.is_mine(c)) release_remote(c);
  distributed_->start(
      front, [this, &front](const kernels::PanelSteps<T>& steps) { finish_distributed(front, steps); });
}

template <class T>
void FactorWalk<T>::finish_distributed(Front<T>& front, const kernels::PanelSteps<T>& steps) {
  const Index f = front.number, task = structure_.task_of[f];
  if (structure_.kind == FactorKind::cholesky && front.delayed() > 0)
    refuse_pivot(structure_, front, front.eliminated);
  const double flops = owner_flops(structure_, f);
  count(front, {front.eliminated, steps.two_by_two(), steps.negative(), panel_flops(structure_.kind, front)});
  check_pivots(front);
  done_flops_ += flops;
  distributed_->worked(flops);
  distributed_->announce(front);
  if (!state_.is_mine(structure_.tree.parent[f])) send_contribution(front);
  walk_.complete(task);
}

template <class T>
Front<T>& FactorWalk<T>::assemble(Index f) {
  const AssemblyTree& tree = structure_.tree;
  Front<T>* front = nullptr;
  stage({"assemble", 0, 0, tree.order(f), tree.pivots(f)}, [&] {
    collect_children(f);
    front = &allocate(f);
    assembler_.begin(*front, children_);
    assembler_.add_entries(*front, entries_.of_front(state_.local[f]));
    assembler_.add_summed(*front, children_);
  });
  return *front;
}

template <class T>
void FactorWalk<T>::eliminate_front(Index f) {
  const AssemblyTree& tree = structure_.tree;
  const double flops = front_flops(structure_.kind, tree.order(f), tree.pivots(f));
  Front<T>& front = assemble(f);
  Elimination done;
  stage({"panel", flops, 0, tree.order(f), tree.pivots(f)},
        [&] { done = eliminator_.eliminate(rank_, front, state_.arena); });
  count(front, done);
  check_pivots(front);
  done_flops_ += flops;
  if (front.border == 0) {
    check_root(front);
    release_children(f);
    return;
  }
  front.block = pool_.take(static_cast<std::size_t>(padded_ld(front.border) * front.border) * sizeof(T));
  state_.hold_bytes(static_cast<double>(front.block.bytes), pool_.kept_bytes());
  stage({"update", 0, 0, front.border, front.border, front.eliminated},
        [&] { eliminator_.update(rank_, front); });
  stage({"extend_add", 0, 0, front.border, front.border}, [&] { assembler_.add_border(front, children_); });
  release_children(f);
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
      child.block = child.cols = {};  // they travel in pieces
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
  front.panel_data = arena.zeros<T>(static_cast<std::size_t>(padded_ld(front.order())) * s);
  front.row_name = front.col_name = arena.zeros<std::int32_t>(s);
  if (!structure_.is_symmetric()) {
    if (!structure_.in_strips[f])
      front.lower_data = arena.zeros<T>(static_cast<std::size_t>(padded_ld(front.border)) * s);
    front.col_name = arena.zeros<std::int32_t>(s);
  }
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
  const bool in_pieces =
      structure_.in_strips[front.number] || structure_.in_strips[structure_.tree.parent[front.number]];
  if (front.delayed() > 0 || in_pieces) {
    Contribution<T> delayed = contribution_of(front);
    if (in_pieces) delayed.cols = {};
    auto [header, body] = pack_delayed(delayed);
    walk_.send(parent, header, std::move(body), in_pieces && last);
  }
  if (in_pieces) return;
  state_.live_bytes -= static_cast<double>(front.block.bytes);
  auto [header, body] = pack_block(front, pack_lower);
  ++state_.stats.sent_contributions;
  walk_.send(parent, header, std::move(body), last);
}

template <class T>
void FactorWalk<T>::arrived(Index, comm::Message message) {
  if (message.header.kind == strip_list) return distributed_->arrived(std::move(message));
  RemoteContribution<T>& child = state_.remote[message.header.id[2]];
  const std::size_t before = child.bytes();
  child.take(std::move(message));
  state_.live_bytes += static_cast<double>(child.bytes() - before);
}

template <class T>
void FactorWalk<T>::check_root(const Front<T>& front) {
  if (front.delayed() == 0 || plan_.keeps_null_pivots) return;
  throw Error(
      ErrorKind::singular, "multifrontal",
      "the matrix is numerically singular: " + std::to_string(front.delayed()) + " of " +
          std::to_string(structure_.tree.n) +
          " pivots are zero or below the threshold at a root of the tree; check the model for missing "
          "constraints or dependent equations, or factorise with null_pivots");
}

/// A pivot of which only rounding is left makes the matrix singular, although its inverse could be taken.
template <class T>
void FactorWalk<T>::check_pivots(const Front<T>& front) {
  for (Index k = front.eliminated; k < front.summed; ++k)  // NaN passes no pivot test
    for (Index i = k; i < front.order(); ++i)
      if (!std::isfinite(kernels::magnitude(front.panel()(i, k)))) refuse_overflow(structure_, front);
  const double least = plan_.keeps_null_pivots ? 0 : rounding_share<T>(plan_);
  const auto row_size = entries_.row_size(), col_size = entries_.col_size();
  for (Index k = 0; k < front.eliminated; ++k) {
    const bool is_pair = front.d_off != nullptr && front.d_off[k] != T(0);
    const double size = pivot_size(structure_, front, k, is_pair);
    const double expected = std::min(row_size[front.row_name[k]], col_size[front.col_name[k]]);
    state_.stats.smallest_pivot = std::min(state_.stats.smallest_pivot, size / expected);
    if (!std::isfinite(size)) refuse_overflow(structure_, front);
    if (size < least * expected)
      throw Error(ErrorKind::singular, "multifrontal",
                  "the matrix is numerically singular: a pivot fell to " + scientific(size / expected) +
                      " of the size of its row or column, which is rounding; check the model for missing "
                      "constraints or dependent equations, or factorise with null_pivots");
    k += is_pair;
  }
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
