#include "sparse/supernodal/factorize/border_sums.hpp"

#include "base/instantiate.hpp"
#include "comm/receive.hpp"
#include "kernels/update/extend_add.hpp"
#include "sparse/supernodal/layout/message_kinds.hpp"
#include "sparse/supernodal/layout/received.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::supernodal {

template <class T>
BorderSums<T>::BorderSums(comm::Rank& rank, const BorderLists& lists, FactorStats& stats)
    : rank_(rank), lists_(lists), stats_(stats), receives_(static_cast<std::size_t>(lists.received.ranks())) {
  const bool is_shared = rank.capabilities().shared_memory;
  for (int from = 0; from < lists_.received.ranks(); ++from)
    if (from != rank_.rank() && !lists_.received.pieces(from).empty()) {
      receives_[from] = rank_.post_receive(comm::Lane::bulk, from);
      if (!is_shared) held_ += static_cast<double>(entries_of(lists_.received.pieces(from))) * sizeof(T);
    }
}

template <class T>
comm::Body BorderSums<T>::packed(const RankPanels<T>& subtrees, std::span<const BorderPiece> pieces) {
  const Index entries = entries_of(pieces);
  const std::size_t bytes = static_cast<std::size_t>(entries) * sizeof(T);
  held_ += static_cast<double>(bytes);
  comm::Body body = comm::Body::phantom(bytes);
  rank_.compute({.kind = "pack", .bytes = 2 * static_cast<double>(bytes)}, [&] {
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(entries));
    for (const BorderPiece& piece : pieces) {
      const MatrixView<const T> panel =
          (piece.is_lower ? subtrees.lower : subtrees.upper)[static_cast<std::size_t>(piece.node)].values;
      for (Index j = 0; j < piece.columns; ++j)
        values.insert(values.end(), panel.column(j) + piece.begin,
                      panel.column(j) + piece.begin + piece.rows);
    }
    body = comm::Body::adopt(std::move(values));
  });
  return body;
}

template <class T>
void BorderSums<T>::send(const RankPanels<T>& subtrees) {
  for (int to = 0; to < lists_.sent.ranks(); ++to) {
    const auto pieces = lists_.sent.pieces(to);
    if (pieces.empty()) continue;
    comm::Body body = packed(subtrees, pieces);
    if (to == rank_.rank()) {
      own_ = std::move(body);
    } else {
      sends_.push_back(
          rank_.start_send(comm::Lane::bulk, to, {.kind = NodeMessage::border, .id = {0}}, std::move(body)));
      ++stats_.border_messages;
    }
  }
}

template <class T>
void BorderSums<T>::add(const comm::Body& body, std::span<const BorderPiece> pieces, RankPanels<T>& top) {
  const auto cost = kernels::extend_add_cost<T>(static_cast<double>(entries_of(pieces)));
  rank_.compute({.kind = "assemble", .flops = cost.flops, .bytes = cost.bytes}, [&] {
    const T* values = body.as<T>().data();
    for (const BorderPiece& piece : pieces) {
      const std::int32_t* const rows = lists_.position.data() + piece.begin;
      kernels::extend_add<T>({values, piece.rows, piece.columns, piece.rows}, rows, rows + piece.rows,
                             top.side(piece.is_lower != 0, piece.node).values);
      values += Index{piece.rows} * piece.columns;
    }
  });
}

template <class T>
void BorderSums<T>::add_to_panels(RankPanels<T>& top) {
  for (int from = 0; from < lists_.received.ranks(); ++from) {
    const auto pieces = lists_.received.pieces(from);
    if (pieces.empty()) continue;
    if (from != rank_.rank()) {
      const std::size_t bytes = static_cast<std::size_t>(entries_of(pieces)) * sizeof(T);
      add(receive_body(rank_, std::move(receives_[from]), NodeMessage::border, 0, bytes), pieces, top);
    } else {
      add(std::exchange(own_, {}), pieces, top);
    }
  }
  for (comm::Send& send : sends_) comm::wait(rank_, send);
  sends_.clear();
}

OVERLAPACK_INSTANTIATE_CLASS(BorderSums);

}  // namespace overlapack::sparse::supernodal
