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

/// The sweeps of one solve on one rank, through one part of the layout.
///   plain        L y = P_r b by L's panels, U P_c^T x = y by U's
///   transposed   U^T y = P_c^T b by U's, L^T P_r x = y by L's
template <class T>
class Sweeps {
 public:
  Sweeps(comm::Exchange& exchange, const LayoutPart& part, const NodePanels<T>& panels, bool is_transposed,
         MatrixView<T> X)
      : rank_(exchange.rank()),
        exchange_(exchange),
        lists_(part.lists),
        panels_(panels),
        nodes_(part.nodes),
        is_transposed_(is_transposed),
        X_(X) {}

  void forward() {
    for (Index k = 0; k < nodes_.nodes(); ++k) forward(k);
  }
  void backward() {
    for (Index k = nodes_.nodes() - 1; k >= 0; --k) backward(k);
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
    const MatrixView<const T> all = (is_lower ? panels_.lower : panels_.upper)[k].values;
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
  comm::Exchange& exchange_;
  const SolveLists& lists_;
  const NodePanels<T>& panels_;
  const NodeGrid& nodes_;
  bool is_transposed_;
  MatrixView<T> X_;  ///< variables of this part x nrhs: parts that I own; sums, then parts of others
  std::vector<T> work_, sum_;
};

/// The first triangle forward, with the exchanges before it; the second one backward, with those behind it.
template <class T>
void Sweeps<T>::solve_square(Index k, bool is_forward) {
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
    for (const std::int32_t giver : lists_.half(is_lower).givers(k))  // sums come from the panels' lines
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
    if (lists_.half(is_lower).last[segment.node] == k && !nodes_.owns_diagonal(segment.node))
      exchange_.send(nodes_.owner(segment.node), {NodeMessage::forward_sum, segment.node},
                     copy(part_of_X(segment.node)));
}

template <class T>
void Sweeps<T>::backward(Index k) {
  const bool is_lower = is_transposed_;
  if (has_panel(is_lower, k)) send_sums(k, is_lower);
  const auto& half = lists_.half(is_lower);
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

/// Right-hand sides of one part: what is mine of it, 0 elsewhere.
template <class T>
struct PartVectors {
  const LayoutPart& part;
  std::vector<T> values;

  Index rows() const { return static_cast<Index>(part.variable.size()); }
  MatrixView<T> view(Index nrhs) { return {values.data(), rows(), nrhs, std::max(rows(), Index{1})}; }

  /// visit(i, v): number i here is variable v of B, which is mine.
  template <class Visit>
  void for_each_of_mine(Visit&& visit) const {
    for (Index k = 0; k < part.nodes.nodes(); ++k)
      if (part.nodes.owns_diagonal(k))
        for (Index i = part.nodes.first(k); i < part.nodes.first(k) + part.nodes.width(k); ++i)
          visit(i, part.variable[i]);
  }
};

/// One block of right-hand sides on its way through both parts.
template <class T>
class BlockSolve {
 public:
  BlockSolve(comm::Rank& rank, const NodeState<T>& state, kernels::Op op, Index nrhs)
      : rank_(rank),
        state_(state),
        layout_(state.layout),
        is_transposed_(op != kernels::Op::none),
        is_conjugated_(op == kernels::Op::conj_trans),
        nrhs_(nrhs),
        subtrees_{layout_.subtrees, zeros(layout_.subtrees)},
        top_{layout_.top, zeros(layout_.top)} {}

  void run(const T* b, T* x) {
    take(b);
    comm::Exchange exchange(rank_, comm::Lane::bulk);
    Sweeps<T> below(exchange, layout_.subtrees, state_.subtrees, is_transposed_, subtrees_.view(nrhs_)),
        above(exchange, layout_.top, state_.top, is_transposed_, top_.view(nrhs_));
    below.forward();
    hand_up(exchange);
    above.forward();
    above.backward();
    hand_down(exchange);
    below.backward();
    exchange.close();
    give(x);
    comm::collective::barrier(rank_);  // nobody else's next messages while a receive of this lane is posted
  }

 private:
  std::vector<T> zeros(const LayoutPart& part) const {
    return std::vector<T>(part.variable.size() * static_cast<std::size_t>(nrhs_), T(0));
  }
  VectorSide<T, Index> side(bool of_rows) const {
    const auto& found = of_rows ? state_.rows : state_.columns;
    return {found.number, found.scale, is_conjugated_};
  }

  void take(const T* b);
  void give(T* x);
  void hand_up(comm::Exchange& exchange);
  void hand_down(comm::Exchange& exchange);
  Body rows_of(const PartVectors<T>& from, std::span<const std::int32_t> variables) const;

  comm::Rank& rank_;
  const NodeState<T>& state_;
  const SupernodalLayout& layout_;
  bool is_transposed_, is_conjugated_;
  Index nrhs_;
  PartVectors<T> subtrees_, top_;
};

/// Rank 0's right-hand sides as those of B (transposed: of B^T), where their squares are.
template <class T>
void BlockSolve<T>::take(const T* b) {
  const auto n = static_cast<Index>(layout_.home.size());
  Body body;
  if (rank_.rank() == 0) {
    const VectorSide<T, Index> from = side(!is_transposed_);
    std::vector<T> permuted(static_cast<std::size_t>(n * nrhs_));
    for (Index j = 0; j < nrhs_; ++j)
      for (Index i = 0; i < n; ++i) permuted[i + j * n] = from.value(b + j * n, i);
    body = Body::adopt(std::move(permuted));
  }
  body = comm::collective::broadcast(rank_, 0, std::move(body));
  for (PartVectors<T>* const part : {&subtrees_, &top_})
    part->for_each_of_mine([&](Index i, std::int32_t v) {
      for (Index j = 0; j < nrhs_; ++j) part->values[i + j * part->rows()] = body.as<T>()[v + j * n];
    });
}

/// The parts of all owners into the caller's x: of each rank its subtrees, then its squares on the grid.
template <class T>
void BlockSolve<T>::give(T* x) {
  const auto n = static_cast<Index>(layout_.home.size());
  std::vector<T> mine;
  for (const PartVectors<T>* const part : {&subtrees_, &top_})
    part->for_each_of_mine([&](Index i, std::int32_t) {
      for (Index j = 0; j < nrhs_; ++j) mine.push_back(part->values[i + j * part->rows()]);
    });
  const std::vector<Body> parts = comm::collective::gather(rank_, 0, Body::adopt(std::move(mine)));
  if (rank_.rank() != 0) return;
  const VectorSide<T, Index> to = side(is_transposed_);
  std::vector<const T*> next;
  for (const Body& part : parts) next.push_back(part.as<T>().data());
  const auto set = [&](std::int32_t v) {
    for (Index j = 0; j < nrhs_; ++j) to.set(x + j * n, v, *next[layout_.owner_of(v)]++);
  };
  for (std::int32_t v = 0; v < n; ++v)
    if (layout_.home[v] < 0) set(v);
  const NodeGrid& nodes = layout_.top.nodes;
  for (Index k = 0; k < nodes.nodes(); ++k)
    for (Index i = nodes.first(k); i < nodes.first(k) + nodes.width(k); ++i) set(layout_.top.variable[i]);
}

template <class T>
Body BlockSolve<T>::rows_of(const PartVectors<T>& from, std::span<const std::int32_t> variables) const {
  std::vector<T> values;
  for (Index j = 0; j < nrhs_; ++j)
    for (const std::int32_t v : variables) values.push_back(from.values[v + j * from.rows()]);
  return Body::adopt(std::move(values));
}

/// What subtrees subtract from parts above them, in the order of ranks.
template <class T>
void BlockSolve<T>::hand_up(comm::Exchange& exchange) {
  const BorderLists::Side &sent = layout_.border.sent, &received = layout_.border.received;
  const int me = rank_.rank();
  for (int to = 0; to < sent.ranks(); ++to)
    if (to != me && !sent.variables(to).empty())
      exchange.send(to, {NodeMessage::border_sum}, rows_of(subtrees_, sent.variables(to)));
  for (int from = 0; from < received.ranks(); ++from) {
    const auto variables = received.variables(from);
    if (variables.empty()) continue;
    const Body body = from == me ? rows_of(subtrees_, sent.variables(me))
                                 : exchange.receive(from, {NodeMessage::border_sum}).body;
    const T* value = body.as<T>().data();
    for (Index j = 0; j < nrhs_; ++j)
      for (const std::int32_t v : variables) top_.values[v + j * top_.rows()] += *value++;
  }
}

/// The solution above the subtrees to those that have it in their lists.
template <class T>
void BlockSolve<T>::hand_down(comm::Exchange& exchange) {
  const BorderLists::Side &sent = layout_.border.sent, &received = layout_.border.received;
  const int me = rank_.rank();
  for (int to = 0; to < received.ranks(); ++to)
    if (to != me && !received.variables(to).empty())
      exchange.send(to, {NodeMessage::border_part}, rows_of(top_, received.variables(to)));
  for (int from = 0; from < sent.ranks(); ++from) {
    const auto variables = sent.variables(from);
    if (variables.empty()) continue;
    const Body body = from == me ? rows_of(top_, received.variables(me))
                                 : exchange.receive(from, {NodeMessage::border_part}).body;
    const T* value = body.as<T>().data();
    for (Index j = 0; j < nrhs_; ++j)
      for (const std::int32_t v : variables) subtrees_.values[v + j * subtrees_.rows()] = *value++;
  }
}

}  // namespace

template <class T>
void solve(comm::Rank& rank, const NodeState<T>& state, kernels::Op op, const T* b, T* x, Index nrhs) {
  const auto n = static_cast<Index>(state.layout.home.size());
  for (Index first = 0; first < nrhs; first += state.rhs_block)
    BlockSolve<T>(rank, state, op, std::min(state.rhs_block, nrhs - first)).run(b + first * n, x + first * n);
}

#define OVERLAPACK_INSTANTIATE(T) \
  template void solve(comm::Rank&, const NodeState<T>&, kernels::Op, const T*, T*, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
