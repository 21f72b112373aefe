#include "sparse/supernodal/factorize/steps.hpp"

#include "base/copy_into.hpp"
#include "base/instantiate.hpp"
#include "comm/receive.hpp"
#include "comm/values.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/update/swap.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/supernodal/layout/received.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace overlapack::sparse::supernodal {

template <class T>
Steps<T>::Steps(comm::Rank& rank, const NodeGrid& nodes, RankPanels<T>& panels, const FactorPlan& plan,
                const PivotTest<T>& test, const FactorWatch& watch, FactorStats& stats)
    : rank_(rank),
      nodes_(nodes),
      panels_(panels),
      plan_(plan),
      watch_(watch),
      test_(test),
      stats_(stats),
      is_phantom_(rank.capabilities().is_phantom),
      update_(rank, nodes, panels, plan, plan.nodes.schedule == Schedule::look_ahead, stats) {}

template <class T>
int Steps<T>::depth() const {
  return plan_.nodes.depth;
}

template <class T>
bool Steps<T>::has_rows_ahead() const {
  return plan_.nodes.rows_ahead;
}

template <class T>
void Steps<T>::factor_column(Index k) {
  if (!nodes_.has_lower(k)) return;
  if (nodes_.owns_diagonal(k)) factor_square_of(k);
  broadcast_square(k);
  const NodePanel<T>& panel = panels_.lower[k];
  const Index w = nodes_.width(k), above = nodes_.has_square(k) ? w : 0;
  const MatrixView<T> L = panel.values.block(above, 0, panel.values.rows - above, w);
  if (L.rows == 0) return;
  const NodePanel<const T> square = square_of(k);
  const auto cost = kernels::triangular_cost<T>(w, L.rows);
  stats_.flops += cost.flops;
  rank_.compute({.kind = "trsm", .flops = cost.flops, .bytes = cost.bytes, .m = L.rows, .n = w, .k = w}, [&] {
    square_.resize(static_cast<std::size_t>(w * w));  // U_KK^T
    const MatrixView<T> transposed{square_.data(), w, w, w};
    for (Index j = 0; j < w; ++j)
      for (Index i = 0; i <= j; ++i) transposed(j, i) = square.values(i, j);
    permute_columns(L, square.column_order());
    kernels::solve_right_lower_trans<T>(transposed, false, false, L);
  });
  if (!nodes_.owns_diagonal(k)) free_panel(lower_, k);  // the received square is not needed any more
}

/// Apply the exchanges of a node's square to one of its panels.
template <class T>
void Steps<T>::permute_columns(MatrixView<T> panel, std::span<const std::int32_t> order) {
  if (std::ranges::is_sorted(order)) return;  // a permutation: nothing moves
  order_.assign(order.begin(), order.end());
  square_work_.values.resize(static_cast<std::size_t>(panel.rows));
  kernels::permute_columns<T>(panel, order_, square_work_.values);
}

template <class T>
void Steps<T>::factor_square_of(Index k) {
  const Index w = nodes_.width(k);
  const NodePanel<T>& panel = panels_.lower[k];
  const double order = static_cast<double>(w);
  const auto cost = kernels::cost_of<T>(order * (order - 1) * (4 * order + 1) / 12, 2 * order * order);
  stats_.flops += cost.flops;
  SquareResult result;
  rank_.compute({.kind = "diagonal", .flops = cost.flops, .bytes = cost.bytes, .m = w, .n = w, .k = w}, [&] {
    result = factor_square<T>(panel.values.block(0, 0, w, w), test_, panel.row_order(), panel.column_order(),
                              square_work_);
  });
  if (!result.is_finite)
    throw Error(Status::bad_input, "numbers left the range of their type in node " + std::to_string(k) +
                                       " of " + std::to_string(nodes_.nodes()) +
                                       ": use matching on or scaling ruiz, or compute in double precision");
  ++stats_.nodes;
  stats_.pivots.exchanged += result.exchanged;
  stats_.pivots.perturbed += result.replaced;
  smallest_pivot_ = std::min(smallest_pivot_, result.smallest);
}

