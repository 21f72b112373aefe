#include "sparse/multifrontal/inverse/inverse_walk.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

template <class T>
InverseWalk<T>::InverseWalk(comm::Rank& rank, FactorState<T>& state, const WantedEntries& wanted,
                            std::span<T> value)
    : rank_(rank),
      state_(state),
      structure_(state.structure),
      wanted_(wanted),
      value_(value),
      inverter_(state.structure),
      position_of_unknown_(static_cast<std::size_t>(state.structure.tree.n), -1),
      position_of_equation_(position_of_unknown_),
      walk_(rank, state.structure.tasks, dist::Direction::downward, state.walk, *this) {
  sort_entries();
  set_read_order_of_file();
}

template <class T>
void InverseWalk<T>::run_all() {
  walk_.run();
  if (state_.file) state_.file->stop_thread();
  state_.ledger.pool.clear();
}

/// Sorts the wanted entries of this rank's fronts by front.
template <class T>
void InverseWalk<T>::sort_entries() {
  entry_start_.assign(static_cast<std::size_t>(structure_.tree.fronts()) + 2, 0);
  const auto is_here = [&](std::int32_t front) { return front >= 0 && state_.is_mine(front); };
  for (const std::int32_t front : wanted_.front)
    if (is_here(front)) ++entry_start_[static_cast<std::size_t>(front) + 2];
  for (std::size_t f = 2; f < entry_start_.size(); ++f) entry_start_[f] += entry_start_[f - 1];
  entry_.resize(static_cast<std::size_t>(entry_start_.back()));
  for (Index k = 0; k < wanted_.size(); ++k) {
    const std::int32_t front = wanted_.front[static_cast<std::size_t>(k)];
    if (is_here(front))
      entry_[static_cast<std::size_t>(entry_start_[static_cast<std::size_t>(front) + 1]++)] = k;
  }
}

/// Announces to the file of factors the order in which the walk will need its segments.
template <class T>
void InverseWalk<T>::set_read_order_of_file() {
  if (!state_.file) return;
  std::vector<std::int32_t> order;
  for (Index f = structure_.tree.fronts() - 1; f >= 0; --f) {
    if (!state_.is_mine(f) || !is_needed(f)) continue;
    const std::int32_t segment = state_.front(f).position.segment;
    if (segment >= 0 && (order.empty() || order.back() != segment)) order.push_back(segment);
  }
  state_.file->set_read_order(std::move(order));
}

template <class T>
void InverseWalk<T>::read_factors_of(Index task) {
  if (!state_.file) return;
  std::vector<Index> fronts;
  for (Index f = structure_.task_front[task]; f < structure_.task_front[task + 1]; ++f)
    if (is_needed(f)) fronts.push_back(f);
  read_fronts(rank_, state_, fronts);
}

template <class T>
bool InverseWalk<T>::run(Index task) {
  const Index first = structure_.task_front[task], end = structure_.task_front[task + 1];
  double flops = 0;
  for (Index f = first; f < end; ++f)
    if (is_needed(f)) flops += inverse_flops<T>(structure_, f);
  read_factors_of(task);
  rank_.compute({"inverse", flops}, [&] {
    for (Index f = end - 1; f >= first; --f)
      if (is_needed(f)) compute(f);
  });
  for (Index f = first; f < end; ++f) send_to_children(f);
  return true;
}

template <class T>
void InverseWalk<T>::compute(Index f) {
  const Front<T>& front = state_.front(f);
  Held held;
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c])
    held.children += is_needed(c);
  const Index order = front.order(), e = front.eliminated;
  held.block = HeldBlock(state_.ledger, static_cast<std::size_t>(padded_ld(order) * order) * sizeof(T));
  held_.emplace(f, std::move(held));
  const MatrixView<T> Z = inverse_of(front);
  take_from_parent(front, Z.block(e, e, order - e, order - e));
  inverter_.compute_rest_of_inverse(front, Z);
  read_wanted_entries(f, Z);
  if (held_.at(f).children == 0) release_parent_block(f);
}

template <class T>
void InverseWalk<T>::take_from_parent(const Front<T>& front, MatrixView<T> Zoo) {
  const Index parent = structure_.tree.parent[front.number], e = front.eliminated;
  if (parent < 0 || Zoo.empty()) return;
  const auto delayed = static_cast<std::size_t>(front.delayed());
  if (state_.is_mine(parent)) {
    copy_shared(parent, {front.col_name + e, delayed}, {front.row_name + e, delayed},
                structure_.tree.rows(front.number), front.border, Zoo);
    return;
  }
  const auto parked = parked_.extract(front.number);
  const T* from = parked.mapped().template as<T>().data();
  for (Index j = 0; j < Zoo.cols; ++j, from += Zoo.rows) std::copy_n(from, Zoo.rows, Zoo.column(j));
}

