/// The part of ColumnLdlt that stores columns of L, delays variables that fail, and keeps the bundles and
/// their lists.
#include "base/instantiate.hpp"
#include "sparse/block_triangular/columns/column_ldlt.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::block_triangular {

/// Appends a column of L for each pivot: the entries of own_ and partner_ in these rows, which become zero there.
template <class T>
void ColumnLdlt<T>::store_columns(std::span<const Node> pivots, std::vector<Node>& rows) {
  EntryColumns<T>& L = factors_.lower;
  const auto live = static_cast<Node>(rows.size()), count = static_cast<Node>(pivots.size());
  const auto first = static_cast<Node>(step_);
  const bool extends = extended_ >= 0 && bundles_[extended_].live == live;
  if (extends)  // the bundle has exactly these rows
    std::copy_n(live_rows(bundles_[extended_]), live, rows.begin());
  else if (stats_.pivots.delayed == 0)
    std::ranges::sort(rows);
  else
    std::ranges::sort(rows, {}, [&](Node i) { return std::pair(turn_of_[i], i); });
  const auto entries = static_cast<std::size_t>(L.size() + live * count);
  L.row.resize(entries);
  L.value.resize(entries);
  Work* const columns[] = {&own_, &partner_};
  for (Node k = 0; k < count; ++k) {
    const Index at = L.start[step_];
    T* const x = columns[k]->x.data();
    for (Node i = 0; i < live; ++i) {
      L.row[at + i] = rows[i];
      L.value[at + i] = std::exchange(x[rows[i]], T(0));
    }
    factors_.row_of_pivot[step_] = pivots[k];
    step_of_[pivots[k]] = static_cast<Node>(step_);
    L.start[++step_] = at + live;
  }
  if (extends) {
    Bundle& bundle = bundles_[extended_];
    bundle.end = first + count;
    bundle.tail = L.size();
    bundle.is_new = true;
  } else if (live > 0) {
    here_.push_back(static_cast<Node>(bundles_.size()));
    bundles_.push_back({.first = first,
                        .end = first + count,
                        .live = live,
                        .tail = L.size(),
                        .pivot = factors_.pivot[first]});
  }
  extended_ = -1;
}

/// Removes m from the live rows of its bundles.
template <class T>
void ColumnLdlt<T>::remove_from_bundles(Node m) {
  for (const Node b : here_) {
    Bundle& bundle = bundles_[b];
    const Index at = position_in(bundle, m);
    if (at < 0) continue;
    if (at > 0)
      for (Index k = bundle.first; k < bundle.end; ++k) {
        const auto row = factors_.lower.row.begin() + live_from(bundle, k);
        std::swap(row[0], row[at]);
        std::swap(live_values(bundle, k)[0], live_values(bundle, k)[at]);
      }
    --bundle.live;
    bundle.is_new = false;
    if (bundle.end == step_) extended_ = b;
  }
}

/// Delays the members without a pivot to the first later turn with which one of them has an entry; no bundle
/// needs them before.
template <class T>
void ColumnLdlt<T>::delay_variable(Node p) {
  if (next_turn_ == factors_.columns()) {
    stats_.has_given_up = plan_.columns.may_give_up;
    if (stats_.has_given_up) return;
    refuse_singular(std::to_string(members_.size()) + " of " + std::to_string(factors_.columns()) +
                        " pivots are below the threshold to the end",
                    "method multifrontal");
  }
  const auto next = static_cast<Node>(next_turn_);
  for (const Node b : here_) move_behind(bundles_[b], next);
  for (auto m = members_.rbegin(); m != members_.rend(); ++m) {
    turn_of_[*m] = next;
    next_waiting_[*m] = std::exchange(first_waiting_[next], *m);
  }
  stats_.pivots.delayed += static_cast<Index>(members_.size());
  first_waiting_[p] = -1;
}

/// Moves a bundle's rows of the current turn, which come first, behind its rows of turns before p.
template <class T>
void ColumnLdlt<T>::move_behind(const Bundle& bundle, Node p) {
  const Node* const row = live_rows(bundle);
  const auto turn = [&](Index i) { return turn_of_[row[i]]; };
  Index count = 0, to = 0;
  while (count < bundle.live && turn(count) == turn(0)) ++count;
  for (to = count; to < bundle.live && turn(to) < p;) ++to;
  if (bundle.live == 0 || turn(0) >= turn_ || to == count) return;
  for (Index k = bundle.first; k < bundle.end; ++k) {
    const auto rows = factors_.lower.row.begin() + live_from(bundle, k);
    T* const values = live_values(bundle, k);
    std::rotate(rows, rows + count, rows + to);
    std::rotate(values, values + count, values + to);
  }
}

template <class T>
void ColumnLdlt<T>::list_new_bundles() {
  for (const Node b : here_) {
    Bundle& bundle = bundles_[b];
    if (bundle.live == 0) continue;
    const Node first = turn_of_[live_rows(bundle)[0]];
    bundle.next = std::exchange(list_[first], b);
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                        \
  template void ColumnLdlt<T>::store_columns(std::span<const Node>, std::vector<Node>&); \
  template void ColumnLdlt<T>::remove_from_bundles(Node);                                \
  template void ColumnLdlt<T>::delay_variable(Node);                                     \
  template void ColumnLdlt<T>::list_new_bundles();
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::block_triangular
