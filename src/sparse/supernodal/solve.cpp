#include "sparse/supernodal/solve.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/triangular.hpp"
#include "sparse/factors/vector_side.hpp"
#include "sparse/supernodal/message_kinds.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse {
namespace {

using comm::Body;

/// The sweeps of one solve on one rank.
///   plain        L y = P_r b by L's panels, U P_c^T x = y by U's
///   transposed   U^T y = P_c^T b by U's, L^T P_r x = y by L's
template <class T>
class Sweeps {
 public:
  Sweeps(comm::Rank& rank, const NodeState<T>& state, bool is_transposed, MatrixView<T> X)
      : rank_(rank),
        exchange_(rank, comm::Lane::bulk),
        state_(state),
        nodes_(state.nodes),
        is_transposed_(is_transposed),
        X_(X) {}

  void run() {
    for (Index k = 0; k < nodes_.nodes(); ++k) forward(k);
    for (Index k = nodes_.nodes() - 1; k >= 0; --k) backward(k);
    exchange_.close();
  }

 private:
  // L's panels stand in process columns and are spread over rows; U's the other way round.
  bool has_panel(bool is_lower, Index k) const {
    return is_lower ? nodes_.has_lower(k) : nodes_.has_upper(k);
  }
  std::span<const int> places_with_panels(bool is_lower, Index k) const {
    return is_lower ? nodes_.rows_that_need(k) : nodes_.columns_that_need(k);
  }
  /// The rank of my process column in that process row (L), or of my process row in that process column (U).
  int across(bool is_lower, int place) const {
    return is_lower ? nodes_.grid().rank_at(place, nodes_.me().col)
                    : nodes_.grid().rank_at(nodes_.me().row, place);
  }
  int my_place(bool is_lower) const { return is_lower ? nodes_.me().row : nodes_.me().col; }

  /// The part of a panel outside of the square, and its rows.
  MatrixView<const T> panel(bool is_lower, Index k) const {
    const MatrixView<const T> all = (is_lower ? state_.panels.lower : state_.panels.upper)[k].values;
    const Index above = is_lower && nodes_.has_square(k) ? nodes_.width(k) : 0;
    return all.block(above, 0, all.rows - above, all.cols);
  }
  NodePart part(bool is_lower, Index k) const {
    NodePart found = is_lower ? nodes_.rows(k) : nodes_.columns(k);
    if (is_lower && nodes_.has_square(k)) {
      found.variable = found.variable.subspan(static_cast<std::size_t>(nodes_.width(k)));
      found.segments = found.segments.subspan(1);
    }
    return found;
  }

  MatrixView<T> part_of_X(Index k) const { return X_.block(nodes_.first(k), 0, nodes_.width(k), X_.cols); }
  Body copy(MatrixView<const T> from) const {
    std::vector<T> values(static_cast<std::size_t>(from.rows * from.cols));
    for (Index j = 0; j < from.cols; ++j)
      std::copy_n(from.column(j), from.rows, values.begin() + j * from.rows);
    return Body::adopt(std::move(values));
  }
  MatrixView<const T> seen(const Body& body, Index rows) const {
    return {body.as<T>().data(), rows, X_.cols, rows};
  }
  void add(const Body& body, MatrixView<T> to) const {
    const MatrixView<const T> from = seen(body, to.rows);
    for (Index j = 0; j < to.cols; ++j)
      for (Index i = 0; i < to.rows; ++i) to(i, j) += from(i, j);
  }
  void set(const Body& body, MatrixView<T> to) const {
    const MatrixView<const T> from = seen(body, to.rows);
    for (Index j = 0; j < to.cols; ++j) std::copy_n(from.column(j), to.rows, to.column(j));
  }

  template <class F>
  void compute(Index rows, Index width, F&& f) {
    const auto cost = kernels::gemm_cost<T>(rows, X_.cols, width);
    rank_.compute(
        {.kind = "solve", .flops = cost.flops, .bytes = cost.bytes, .m = rows, .n = X_.cols, .k = width}, f);
  }

