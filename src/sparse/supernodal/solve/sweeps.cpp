#include "sparse/supernodal/solve/sweeps.hpp"

#include "base/instantiate.hpp"
#include "dense/packed.hpp"
#include "kernels/product/triangular.hpp"
#include "sparse/supernodal/factors/state.hpp"
#include "sparse/supernodal/layout/message_kinds.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::supernodal {
namespace {

using comm::Body;

template <class T>
void add(const Body& body, MatrixView<T> to) {
  const MatrixView<const T> from = dense::packed_matrix<T>(body, to.rows, to.cols);
  for (Index j = 0; j < to.cols; ++j)
    for (Index i = 0; i < to.rows; ++i) to(i, j) += from(i, j);
}

}  // namespace

// A panel of L is in one process column, distributed over its process rows; a panel of U the other way round.

template <class T>
bool Sweeps<T>::has_panel(bool is_lower, Index k) const {
  return is_lower ? nodes_.has_lower(k) : nodes_.has_upper(k);
}

template <class T>
std::span<const int> Sweeps<T>::positions_with_panels(bool is_lower, Index k) const {
  return is_lower ? nodes_.rows_that_need(k) : nodes_.columns_that_need(k);
}

/// L: the rank at process row `position` of this rank's process column. U: the rank at process column
/// `position` of its process row.
template <class T>
int Sweeps<T>::rank_in_other_dimension(bool is_lower, int position) const {
  return is_lower ? nodes_.grid().rank_at(position, nodes_.me().col)
                  : nodes_.grid().rank_at(nodes_.me().row, position);
}

/// This rank's values of the off-diagonal block of node k, of L or U,
template <class T>
MatrixView<const T> Sweeps<T>::my_off_diagonal_block(bool is_lower, Index k) const {
  const MatrixView<const T> all = (is_lower ? panels_.lower : panels_.upper)[k].values;
  const Index above = is_lower && nodes_.has_square(k) ? nodes_.width(k) : 0;
  return all.block(above, 0, all.rows - above, all.cols);
}

/// and the variables of its rows (U: columns).
template <class T>
NodePart Sweeps<T>::my_off_diagonal_indices(bool is_lower, Index k) const {
  NodePart found = is_lower ? nodes_.rows(k) : nodes_.columns(k);
  if (is_lower && nodes_.has_square(k)) {
    found.variable = found.variable.subspan(static_cast<std::size_t>(nodes_.width(k)));
    found.segments = found.segments.subspan(1);
  }
  return found;
}

template <class T>
template <class F>
void Sweeps<T>::compute(Index rows, Index width, F&& f) {
  const auto cost = kernels::gemm_cost<T>(rows, X_.cols, width);
  rank_.compute(
      {.kind = "solve", .flops = cost.flops, .bytes = cost.bytes, .m = rows, .n = X_.cols, .k = width}, f);
}

/// Forward: exchange rows, then solve with the first triangle; backward: solve with the second one, then exchange.
template <class T>
void Sweeps<T>::swap_rows_and_solve_square(Index k, bool is_forward) {
  const Index w = nodes_.width(k);
  const NodePanel<T>& mine = panels_.lower[k];
  const auto order = is_forward != is_transposed_ ? mine.row_order() : mine.column_order();
  const bool is_lower = is_forward != is_transposed_;
  const MatrixView<const T> square = square_of(panels_, k);
  const MatrixView<T> x = part_of_X(k);
  compute(w, w, [&] {
    work_.resize(static_cast<std::size_t>(w * X_.cols));
    const MatrixView<T> y{work_.data(), w, X_.cols, w};
    for (Index j = 0; j < y.cols; ++j)
      for (Index i = 0; i < w; ++i) y(i, j) = is_forward ? x(order[i], j) : x(i, j);
    if (is_lower)
      is_transposed_ ? kernels::solve_left_lower_trans<T>(square, true, false, y)
                     : kernels::solve_left_lower<T>(square, true, y);
    else
      is_transposed_ ? kernels::solve_left_upper_trans<T>(square, false, false, y)
                     : kernels::solve_left_upper<T>(square, false, y);
    for (Index j = 0; j < y.cols; ++j)
      for (Index i = 0; i < w; ++i) (is_forward ? x(i, j) : x(order[i], j)) = y(i, j);
  });
}