/// Send the square and its exchanges from their owner to the ranks of PROC_c(K) that have rows below.
template <class T>
void Steps<T>::broadcast_square(Index k) {
  const Index w = nodes_.width(k);
  const std::size_t bytes = panel_bytes<T>(w, w, true);
  if (!nodes_.owns_diagonal(k)) {
    comm::Recv receive = rank_.post_receive(comm::Lane::bulk, nodes_.owner(k));
    return store_panel(lower_, k, w, true,
                       receive_body(rank_, std::move(receive), NodeMessage::square, k, bytes));
  }
  const std::span<const int> rows = nodes_.rows_that_need(k);
  if (rows.empty()) return;
  comm::Body body = comm::Body::phantom(bytes);
  comm::run_unless_phantom(rank_, [&] {
    std::vector<std::byte> packed(bytes);
    const NodePanel<T> from = panels_.lower[k], to = panel_at<T>(packed.data(), w, w, true);
    copy_into(from.values.block(0, 0, w, w), to.values);
    std::copy_n(from.exchanges, 2 * w, to.exchanges);
    body = comm::Body::adopt(std::move(packed));
  });
  std::vector<comm::Send> sends;
  for (const int row : rows)
    sends.push_back(rank_.start_send(comm::Lane::bulk, nodes_.grid().rank_at(row, nodes_.me().col),
                                     {.kind = NodeMessage::square, .id = {k}}, body));
  if (plan_.nodes.schedule != Schedule::look_ahead) wait_all(sends);
}

/// L_KK and U_KK on this rank: in its own panel, or in a received one.
template <class T>
NodePanel<const T> Steps<T>::square_of(Index k) {
  if (!nodes_.owns_diagonal(k)) return lower_.at(k).panel;
  const NodePanel<T>& mine = panels_.lower[k];
  return {mine.values, mine.exchanges};
}

template <class T>
void Steps<T>::factor_row(Index k) {
  if (!nodes_.has_upper(k)) return;
  const MatrixView<T> U = panels_.upper[k].values;
  const NodePanel<const T> square = square_of(k);
  const Index w = nodes_.width(k);
  const auto cost = kernels::triangular_cost<T>(w, U.rows);
  stats_.flops += cost.flops;
  rank_.compute({.kind = "trsm", .flops = cost.flops, .bytes = cost.bytes, .m = U.rows, .n = w, .k = w}, [&] {
    permute_columns(U, square.row_order());
    kernels::solve_right_lower_trans<T>(square.values.block(0, 0, w, w), true, false, U);
  });
}

template <class T>
void Steps<T>::wait_all(std::vector<comm::Send>& sends) {
  for (comm::Send& send : sends) comm::wait(rank_, send);
}

/// Sends L(:, K) along this rank's process row, or U(K, :) down its process column, if this rank has a part
/// of it.
template <class T>
std::vector<comm::Send> Steps<T>::start_sends(bool is_lower, Index k) {
  std::vector<comm::Send> sends;
  if (!(is_lower ? nodes_.has_lower(k) : nodes_.has_upper(k))) return sends;
  const comm::Body body = panels_.body(panels_.side(is_lower, k), is_phantom_);
  const NodeMessage kind = is_lower ? NodeMessage::lower : NodeMessage::upper;
  const dist::GridPosition me = nodes_.me();
  for (const int other : is_lower ? nodes_.columns_that_need(k) : nodes_.rows_that_need(k)) {
    const int to = is_lower ? nodes_.grid().rank_at(me.row, other) : nodes_.grid().rank_at(other, me.col);
    sends.push_back(rank_.start_send(comm::Lane::bulk, to, {.kind = kind, .id = {k}}, body));
  }
  return sends;
}