  void forward(Index k);
  void backward(Index k);
  void solve_square(Index k, bool is_forward);
  void spread(Index k, bool is_lower);
  void send_sums(Index k, bool is_lower);

  comm::Rank& rank_;
  comm::Exchange exchange_;
  const NodeState<T>& state_;
  const NodeGrid& nodes_;
  bool is_transposed_;
  MatrixView<T> X_;  ///< n x nrhs: parts that I own; sums, then parts of others
  std::vector<T> work_, sum_;
};

/// The first triangle forward, with the exchanges before it; the second one backward, with those behind it.
template <class T>
void Sweeps<T>::solve_square(Index k, bool is_forward) {
  const Index w = nodes_.width(k);
  const NodePanel<T>& mine = state_.panels.lower[k];
  const auto order = is_forward != is_transposed_ ? mine.row_order() : mine.column_order();
  const bool is_lower = is_forward != is_transposed_;
  const MatrixView<const T> square = state_.square(k);
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
    for (const std::int32_t giver :
         state_.lists.half(is_lower).givers(k))  // sums come from the panels' lines
      if (giver != my_place(!is_lower))
        add(exchange_.receive(across(!is_lower, giver), {NodeMessage::forward_sum, k}).body, part_of_X(k));
    solve_square(k, true);
    for (const int place : places_with_panels(is_lower, k))
      exchange_.send(across(is_lower, place), {NodeMessage::forward_part, k}, copy(part_of_X(k)));
  }
  if (has_panel(is_lower, k)) spread(k, is_lower);
}

/// b_i -= L(i, K) y_K; sums that are complete set out.
template <class T>
void Sweeps<T>::spread(Index k, bool is_lower) {
  const Index w = nodes_.width(k);
  Body body;
  MatrixView<const T> y = part_of_X(k);
  if (!nodes_.owns_diagonal(k)) {
    body = exchange_.receive(nodes_.owner(k), {NodeMessage::forward_part, k}).body;
    y = seen(body, w);
  }
  const NodePart rows = part(is_lower, k);
  const Index m = panel(is_lower, k).rows;
  compute(m, w, [&] {
    sum_.resize(static_cast<std::size_t>(m * X_.cols));
    const MatrixView<T> S{sum_.data(), m, X_.cols, m};
    kernels::gemm<T>(kernels::Op::none, kernels::Op::none, T(-1), panel(is_lower, k), y, T(0), S);
    const std::int32_t* const row = m > 0 ? rows.variable.data() : nullptr;
    for (Index j = 0; j < X_.cols; ++j)
      for (Index i = 0; i < m; ++i) X_(row[i], j) += S(i, j);
  });
  for (const Segment& segment : rows.segments)
    if (state_.lists.half(is_lower).last[segment.node] == k && !nodes_.owns_diagonal(segment.node))
      exchange_.send(nodes_.owner(segment.node), {NodeMessage::forward_sum, segment.node},
                     copy(part_of_X(segment.node)));
}

template <class T>
void Sweeps<T>::backward(Index k) {
  const bool is_lower = is_transposed_;
  if (has_panel(is_lower, k)) send_sums(k, is_lower);
  const auto& half = state_.lists.half(is_lower);
  if (nodes_.owns_diagonal(k)) {
    for (const int place : places_with_panels(is_lower, k))
      add(exchange_.receive(across(is_lower, place), {NodeMessage::backward_sum, k}).body, part_of_X(k));
    solve_square(k, false);
    for (const std::int32_t giver : half.givers(k))
      if (giver != my_place(!is_lower))
        exchange_.send(across(!is_lower, giver), {NodeMessage::backward_part, k}, copy(part_of_X(k)));
  } else if (half.last[k] >= 0) {  // some panel of mine needs it
    set(exchange_.receive(nodes_.owner(k), {NodeMessage::backward_part, k}).body, part_of_X(k));
  }
}

