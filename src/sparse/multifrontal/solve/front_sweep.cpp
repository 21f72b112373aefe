#include "sparse/multifrontal/solve/front_sweep.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

namespace {

/// Appends the ends of parts of first .. end - 1, of about the same size and at most `most`.
void cut_evenly(Index first, Index end, Index most, std::vector<Index>& start) {
  const Index parts = (end - first + most - 1) / most;
  for (Index p = 1; p <= parts; ++p) start.push_back(first + (end - first) * p / parts);
}

}  // namespace

template <class T>
FrontSweep<T>::FrontSweep(FrontTriangle<T> triangle, Way way, MatrixView<T> lines, const SweepPlan& plan)
    : triangle_(triangle),
      is_backward_(way == Way::backward),
      lines_(lines),
      most_steps_(plan.most_steps),
      start_{0},
      shuffle_(plan.shuffle),
      is_shuffled_(plan.shuffle > 0) {
  const Front<T>& front = triangle.front;
  const Index e = front.eliminated, s = front.summed;
  cut_evenly(0, e, std::clamp(e / plan.blocks, plan.least_pivots, plan.most_pivots), start_);
  pivots_ = static_cast<Index>(start_.size()) - 1;
  cut_evenly(e, s, plan.rows, start_);
  cut_evenly(s, front.order(), plan.rows, start_);
  blocks_.resize(start_.size() - 1);
  left_ = is_backward_ ? pivots_ : static_cast<Index>(blocks_.size());
  for (Index b = 0; b < left_; ++b) push_if_ready(b);
}

template <class T>
Index FrontSweep<T>::steps_of(Index block) const {
  if (!is_backward_) return std::min(block, pivots_);
  return static_cast<Index>(blocks_.size()) - 1 - block;
}

/// Backward, a block first takes from the rows without a pivot, which are known from the beginning, and then
/// from the blocks of pivots, the last one first.
template <class T>
Index FrontSweep<T>::source_of(Index step) const {
  if (!is_backward_) return step;
  const Index others = static_cast<Index>(blocks_.size()) - pivots_;
  return step < others ? pivots_ + step : pivots_ - 1 - (step - others);
}

template <class T>
void FrontSweep<T>::push_if_ready(Index b) {
  Block& block = blocks_[b];
  if (block.is_taken || block.is_over) return;
  const bool is_complete = block.at == steps_of(b);
  if (is_complete ? !is_pivot(b) : !is_there(source_of(block.at))) return;
  block.is_taken = true;
  const Index priority = is_backward_ ? b : -b;
  ready_.emplace_back(is_shuffled_ ? static_cast<Index>(shuffle_.below(1000)) : priority, b);
  std::ranges::push_heap(ready_);
}

template <class T>
typename FrontSweep<T>::Task FrontSweep<T>::take() {
  std::ranges::pop_heap(ready_);
  const Index b = ready_.back().second;
  ready_.pop_back();
  const Index from = blocks_[b].at, steps = steps_of(b);
  Index to = from;
  while (to < std::min(steps, from + most_steps_) && is_there(source_of(to))) ++to;
  return {from == steps ? solve : subtract, static_cast<std::int32_t>(b), static_cast<std::int32_t>(from),
          static_cast<std::int32_t>(to)};
}

template <class T>
void FrontSweep<T>::run(const Task& task) {
  const Index b = task.i, first = start_[b], length = start_[b + 1] - first;
  const MatrixView<T> Y = lines_of(b);
  if (task.kind == solve) return triangle_.solve(first, length, is_backward_, Y);
  for (Index step = task.j; step < task.k; ++step) {
    const Index source = source_of(step), at = start_[source], count = start_[source + 1] - at;
    const bool accumulate = is_backward_ || is_pivot(b) || step > 0;
    if (is_backward_)
      triangle_.subtract(at, count, first, length, true, lines_of(source), accumulate, Y);
    else
      triangle_.subtract(first, length, at, count, false, lines_of(source), accumulate, Y);
  }
}

template <class T>
void FrontSweep<T>::done(const Task& task) {
  const Index b = task.i;
  Block& block = blocks_[b];
  block.is_taken = false;
  block.at = task.k;
  block.is_over = task.kind == solve || (!is_pivot(b) && block.at == steps_of(b));
  if (!block.is_over) return push_if_ready(b);
  --left_;
  if (task.kind != solve) return;
  const Index first = is_backward_ ? 0 : b + 1, end = is_backward_ ? b : static_cast<Index>(blocks_.size());
  for (Index other = first; other < end; ++other) push_if_ready(other);
}

OVERLAPACK_INSTANTIATE_CLASS(FrontSweep);

}  // namespace overlapack::sparse::multifrontal
