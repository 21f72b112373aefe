#include "sparse/multifrontal/tiles/front_tasks.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

namespace {

// Levels of priority of the tasks that follow the panel. The level of a task of the panel is the number of a
// block column.
constexpr Index border_level = Index{1} << 30, contribution_level = border_level + 1,
                finish_level = border_level + 2;

}  // namespace

const char* task_name(std::int32_t kind) {
  constexpr const char* names[] = {"add",    "diagonal", "accept",       "solve",      "restore", "row",
                                   "update", "lower",    "contribution", "add border", "finish"};
  return names[kind];
}

template <class T>
FrontTasks<T>::FrontTasks(TileSteps<T>& steps, const FrontCuts& cuts,
                          std::vector<ContributionCut> contribution, AddColumns add_columns,
                          AddBorder add_border, std::uint64_t shuffle)
    : steps_(steps),
      cuts_(cuts),
      columns_(cuts.summed),
      blocks_(cuts.blocks()),
      rows_(steps.is_symmetric() ? blocks_ : 2 * blocks_ - columns_),
      is_symmetric_(steps.is_symmetric()),
      cuts_of_c_(std::move(contribution)),
      add_(std::move(add_columns)),
      add_border_(std::move(add_border)),
      tiles_(static_cast<std::size_t>(rows_ * columns_)),
      is_added_(static_cast<std::size_t>(columns_)),
      contributions_(cuts_of_c_.size()),
      votes_(static_cast<std::size_t>(blocks_)),
      random_(shuffle > 0 ? std::optional(Random(shuffle)) : std::nullopt) {
  for (const ContributionCut& cut : cuts_of_c_) {
    if (cut.strip == static_cast<Index>(strip_left_.size())) {
      strip_left_.push_back(0);
      strips_.emplace_back(cut.left, cut.left + cut.cols);
    }
    ++strip_left_.back();
  }
  for (Index i = 0; i < rows_; ++i)
    for (Index j = 0; j < columns_; ++j) {
      tile(i, j).is_over = is_symmetric_ && i < j;
      panel_left_ += !tile(i, j).is_over;
    }
  left_ = 1 + static_cast<Index>(strips_.size());
  all_ = columns_ + static_cast<Index>(cuts_of_c_.size());
  for (Index j = 0; j < columns_; ++j) push(add, 0, j, 0, j);
}

template <class T>
void FrontTasks<T>::push(Kind kind, Index i, Index j, Index k, Index level, Index rank) {
  constexpr Index ranks = Index{1} << 20;
  const Index priority =
      random_ ? static_cast<Index>(random_->next() >> 33) : level * ranks + std::min(rank, ranks - 1);
  ready_.push_back(
      {priority,
       {kind, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), static_cast<std::int32_t>(k)}});
  std::push_heap(ready_.begin(), ready_.end());
}

template <class T>
typename FrontTasks<T>::Task FrontTasks<T>::take() {
  std::pop_heap(ready_.begin(), ready_.end());
  const Task task = ready_.back().task;
  ready_.pop_back();
  ++taken_;
  return task;
}

template <class T>
bool FrontTasks<T>::is_in_next_step(Index i, Index j, Index k) const {
  const auto has = [&](Index block) { return k <= block || steps_.has_failed(block); };
  return k < columns_ && has(j) && (is_lower(i) || has(i));
}

template <class T>
void FrontTasks<T>::push_if_ready(Index i, Index j) {
  Tile& t = tile(i, j);
  if (t.is_over || t.is_taken || !is_added_[j]) return;
  if (is_lower(i)) return push_ready_lower_tile(t, i, j);
  push_ready_panel_tile(t, i, j);
}

template <class T>
void FrontTasks<T>::push_ready_panel_tile(Tile& t, Index i, Index j) {
  const auto ready = [&](Kind kind, Index level, Index rank) {
    t.is_taken = true;
    push(kind, i, j, t.at, level, rank);
  };
  for (;; ++t.at) {
    const Index k = t.at;
    if (!is_in_next_step(i, j, k)) break;
    const bool is_accepted = accepted_ > k;
    if (k == i && k == j) {
      if (!t.is_solved) return ready(diagonal, k, 0);
      if (!is_accepted) return;
    } else if (k == j || (k == i && is_symmetric_)) {
      if (!t.is_solved) {
        if (factored_ > k && restores_left_ == 0)
          ready(solve, k, i);  // restores of the step before still read the copies that a solve overwrites
        return;
      }
      if (!is_accepted) return;
      if (steps_.has_failed(k)) return ready(restore, k + 1, i);
    } else {
      if (!is_accepted) return;
      if (k == i) return ready(row, std::max(j, k), 0);
      if (!is_symmetric_ && tile(k, j).at <= k) return;
      return ready(update, std::max(k, std::min(i, j)), i);
    }
    t.is_solved = false;  // nothing was left to do in step k
  }
  t.is_over = true;
  t.at = static_cast<std::int32_t>(columns_);
  if (--panel_left_ == 0) end_panel();
}

template <class T>
void FrontTasks<T>::push_ready_lower_tile(Tile& t, Index i, Index j) {
  if (!is_in_next_step(i, j, t.at)) {
    t.is_over = true;
    if (--panel_left_ == 0) end_panel();
    return;
  }
  if (accepted_ <= t.at || (t.at != j && tile(i, t.at).at <= t.at)) return;
  t.is_taken = true;
  push(lower, i, j, t.at, std::max<Index>(t.at, j) + 1, i);
}

template <class T>
void FrontTasks<T>::push_ready_column(Index j) {
  for (Index i = 0; i < rows_; ++i) push_if_ready(i, j);
}

