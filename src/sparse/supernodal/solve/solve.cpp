#include "sparse/supernodal/solve/solve.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "sparse/factors/vector_side.hpp"
#include "sparse/supernodal/layout/message_kinds.hpp"
#include "sparse/supernodal/solve/sweeps.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::supernodal {
namespace {

using comm::Body;

/// Right-hand sides of one part of the layout: this rank's rows, and 0 in all others.
template <class T>
struct PartVectors {
  const LayoutPart& part;
  std::vector<T> values;

  Index rows() const { return static_cast<Index>(part.variable.size()); }
  MatrixView<T> view(Index nrhs) { return {values.data(), rows(), nrhs, std::max(rows(), Index{1})}; }

  /// visit(i, v) for each variable v of B in a square of this rank; i is its number in this part.
  template <class Visit>
  void for_each_of_mine(Visit&& visit) const {
    for (Index k = 0; k < part.nodes.nodes(); ++k)
      if (part.nodes.owns_diagonal(k))
        for (Index i = part.nodes.first(k); i < part.nodes.first(k) + part.nodes.width(k); ++i)
          visit(i, part.variable[i]);
  }
};

/// Solves one block of right-hand sides, through both parts.
template <class T>
class BlockSolve {
 public:
  BlockSolve(comm::Rank& rank, const NodeState<T>& state, kernels::Op op, Index nrhs)
      : rank_(rank),
        exchange_(rank, comm::Lane::bulk),
        state_(state),
        layout_(state.layout),
        is_transposed_(op != kernels::Op::none),
        is_conjugated_(op == kernels::Op::conj_trans),
        nrhs_(nrhs),
        subtrees_{layout_.subtrees, zeros(layout_.subtrees)},
        top_{layout_.top, zeros(layout_.top)} {}

  void run(const T* b, T* x) {
    send_right_hand_sides(b);
    Sweeps<T> below(exchange_, layout_.subtrees, state_.subtrees, is_transposed_, subtrees_.view(nrhs_)),
        above(exchange_, layout_.top, state_.top, is_transposed_, top_.view(nrhs_));
    const BorderLists& border = layout_.border;
    below.forward();
    exchange_border(NodeMessage::border_sum, subtrees_, border.sent, top_, border.received,
                    [](T& sum, T more) { sum += more; });
    above.forward();
    above.backward();
    exchange_border(NodeMessage::border_part, top_, border.received, subtrees_, border.sent,
                    [](T& there, T solved) { there = solved; });
    below.backward();
    exchange_.close();
    gather_solution(x);
    comm::collective::barrier(rank_);  // no next messages while a rank has receives of this lane posted
  }

 private:
  std::vector<T> zeros(const LayoutPart& part) const {
    return std::vector<T>(part.variable.size() * static_cast<std::size_t>(nrhs_), T(0));
  }
  VectorSide<T, Index> side(bool of_rows) const {
    const auto& found = of_rows ? state_.rows : state_.columns;
    return {found.number, found.scale, is_conjugated_};
  }

  void send_right_hand_sides(const T* b);
  void gather_solution(T* x);
  template <class Combine>
  void exchange_border(NodeMessage kind, const PartVectors<T>& from, const BorderLists::Side& sent,
                       PartVectors<T>& to, const BorderLists::Side& received, Combine&& combine);
  Body rows_of(const PartVectors<T>& from, std::span<const std::int32_t> variables) const;

  comm::Rank& rank_;
  comm::Exchange exchange_;
  const NodeState<T>& state_;
  const SupernodalLayout& layout_;
  bool is_transposed_, is_conjugated_;
  Index nrhs_;
  PartVectors<T> subtrees_, top_;
};

/// Broadcasts rank 0's right-hand sides, permuted and scaled for B (transposed: B^T); owners of squares copy
/// their rows.
template <class T>
void BlockSolve<T>::send_right_hand_sides(const T* b) {
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

/// Gathers the rows of all owners in the caller's x on rank 0. Each rank sends those of its subtrees, then of
/// its squares on the grid.
template <class T>
void BlockSolve<T>::gather_solution(T* x) {
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

/// Sends values of `from` to the ranks that have the same variables in `to`. These call combine(own value,
/// received value), in the order of the senders.
template <class T>
template <class Combine>
void BlockSolve<T>::exchange_border(NodeMessage kind, const PartVectors<T>& from,
                                    const BorderLists::Side& sent, PartVectors<T>& to,
                                    const BorderLists::Side& received, Combine&& combine) {
  const int me = rank_.rank();
  for (int rank = 0; rank < sent.ranks(); ++rank)
    if (rank != me && !sent.variables(rank).empty())
      exchange_.send(rank, {kind}, rows_of(from, sent.variables(rank)));
  for (int rank = 0; rank < received.ranks(); ++rank) {
    const auto variables = received.variables(rank);
    if (variables.empty()) continue;
    const Body body = rank == me ? rows_of(from, sent.variables(me)) : exchange_.receive(rank, {kind}).body;
    const T* value = body.as<T>().data();
    for (Index j = 0; j < nrhs_; ++j)
      for (const std::int32_t v : variables) combine(to.values[v + j * to.rows()], *value++);
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

}  // namespace overlapack::sparse::supernodal