/// y_K - U(K, j) x_j: what I have of the sum, to the square's owner.
template <class T>
void Sweeps<T>::send_sums(Index k, bool is_lower) {
  const NodePart rows = part(is_lower, k);
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
    kernels::gemm<T>(kernels::Op::trans, kernels::Op::none, T(-1), panel(is_lower, k), S, T(is_mine ? 1 : 0),
                     to);
  });
  if (!is_mine) exchange_.send(nodes_.owner(k), {NodeMessage::backward_sum, k}, Body::adopt(std::move(out)));
}

/// Rank 0's right-hand sides as those of B (transposed: of B^T), where their squares are; 0 elsewhere.
template <class T>
std::vector<T> my_rhs(comm::Rank& rank, const NodeState<T>& state, const VectorSide<T, Index>& from,
                      const T* b, Index nrhs) {
  const Index n = state.nodes.order();
  Body body;
  if (rank.rank() == 0) {
    std::vector<T> permuted(static_cast<std::size_t>(n * nrhs));
    for (Index j = 0; j < nrhs; ++j)
      for (Index i = 0; i < n; ++i) permuted[i + j * n] = from.value(b + j * n, i);
    body = Body::adopt(std::move(permuted));
  }
  body = comm::collective::broadcast(rank, 0, std::move(body));
  std::vector<T> mine(static_cast<std::size_t>(n * nrhs), T(0));
  for (Index k = 0; k < state.nodes.nodes(); ++k)
    if (state.nodes.owns_diagonal(k))
      for (Index j = 0; j < nrhs; ++j)
        std::copy_n(body.as<T>().data() + state.nodes.first(k) + j * n, state.nodes.width(k),
                    mine.data() + state.nodes.first(k) + j * n);
  return mine;
}

/// The parts of all owners into the caller's x.
template <class T>
void gather_solution(comm::Rank& rank, const NodeState<T>& state, const VectorSide<T, Index>& to,
                     const std::vector<T>& X, T* x, Index nrhs) {
  const NodeGrid& nodes = state.nodes;
  const Index n = nodes.order();
  std::vector<T> mine;
  for (Index k = 0; k < nodes.nodes(); ++k)
    if (nodes.owns_diagonal(k))
      for (Index j = 0; j < nrhs; ++j) {
        const auto begin = X.begin() + nodes.first(k) + j * n;
        mine.insert(mine.end(), begin, begin + nodes.width(k));
      }
  const std::vector<Body> parts = comm::collective::gather(rank, 0, Body::adopt(std::move(mine)));
  if (rank.rank() != 0) return;
  std::vector<const T*> next;
  for (const Body& part : parts) next.push_back(part.as<T>().data());
  for (Index k = 0; k < nodes.nodes(); ++k)
    for (Index j = 0; j < nrhs; ++j)
      for (Index i = 0; i < nodes.width(k); ++i)
        to.set(x + j * n, nodes.first(k) + i, *next[nodes.owner(k)]++);
}

}  // namespace

template <class T>
void solve(comm::Rank& rank, const NodeState<T>& state, kernels::Op op, const T* b, T* x, Index nrhs) {
  const bool is_transposed = op != kernels::Op::none, is_conjugated = op == kernels::Op::conj_trans;
  const auto side = [&](bool of_rows) {
    const auto& found = of_rows ? state.rows : state.columns;
    return VectorSide<T, Index>{found.number, found.scale, is_conjugated};
  };
  const Index n = state.nodes.order();
  for (Index first = 0; first < nrhs; first += state.rhs_block) {
    const Index width = std::min(state.rhs_block, nrhs - first);
    std::vector<T> X = my_rhs(rank, state, side(!is_transposed), b + first * n, width);
    Sweeps<T>(rank, state, is_transposed, {X.data(), n, width, n}).run();
    gather_solution(rank, state, side(is_transposed), X, x + first * n, width);
    comm::collective::barrier(rank);  // nobody else's next messages while a receive of this lane is posted
  }
}

#define OVERLAPACK_INSTANTIATE(T) \
  template void solve(comm::Rank&, const NodeState<T>&, kernels::Op, const T*, T*, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