template <class T>
void Sweeps<T>::forward(Index k) {
  const bool is_lower = !is_transposed_;
  if (nodes_.owns_diagonal(k)) {
    for (const std::int32_t giver : lists_.half(is_lower).givers(k))  // sums from owners of panels with k
      if (giver != my_position(!is_lower))
        add(exchange_.receive(rank_in_other_dimension(!is_lower, giver), {NodeMessage::forward_sum, k}).body,
            part_of_X(k));
    swap_rows_and_solve_square(k, true);
    for (const int position : positions_with_panels(is_lower, k))
      exchange_.send(rank_in_other_dimension(is_lower, position), {NodeMessage::forward_part, k},
                     dense::packed_body<T>(part_of_X(k)));
  }
  if (has_panel(is_lower, k)) apply_panel(k, is_lower);
}

/// b_i -= L(i, K) y_K; sends the sums that are complete.
template <class T>
void Sweeps<T>::apply_panel(Index k, bool is_lower) {
  const Index w = nodes_.width(k);
  Body body;
  MatrixView<const T> y = part_of_X(k);
  if (!nodes_.owns_diagonal(k)) {
    body = exchange_.receive(nodes_.owner(k), {NodeMessage::forward_part, k}).body;
    y = dense::packed_matrix<T>(body, w, X_.cols);
  }
  const NodePart rows = my_off_diagonal_indices(is_lower, k);
  const Index m = my_off_diagonal_block(is_lower, k).rows;
  compute(m, w, [&] {
    sum_.resize(static_cast<std::size_t>(m * X_.cols));
    const MatrixView<T> S{sum_.data(), m, X_.cols, m};
    kernels::gemm<T>(kernels::Op::none, kernels::Op::none, T(-1), my_off_diagonal_block(is_lower, k), y, T(0),
                     S);
    const std::int32_t* const row = m > 0 ? rows.variable.data() : nullptr;
    for (Index j = 0; j < X_.cols; ++j)
      for (Index i = 0; i < m; ++i) X_(row[i], j) += S(i, j);
  });
  for (const Segment& segment : rows.segments)
    if (lists_.half(is_lower).last[segment.node] == k && !nodes_.owns_diagonal(segment.node))
      exchange_.send(nodes_.owner(segment.node), {NodeMessage::forward_sum, segment.node},
                     dense::packed_body<T>(part_of_X(segment.node)));
}

template <class T>
void Sweeps<T>::backward(Index k) {
  const bool is_lower = is_transposed_;
  if (has_panel(is_lower, k)) send_sums(k, is_lower);
  const auto& half = lists_.half(is_lower);
  if (nodes_.owns_diagonal(k)) {
    for (const int position : positions_with_panels(is_lower, k))
      add(exchange_.receive(rank_in_other_dimension(is_lower, position), {NodeMessage::backward_sum, k}).body,
          part_of_X(k));
    swap_rows_and_solve_square(k, false);
    for (const std::int32_t giver : half.givers(k))
      if (giver != my_position(!is_lower))
        exchange_.send(rank_in_other_dimension(!is_lower, giver), {NodeMessage::backward_part, k},
                       dense::packed_body<T>(part_of_X(k)));
  } else if (half.last[k] >= 0) {  // some panel of this rank needs it
    const Body body = exchange_.receive(nodes_.owner(k), {NodeMessage::backward_part, k}).body;
    copy_into(dense::packed_matrix<T>(body, nodes_.width(k), X_.cols), part_of_X(k));
  }
}

/// y_K - U(K, j) x_j: sends this rank's part of the sum to the square's owner.
template <class T>
void Sweeps<T>::send_sums(Index k, bool is_lower) {
  const NodePart rows = my_off_diagonal_indices(is_lower, k);
  const Index w = nodes_.width(k), m = rows.size();
  const bool is_mine = nodes_.owns_diagonal(k);
  if (m == 0) return;
  std::vector<T> out(is_mine ? 0 : static_cast<std::size_t>(w * X_.cols));
  compute(m, w, [&] {
    sum_.resize(static_cast<std::size_t>(m * X_.cols));
    const MatrixView<T> S{sum_.data(), m, X_.cols, m};
    for (Index j = 0; j < X_.cols; ++j)
      for (Index i = 0; i < m; ++i) S(i, j) = X_(rows.variable[i], j);
    const MatrixView<T> to = is_mine ? part_of_X(k) : MatrixView<T>{out.data(), w, X_.cols, w};
    kernels::gemm<T>(kernels::Op::trans, kernels::Op::none, T(-1), my_off_diagonal_block(is_lower, k), S,
                     T(is_mine ? 1 : 0), to);
  });
  if (!is_mine) exchange_.send(nodes_.owner(k), {NodeMessage::backward_sum, k}, Body::adopt(std::move(out)));
}

OVERLAPACK_INSTANTIATE_CLASS(Sweeps);

}  // namespace overlapack::sparse::supernodal