template <class T>
comm::Recv Steps<T>::post(bool is_lower, Index k) {
  if (!(is_lower ? nodes_.needs_lower(k) : nodes_.needs_upper(k))) return {};
  const dist::GridPosition me = nodes_.me();
  const int from = is_lower ? nodes_.grid().rank_at(me.row, nodes_.column_of(k))
                            : nodes_.grid().rank_at(nodes_.row_of(k), me.col);
  return rank_.post_receive(comm::Lane::bulk, from);
}

/// Bytes that a received panel takes on this rank: none if memory is shared, since the panel is then the
/// sender's own.
template <class T>
double Steps<T>::bytes_of_copy(const comm::Body& body) const {
  return rank_.capabilities().shared_memory ? 0 : static_cast<double>(body.size());
}

template <class T>
void Steps<T>::store_panel(Panels& panels, Index k, Index rows, bool has_square, comm::Body body) {
  held_ += bytes_of_copy(body);
  most_held_ = std::max(most_held_, held_);
  const auto panel = panel_at<const T>(body.data(), rows, nodes_.width(k), has_square);
  panels[k] = {panel, std::move(body)};
}

template <class T>
void Steps<T>::free_panel(Panels& panels, Index k) {
  if (const auto held = panels.extract(k)) held_ -= bytes_of_copy(held.mapped().body);
}

template <class T>
void Steps<T>::store_received_panel(bool is_lower, Index k, comm::Recv receive) {
  if (!receive) return;
  const Index rows = (is_lower ? nodes_.rows(k) : nodes_.columns(k)).size();
  const bool has_square = is_lower && nodes_.has_square(k);
  const std::size_t bytes = panel_bytes<T>(rows, nodes_.width(k), has_square);
  const NodeMessage kind = is_lower ? NodeMessage::lower : NodeMessage::upper;
  store_panel(is_lower ? lower_ : upper_, k, rows, has_square,
              receive_body(rank_, std::move(receive), kind, k, bytes));
}

template <class T>
void Steps<T>::send(bool is_lower, Index k) {
  auto sends = start_sends(is_lower, k);
  wait_all(sends);
}

template <class T>
void Steps<T>::receive(bool is_lower, Index k) {
  store_received_panel(is_lower, k, post(is_lower, k));
}

template <class T>
void Steps<T>::start(bool is_lower, Index k) {
  (is_lower ? columns_ : rows_)[k] = {start_sends(is_lower, k), post(is_lower, k)};
}

template <class T>
void Steps<T>::finish(bool is_lower, Index k) {
  auto under_way = (is_lower ? columns_ : rows_).extract(k);
  if (!under_way) return;
  wait_all(under_way.mapped().sends);
  store_received_panel(is_lower, k, std::move(under_way.mapped().receive));
}

template <class T>
MatrixView<const T> Steps<T>::lower_of(Index k) {
  return nodes_.in_column(k) ? MatrixView<const T>(panels_.lower[k].values) : lower_.at(k).panel.values;
}

template <class T>
MatrixView<const T> Steps<T>::upper_of(Index k) {
  return nodes_.in_row(k) ? MatrixView<const T>(panels_.upper[k].values) : upper_.at(k).panel.values;
}

template <class T>
void Steps<T>::update_column(Index k, Index j) {
  updated_ahead_.push_back(j);
  if (nodes_.takes_part(k) && nodes_.in_column(j)) update_.update_column(k, j, lower_of(k), upper_of(k));
}

template <class T>
void Steps<T>::update(Index k) {
  if (nodes_.takes_part(k)) update_.update_all_but(k, updated_ahead_, lower_of(k), upper_of(k));
  updated_ahead_.clear();
  free_panel(lower_, k);
  free_panel(upper_, k);
}

template <class T>
void Steps<T>::report_progress(Index k) {
  watch_.report(nodes_.flops_share_until(k));
}

OVERLAPACK_INSTANTIATE_CLASS(Steps);

}  // namespace overlapack::sparse::supernodal
