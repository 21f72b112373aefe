#include "dist/moves/onesided/onesided_moves.hpp"

#include "base/instantiate.hpp"
#include "comm/onesided/pair_swap.hpp"
#include "dist/moves/room.hpp"
#include "dist/moves/row_exchange.hpp"
#include "kernels/rows.hpp"

#include <algorithm>
#include <cstring>

namespace overlapack::dist {
namespace {

std::size_t rounded_up(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace

/// The largest candidate of a pivot with its rows; a body; rows that exchanges bring.
template <class T>
typename OnesidedMoves<T>::Places OnesidedMoves<T>::places_for(const DistributedMatrix<T>& A) {
  const MoveRoom room = room_for(A);
  const auto P = static_cast<std::size_t>(A.grid->rows()), width = static_cast<std::size_t>(A.cols.block);
  Places places{};
  places.pivot_bytes = rounded_up(64 + 2 * width * sizeof(T));
  places.body_bytes = rounded_up(room.body);
  places.row_bytes = rounded_up(room.rows);
  places.pivots = 0;
  places.bodies = places.pivots + 2 * P * places.pivot_bytes;
  places.rows = places.bodies + 2 * places.body_bytes;
  places.end = places.rows + places.row_bytes;
  return places;
}

template <class T>
OnesidedMoves<T>::OnesidedMoves(comm::Rank& rank, LentMatrix<T>& A, RowSwap swap)
    : Moves<T>(rank, Discipline::onesided),
      A_(A),
      swap_(swap),
      places_(places_for(A.view())),
      window_(rank.make_window(A.view().grid->holds(rank.rank()) ? places_.end : 0)),
      signals_(rank, *window_) {}

/// After one signal each gets the body from the root, all at once.
/// Cost    a signal, then a get, whatever the size of the group; root: a signal to each
/// Source  paper 3, section 2, Fig. 3 (c)
template <class T>
class OnesidedMoves<T>::DirectBroadcast final : public comm::collective::Broadcast {
 public:
  DirectBroadcast(OnesidedMoves& moves, const Group& group, int root, std::size_t bytes, comm::Body body)
      : moves_(moves),
        group_(group),
        root_(group.ranks[static_cast<std::size_t>(root)]),
        bytes_(bytes),
        slot_(static_cast<std::size_t>(moves.broadcasts_++ % 2)),
        body_(std::move(body)) {
    if (group_.me == root)
      show();
    else
      is_there_ = moves_.signals_.expect(root_);
  }

  bool is_done() const override { return is_done_; }

  comm::Body finish() override {
    if (std::exchange(is_done_, true)) return body_;
    if (root_ == moves_.rank().rank()) {
      for (const int rank : group_.ranks)
        if (rank != root_) moves_.readers_[slot_].emplace_back(rank, moves_.signals_.expect(rank));
      return body_;
    }
    moves_.signals_.wait(root_, is_there_);
    std::vector<std::byte> bytes(bytes_);
    moves_.window_->get(root_, place(), bytes);
    moves_.window_->flush(root_);
    moves_.signals_.send(root_);
    body_ = comm::Body::adopt(std::move(bytes));
    return body_;
  }

 private:
  std::size_t place() const { return moves_.places_.bodies + slot_ * moves_.places_.body_bytes; }

  /// The body stands in my window, once all have read what stood there before.
  void show() {
    for (const auto& [rank, number] : std::exchange(moves_.readers_[slot_], {}))
      moves_.signals_.wait(rank, number);
    if (bytes_ > 0) std::memcpy(moves_.window_->local().data() + place(), body_.data(), bytes_);
    for (const int rank : group_.ranks)
      if (rank != root_) moves_.signals_.send(rank);
  }

  OnesidedMoves& moves_;
  Group group_;
  int root_;
  std::size_t bytes_, slot_;
  comm::Body body_;
  std::int64_t is_there_ = 0;
  bool is_done_ = false;
};

template <class T>
std::unique_ptr<comm::collective::Broadcast> OnesidedMoves<T>::start_broadcast(const Group& group, int root,
                                                                               const Key&, std::size_t bytes,
                                                                               comm::Body body) {
  return std::make_unique<DirectBroadcast>(*this, group, root, bytes, std::move(body));
}

/// What a search before the last one put has been read by all who have put in the last one.
/// Cost    P - 1 puts and signals: one synchronisation
template <class T>
void OnesidedMoves<T>::combine_pivots(const Group& column, const Key&, PivotRow<T>& best) {
  if (column.size() == 1) return;
  const auto P = static_cast<std::size_t>(column.size()), me = static_cast<std::size_t>(column.me);
  const std::size_t turn = static_cast<std::size_t>(searches_++ % 2);
  const auto place = [&](std::size_t of) { return places_.pivots + (turn * P + of) * places_.pivot_bytes; };
  const comm::Body offer = packed_pivot(best);
  std::vector<std::byte> bytes(sizeof(std::size_t) + offer.size());
  const std::size_t size = offer.size();
  std::memcpy(bytes.data(), &size, sizeof size);
  std::memcpy(bytes.data() + sizeof size, offer.data(), size);
  for (std::size_t d = 1; d < P; ++d) {
    const int to = column.ranks[(me + d) % P];
    window_->put(to, place(me), bytes);
    signals_.send(to);
  }
  for (std::size_t of = 0; of < P; ++of) {
    if (of == me) continue;
    signals_.wait_for_next(column.ranks[of]);
    const std::byte* const there = window_->local().data() + place(of);
    std::size_t length = 0;
    std::memcpy(&length, there, sizeof length);
    take_better(best, comm::Body(nullptr, there + sizeof length, length));
  }
}

/// Rows as one permutation; those of two processes by a swap of the pair.
template <class T>
class OnesidedMoves<T>::Interchange final : public RowInterchange<T> {
 public:
  Interchange(OnesidedMoves& moves, const MovedRows<T>& rows)
      : moves_(moves),
        column_(rows.A.grid->column_group(rows.A.me)),
        columns_(rows.columns()),
        rows_(row_exchange(rows.moves, rows.A.rows, rows.A.me.row)) {
    const Index begin = rows.A.first_row({rows.moves.first}),
                end = rows.A.first_row({rows.moves.first + rows.moves.count});
    if (end - begin == rows.moves.count) block_ = columns_.block(begin, 0, rows.moves.count, columns_.cols);
    if (moves.swap_ == RowSwap::native && columns_.cols > 0) start_swaps(rows);
  }

  MatrixView<T> finish() override {
    if (columns_.cols == 0) return block_;
    if (moves_.swap_ == RowSwap::native)
      finish_swaps();
    else
      swap_generically();
    return block_;
  }
  SwapKind kind() const override { return SwapKind::direct; }

 private:
  struct Swap {
    std::size_t place;
    std::unique_ptr<comm::onesided::PairSwap> swap;
  };

  bool is_partner(std::size_t place) const {
    return static_cast<int>(place) != column_.me && !(rows_.from[place].empty() && rows_.to[place].empty());
  }

  /// Theirs in the order of rows_.to: one row each, whose entries are a column apart.
  void start_swaps(const MovedRows<T>& rows) {
    std::vector<std::vector<comm::onesided::Strided>> theirs(rows_.to.size());
    rows.moves.for_each([&](Index to, Index from) {
      const int owner = rows.A.rows.owner({from});
      if (rows.A.rows.owner({to}) != column_.me || owner == column_.me) return;
      const int rank = column_.ranks[static_cast<std::size_t>(owner)];
      theirs[static_cast<std::size_t>(owner)].push_back(
          {moves_.A_.offset(rank, rows.A.rows.local({from}).value, rows.begin), sizeof(T),
           moves_.A_.column_stride(rank), static_cast<std::size_t>(columns_.cols)});
    });
    for (std::size_t place = 0; place < theirs.size(); ++place)
      if (is_partner(place))
        swaps_.push_back({place, std::make_unique<comm::onesided::PairSwap>(
                                     moves_.signals_, moves_.A_.window(), column_.ranks[place],
                                     std::move(theirs[place]))});
    moves_.row_swaps_ += static_cast<Index>(swaps_.size());
  }

  /// All is read before anything is written.
  void finish_swaps() {
    for (const Swap& s : swaps_) s.swap->get();
    for (const Swap& s : swaps_) s.swap->finish();
    move_own();
    for (const Swap& s : swaps_) {
      const auto rows = static_cast<Index>(rows_.to[s.place].size());
      const T* values = reinterpret_cast<const T*>(s.swap->values().data());
      charge(s.place, [&] {
        for (Index i = 0; i < rows; ++i)
          for (Index j = 0; j < columns_.cols; ++j)
            columns_(rows_.to[s.place][static_cast<std::size_t>(i)], j) = *values++;
      });
    }
    swaps_.clear();
  }

  /// Packed before anything is written; partners in ascending order, since each waits for the other.
  void swap_generically() {
    const std::size_t row_bytes = static_cast<std::size_t>(columns_.cols) * sizeof(T);
    std::vector<std::vector<T>> packed(rows_.from.size());
    for (std::size_t place = 0; place < packed.size(); ++place) {
      if (!is_partner(place)) continue;
      const auto rows = static_cast<Index>(rows_.from[place].size());
      packed[place].resize(static_cast<std::size_t>(rows * columns_.cols));
      charge(place, [&] {
        kernels::gather_rows<T>(columns_, rows_.from[place],
                                {packed[place].data(), rows, columns_.cols, rows});
      });
    }
    move_own();
    for (std::size_t place = 0; place < packed.size(); ++place) {
      if (!is_partner(place)) continue;
      const auto rows = static_cast<Index>(rows_.to[place].size());
      std::vector<T> taken(static_cast<std::size_t>(rows) * row_bytes / sizeof(T));
      comm::onesided::generic_swap(moves_.signals_, *moves_.window_, column_.ranks[place],
                                   moves_.places_.rows, std::as_bytes(std::span<const T>(packed[place])),
                                   std::as_writable_bytes(std::span(taken)));
      charge(place, [&] {
        kernels::scatter_rows<T>({taken.data(), rows, columns_.cols, rows}, rows_.to[place], columns_);
      });
      ++moves_.row_swaps_;
    }
  }

  void move_own() {
    const auto here = static_cast<std::size_t>(column_.me);
    charge(here, [&] { kernels::move_rows(rows_.to[here], rows_.from[here], columns_); });
  }

  template <class F>
  void charge(std::size_t place, F&& f) {
    const double rows = static_cast<double>(std::max(rows_.to[place].size(), rows_.from[place].size()));
    if (rows == 0) return;
    moves_.rank().compute(
        {.kind = "swap", .bytes = 2 * rows * static_cast<double>(columns_.cols) * sizeof(T)}, f);
  }

  OnesidedMoves& moves_;
  Group column_;
  MatrixView<T> columns_, block_;
  RowExchange rows_;
  std::vector<Swap> swaps_;
};

template <class T>
std::unique_ptr<RowInterchange<T>> OnesidedMoves<T>::start_interchange(const MovedRows<T>& rows, const Key&) {
  return std::make_unique<Interchange>(*this, rows);
}

#define OVERLAPACK_INSTANTIATE(T) template class OnesidedMoves<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dist