template <class T>
void FrontTasks<T>::push_ready_tiles() {
  for (Index j = 0; j < columns_; ++j) push_ready_column(j);
}

template <class T>
void FrontTasks<T>::end_panel() {
  left_ += columns_ - 1;
  for (Index j = 0; j < columns_; ++j) push(finish, 0, j, 0, finish_level, j);
}

/// LU: are the rows of L21 that a tile of C reads complete in steps from .. to - 1?
template <class T>
bool FrontTasks<T>::has_lower(const ContributionCut& cut, Index from, Index to) {
  const Index top = cuts_.start[columns_] + cut.top, end = top + cut.rows;
  for (Index b = columns_; b < blocks_ && cuts_.start[b] < end; ++b) {
    if (cuts_.start[b + 1] <= top) continue;
    for (Index k = from; k < to; ++k)
      if (tile(blocks_ + b - columns_, k).at <= k) return false;
  }
  return true;
}

template <class T>
void FrontTasks<T>::push_ready_contributions() {
  for (Index t = 0; t < static_cast<Index>(contributions_.size()); ++t) push_ready_contribution(t);
}

template <class T>
void FrontTasks<T>::push_ready_contribution(Index t) {
  ContributionState& c = contributions_[t];
  const Index to = std::min<Index>(c.from + cuts_.depth, columns_);
  if (c.is_taken || c.from == columns_ || accepted_ < to) return;
  if (!is_symmetric_ && !has_lower(cuts_of_c_[t], c.from, to)) return;
  c.is_taken = true;
  push(contribution, t, c.from, to, contribution_level, t);
}

template <class T>
void FrontTasks<T>::count_votes(Index k) {
  factored_ = k + 1;
  votes_left_ = 0;
  for (Index i = 0; i < blocks_; ++i) votes_left_ += i > k || (i < k && steps_.has_failed(i));
  if (votes_left_ == 0) push(accept, k, 0, k, k);
  push_ready_voters(k);
}

template <class T>
void FrontTasks<T>::push_ready_voters(Index k) {
  for (Index i = 0; i < blocks_; ++i) {
    if (i == k) continue;
    if (is_symmetric_ && i < k)
      push_if_ready(k, i);
    else
      push_if_ready(i, k);
  }
}

template <class T>
void FrontTasks<T>::end_acceptance(Index k) {
  accepted_ = k + 1;
  failed_ += steps_.failed(k);
  if (steps_.has_failed(k))
    for (Index i = 0; i < blocks_; ++i) restores_left_ += i > k || (i < k && steps_.has_failed(i));
  done_.add(1);
  push_ready_tiles();
  push_ready_contributions();
}

template <class T>
void FrontTasks<T>::run(const Task& task) {
  const Index i = task.i, j = task.j, k = task.k;
  switch (task.kind) {
    case add:
      return add_(j);
    case diagonal:
      std::ranges::fill(votes_, static_cast<std::int32_t>(steps_.diagonal(k)));
      return;
    case accept:
      steps_.accept(k, *std::ranges::min_element(votes_));
      return;
    case solve:
      votes_[k == j ? i : j] =
          static_cast<std::int32_t>(k == j ? steps_.solve(i, k) : steps_.solve_failed(k, j));
      return;
    case restore:
      return k == j ? steps_.restore(i, k) : steps_.restore_failed(k, j);
    case row:
      return steps_.solve_row(k, j);
    case update:
      return steps_.update(i, j, k);
    case lower:
      return k == j ? steps_.solve_lower(i - blocks_, k) : steps_.update_lower(i - blocks_, j, k);
    case contribution:
      return steps_.update_contribution(cuts_of_c_[i], j, k);
    case add_border:
      return add_border_(strips_[j].first, strips_[j].second);
    case finish:
      return steps_.finish(j);
  }
}

template <class T>
void FrontTasks<T>::on_contribution_done(Index t) {
  ContributionState& c = contributions_[t];
  const Index strip = cuts_of_c_[t].strip;
  c.is_taken = false;
  c.from = static_cast<std::int32_t>(std::min<Index>(c.from + cuts_.depth, columns_));
  if (c.from < columns_) return push_ready_contribution(t);
  done_.add(1);
  if (--strip_left_[strip] > 0) return;
  push(add_border, 0, strip, 0, border_level);
}

template <class T>
void FrontTasks<T>::done(const Task& task) {
  const Index i = task.i, j = task.j, k = task.k;
  if (task.kind == contribution) return on_contribution_done(i);
  if (task.kind == finish || task.kind == add_border) {
    --left_;
    return;
  }
  if (task.kind == add) {
    is_added_[j] = 1;
    return push_ready_column(j);
  }
  if (task.kind == accept) return end_acceptance(k);
  Tile& t = tile(i, j);
  t.is_taken = false;
  switch (task.kind) {
    case diagonal:
      t.is_solved = true;
      return count_votes(k);
    case solve:
      t.is_solved = true;
      if (--votes_left_ == 0) push(accept, k, 0, k, k);
      return;
    case restore:
      ++restored_;
      t.is_solved = false;
      break;
    default:
      break;
  }
  ++t.at;
  push_if_ready(i, j);
  if (task.kind == row) push_ready_column(j);
  if (task.kind == restore && --restores_left_ == 0 && factored_ > accepted_) push_ready_voters(accepted_);
  if (task.kind == lower && k == j) {
    for (Index other = 0; other < columns_; ++other) push_if_ready(i, other);
    push_ready_contributions();
  }
}

OVERLAPACK_INSTANTIATE_CLASS(FrontTasks);

}  // namespace overlapack::sparse::multifrontal