/// to <- Z of the parent at the rows and columns that a child shares with it: the child's delayed unknowns
/// and equations, then its border.
template <class T>
void InverseWalk<T>::copy_shared(Index parent, std::span<const std::int32_t> unknowns,
                                 std::span<const std::int32_t> equations, const std::int32_t* border,
                                 Index borders, MatrixView<T> to) {
  const Front<T>& front = state_.front(parent);
  name_positions(front);
  const auto find = [&](std::span<const std::int32_t> delayed, const std::vector<std::int32_t>& position,
                        std::vector<std::int32_t>& at) {
    at.clear();
    for (const std::int32_t name : delayed) at.push_back(position[static_cast<std::size_t>(name)]);
    for (Index i = 0; i < borders; ++i) at.push_back(position[static_cast<std::size_t>(border[i])]);
  };
  find(unknowns, position_of_unknown_, at_unknown_);
  find(equations, position_of_equation_, at_equation_);
  const MatrixView<const T> Z = inverse_of(front);
  for (Index j = 0; j < to.cols; ++j) {
    const T* const from = Z.column(at_equation_[static_cast<std::size_t>(j)]);
    T* const column = to.column(j);
    for (Index i = 0; i < to.rows; ++i) column[i] = from[at_unknown_[static_cast<std::size_t>(i)]];
  }
  release_parent_block(parent);
}

/// Sets the positions of the rows and columns of B in this front.
template <class T>
void InverseWalk<T>::name_positions(const Front<T>& front) {
  if (named_ == front.number) return;
  named_ = front.number;
  const std::int32_t* const rows = structure_.tree.rows(front.number);
  const auto summed = static_cast<std::int32_t>(front.summed);
  for (std::int32_t i = 0; i < summed; ++i) {
    position_of_unknown_[static_cast<std::size_t>(front.col_name[i])] = i;
    position_of_equation_[static_cast<std::size_t>(front.row_name[i])] = i;
  }
  for (std::int32_t i = 0; i < front.border; ++i)
    position_of_unknown_[static_cast<std::size_t>(rows[i])] =
        position_of_equation_[static_cast<std::size_t>(rows[i])] = summed + i;
}

/// The wanted entries that front f holds.
template <class T>
void InverseWalk<T>::read_wanted_entries(Index f, MatrixView<const T> Z) {
  const Index first = entry_start_[static_cast<std::size_t>(f)],
              end = entry_start_[static_cast<std::size_t>(f) + 1];
  if (first == end) return;
  name_positions(state_.front(f));
  for (Index at = first; at < end; ++at) {
    const auto k = static_cast<std::size_t>(entry_[static_cast<std::size_t>(at)]);
    value_[k] = Z(position_of_unknown_[static_cast<std::size_t>(wanted_.unknown[k])],
                  position_of_equation_[static_cast<std::size_t>(wanted_.equation[k])]);
  }
}

/// One child less needs Z of front f.
template <class T>
void InverseWalk<T>::release_parent_block(Index f) {
  const auto at = held_.find(f);
  if (--at->second.children > 0) return;
  at->second.block.give_back();
  held_.erase(at);
}

template <class T>
void InverseWalk<T>::send_to_children(Index f) {
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c]) {
    if (state_.is_mine(c)) continue;
    std::vector<T> block;
    if (is_needed(c)) {
      const auto& remote = state_.remote[c];
      const Index m = structure_.tree.border(c), order = static_cast<Index>(remote.col_name().size()) + m;
      block.resize(static_cast<std::size_t>(order * order));
      copy_shared(f, remote.col_name(), remote.row_name(), structure_.tree.rows(c), m,
                  {block.data(), order, order, std::max<Index>(order, 1)});
    }
    auto [header, body] = VectorMessage<T>{c, 0, 0, {}}.pack(MessageKind::inverse_part, std::move(block));
    walk_.send(structure_.task_of[c], header, std::move(body),
               c + 1 == structure_.task_front[structure_.task_of[c] + 1]);
  }
}

OVERLAPACK_INSTANTIATE_CLASS(InverseWalk);

}  // namespace overlapack::sparse::multifrontal
