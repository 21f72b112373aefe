#include "dist/moves/onesided/onesided_moves.hpp"

#include "base/instantiate.hpp"
#include "comm/onesided/pair_swap.hpp"
#include "dist/moves/room.hpp"
#include "dist/moves/row_exchange.hpp"
#include "dist/moves/row_pair.hpp"
#include "kernels/update/rows.hpp"

#include <algorithm>
#include <cstring>

namespace overlapack::dist {
namespace {

/// Disable reading in place where it is not possible: if the matrix is out of reach; with pairwise exchanges, as later panels
/// move the rows of a panel again; and with delegated searches or broadcasts, whose broadcasts are to be measured.
template <class T>
OnesidedPlan without_impossible_reads(OnesidedPlan plan, const LentMatrix<T>& A, bool has_library) {
  plan.reads_in_place = plan.reads_in_place && A.is_within_reach() && !plan.is_pairwise && !has_library;
  return plan;
}

}  // namespace

/// The buffers must hold the largest pivot candidate with its rows; a body, or only its head if blocks are read in place; and the
/// rows of generic exchanges.
template <class T>
typename OnesidedMoves<T>::Positions OnesidedMoves<T>::positions_for(const DistributedMatrix<T>& A) const {
  const MoveRoom room = room_for(A, A.cols.block);
  const auto P = static_cast<std::size_t>(A.grid->rows()), width = static_cast<std::size_t>(A.cols.block);
  Positions positions{};
  positions.pivot_bytes = rounded_to_line(64 + 2 * width * sizeof(T));
  positions.body_bytes = rounded_to_line(plan_.reads_in_place ? room.head : room.body);
  positions.row_bytes = plan_.swap == RowSwap::generic ? rounded_to_line(room.rows) : 0;
  positions.offer_bytes = plan_.combines ? Offers::window_bytes(A.grid->rows(), room.head) : 0;
  positions.pivots = 0;
  positions.offers = positions.pivots + 2 * P * positions.pivot_bytes;
  positions.rows = positions.offers + positions.offer_bytes;
  positions.end = positions.rows + positions.row_bytes;
  return positions;
}

template <class T>
std::unique_ptr<comm::Window> OnesidedMoves<T>::window_for(comm::Rank& rank, std::size_t bytes) const {
  if (!A_.view().grid->holds(rank.rank())) bytes = 0;
  return rank.capabilities().is_phantom ? rank.make_phantom_window(bytes) : rank.make_window(bytes);
}

template <class T>
OnesidedMoves<T>::OnesidedMoves(comm::Rank& rank, LentMatrix<T>& A, const OnesidedPlan& plan,
                                Moves<T>* search, Moves<T>* broadcasts)
    : Moves<T>(rank, Discipline::onesided),
      A_(A),
      plan_(without_impossible_reads(plan, A, search || broadcasts)),
      search_(search),
      broadcasts_(broadcasts),
      positions_(positions_for(A.view())),
      window_(window_for(rank, positions_.end)),
      bodies_(window_for(rank, 4 * positions_.body_bytes)),
      signals_(rank, *window_),
      ready_(rank, *bodies_),
      offers_(signals_, *window_, positions_.offers, room_for(A.view(), A.view().cols.block).head),
      in_row_(ready_, *bodies_, signals_, 0, positions_.body_bytes, plan_.told_by_one),
      in_column_(ready_, *bodies_, signals_, 2 * positions_.body_bytes, positions_.body_bytes,
                 plan_.told_by_one) {}

template <class T>
std::unique_ptr<comm::collective::Broadcast> OnesidedMoves<T>::start_broadcast(const Group& group, int root,
                                                                               const Key& key,
                                                                               std::size_t bytes,
                                                                               comm::Body body) {
  if (broadcasts_) return broadcasts_->start_broadcast(group, root, key, bytes, std::move(body));
  return (A_.view().grid->scope_of(group) == Scope::row ? in_row_ : in_column_)
      .start(group, root, bytes, std::move(body));
}

/// A block that is read in place: it is final in its owner's A once the head has arrived.
template <class T>
class OnesidedMoves<T>::BlockInPlace final : public BlockBroadcast<T> {
 public:
  BlockInPlace(std::unique_ptr<comm::collective::Broadcast> head, MatrixView<const T> block)
      : head_(std::move(head)), block_(block) {}
  bool has_arrived() const override { return head_->is_done(); }
  SentBlock<T> finish() override { return {head_->finish(), block_, {}}; }

 private:
  std::unique_ptr<comm::collective::Broadcast> head_;
  MatrixView<const T> block_;
};

template <class T>
std::unique_ptr<BlockBroadcast<T>> OnesidedMoves<T>::start_block(const Group& group, int root, const Key& key,
                                                                 const BlockHead& head, const LocalBlock& at,
                                                                 MatrixView<const T> mine) {
  if (group.me != root) ++(plan_.reads_in_place ? read_in_place_ : copied_);
  if (!plan_.reads_in_place) return Moves<T>::start_block(group, root, key, head, at, mine);
  const int owner = group.ranks[static_cast<std::size_t>(root)];
  comm::Body body;
  if (group.me == root)
    body = comm::pack_body(this->rank(), head.bytes, [&] {
      std::vector<std::byte> bytes(head.bytes);
      head.write(bytes.data());
      return comm::Body::adopt(std::move(bytes));
    });
  return std::make_unique<BlockInPlace>(start_broadcast(group, root, key, head.bytes, std::move(body)),
                                        A_.view_block(owner, at.row, at.col, at.rows, at.cols));
}

template <class T>
void OnesidedMoves<T>::wait_for_readers(const Group& group) {
  if (!plan_.reads_in_place) return;
  for (const int rank : group.ranks)
    if (rank != this->rank().rank()) signals_.send(rank);
  for (const int rank : group.ranks)
    if (rank != this->rank().rank()) signals_.wait_for_next(rank);
}

/// Two buffers are used in turn, without a wait: a rank that has put in the last search has read the puts of the search before it.
/// Cost    P - 1 puts with signals: one synchronisation
template <class T>
void OnesidedMoves<T>::put_to_column(const Group& column, std::span<const std::byte> mine,
                                     comm::FunctionRef<void(const std::byte*)> take) {
  const auto P = static_cast<std::size_t>(column.size()), me = static_cast<std::size_t>(column.me);
  const std::size_t turn = static_cast<std::size_t>(searches_++ % 2);
  const auto position = [&](std::size_t of) {
    return positions_.pivots + (turn * P + of) * positions_.pivot_bytes;
  };
  const auto other = [&](std::size_t distance) { return column.ranks[(me + distance) % P]; };
  for (std::size_t d = 1; d < P; ++d) signals_.put_with_signal(other(d), position(me), mine);
  for (std::size_t of = 0; of < P; ++of) {
    if (of == me) continue;
    signals_.wait_for_next(column.ranks[of]);
    comm::run_unless_phantom(this->rank(), [&] { take(window_->local().data() + position(of)); });
  }
}

template <class T>
void OnesidedMoves<T>::find_pivot(const Group& column, int process_column, const Key& key,
                                  PivotCandidate<T>& best) {
  if (search_) return search_->find_pivot(column, process_column, key, best);
  const PivotCandidate<T> mine = best;
  put_to_column(column, std::as_bytes(std::span(&mine, 1)), [&](const std::byte* there) {
    PivotCandidate<T> theirs;
    std::memcpy(&theirs, there, sizeof theirs);
    if (theirs.is_better_than(best)) best = theirs;
  });
}

template <class T>
void OnesidedMoves<T>::reduce_to_best_pivot(const Group& column, const Key& key, PivotRow<T>& best) {
  if (column.size() == 1) return;
  if (search_) return search_->reduce_to_best_pivot(column, key, best);
  put_to_column(column, with_size_in_front(packed_pivot(best)), [&](const std::byte* there) {
    const std::span<const std::byte> offer = without_size_in_front(there);
    keep_better_pivot_row(best, comm::Body(nullptr, offer.data(), offer.size()));
  });
}

template <class T>
comm::Body OnesidedMoves<T>::all_reduce(const Group& group, const Key& key, comm::Body mine,
                                        typename Moves<T>::Merge merge) {
  return search_ ? search_->all_reduce(group, key, std::move(mine), merge)
                 : offers_.all_reduce(group, std::move(mine), merge);
}

/// Does one exchange with the bytes of all columns, and charges the puts and signals of the other columns.
template <class T>
void OnesidedMoves<T>::charge_pivot_search(const Group& column, const Key& key, Index columns,
                                           std::size_t bytes) {
  if (column.size() == 1) return;
  if (search_) return search_->charge_pivot_search(column, key, columns, bytes);
  put_to_column(column, {static_cast<const std::byte*>(nullptr), std::min(bytes, positions_.pivot_bytes)},
                [](const std::byte*) {});
  const auto more = static_cast<double>(columns - 1);
  this->rank().compute({.kind = "message", .flops = more}, [] {});
  this->rank().compute({.kind = "put_signal", .flops = more * (column.size() - 2)}, [] {});
}

/// Interchange that moves the rows as one permutation; two processes swap their rows by PairSwap or generic_swap.
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
    if (moves.plan_.swap == RowSwap::native && columns_.cols > 0) start_swaps(rows);
  }

  MatrixView<T> finish() override {
    if (columns_.cols == 0) return block_;
    if (moves_.plan_.swap == RowSwap::native)
      finish_swaps();
    else
      swap_generically();
    return block_;
  }
  SwapKind kind() const override { return SwapKind::direct; }

 private:
  struct Swap {
    std::size_t position;
    std::unique_ptr<comm::onesided::PairSwap> swap;
  };

  bool is_partner(std::size_t position) const {
    return static_cast<int>(position) != column_.me &&
           !(rows_.from[position].empty() && rows_.to[position].empty());
  }

  /// Start the swaps. The rows of a partner are listed in the order of rows_.to; the entries of a row are a column stride apart.
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
    for (std::size_t position = 0; position < theirs.size(); ++position)
      if (is_partner(position))
        swaps_.push_back({position, std::make_unique<comm::onesided::PairSwap>(
                                        moves_.signals_, moves_.A_.window(), column_.ranks[position],
                                        std::move(theirs[position]))});
    moves_.row_swaps_ += static_cast<Index>(swaps_.size());
  }

  /// Get all rows before writing any.
  void finish_swaps() {
    for (const Swap& s : swaps_) s.swap->get();
    for (const Swap& s : swaps_) s.swap->finish();
    move_own();
    for (const Swap& s : swaps_) {
      const auto rows = static_cast<Index>(rows_.to[s.position].size());
      const T* values = reinterpret_cast<const T*>(s.swap->values().data());
      charge("swap", s.position, [&] {
        for (Index i = 0; i < rows; ++i)
          for (Index j = 0; j < columns_.cols; ++j)
            columns_(rows_.to[s.position][static_cast<std::size_t>(i)], j) = *values++;
      });
    }
    swaps_.clear();
  }

  std::span<std::byte> bytes_of(std::vector<T>& rows, std::size_t size) const {
    return {reinterpret_cast<std::byte*>(rows.data()), size};
  }

  /// Packs all rows before writing any. It takes partners in ascending order, since the two ranks of a swap wait for each other.
  void swap_generically() {
    const bool is_phantom = moves_.rank().capabilities().is_phantom;
    const auto row_words = static_cast<std::size_t>(columns_.cols);
    const auto room = [&](std::size_t rows) { return std::vector<T>(is_phantom ? 0 : rows * row_words); };
    std::vector<std::vector<T>> packed(rows_.from.size());
    for (std::size_t position = 0; position < packed.size(); ++position) {
      if (!is_partner(position)) continue;
      const auto rows = static_cast<Index>(rows_.from[position].size());
      packed[position] = room(rows_.from[position].size());
      charge("pack", position, [&] {
        kernels::gather_rows<T>(columns_, rows_.from[position],
                                {packed[position].data(), rows, columns_.cols, rows});
      });
    }
    move_own();
    for (std::size_t position = 0; position < packed.size(); ++position) {
      if (!is_partner(position)) continue;
      const auto rows = static_cast<Index>(rows_.to[position].size());
      std::vector<T> taken = room(rows_.to[position].size());
      comm::onesided::generic_swap(
          moves_.signals_, *moves_.window_, column_.ranks[position], moves_.positions_.rows,
          bytes_of(packed[position], rows_.from[position].size() * row_words * sizeof(T)),
          bytes_of(taken, rows_.to[position].size() * row_words * sizeof(T)));
      charge("pack", position, [&] {
        kernels::scatter_rows<T>({taken.data(), rows, columns_.cols, rows}, rows_.to[position], columns_);
      });
      ++moves_.row_swaps_;
    }
  }

  void move_own() {
    const auto here = static_cast<std::size_t>(column_.me);
    charge("swap", here, [&] { kernels::move_rows(rows_.to[here], rows_.from[here], columns_); });
  }

  template <class F>
  void charge(const char* kind, std::size_t position, F&& f) {
    const double rows = static_cast<double>(std::max(rows_.to[position].size(), rows_.from[position].size()));
    if (rows == 0) return;
    moves_.rank().compute({.kind = kind, .bytes = 2 * rows * static_cast<double>(columns_.cols) * sizeof(T)},
                          f);
  }

  OnesidedMoves& moves_;
  Group column_;
  MatrixView<T> columns_, block_;
  RowExchange rows_;
  std::vector<Swap> swaps_;
};

template <class T>
std::unique_ptr<RowInterchange<T>> OnesidedMoves<T>::start_interchange(const MovedRows<T>& rows,
                                                                       const Key& key) {
  if (plan_.is_pairwise) return std::make_unique<PairwiseInterchange<T>>(*this, rows, key);
  return start_direct_interchange(rows, {}, key);
}

template <class T>
std::unique_ptr<RowInterchange<T>> OnesidedMoves<T>::start_direct_interchange(const MovedRows<T>& rows,
                                                                              MatrixView<T> also,
                                                                              const Key&) {
  if (also.rows > 0) this->refuse("interchanges in two matrices at once");
  return std::make_unique<Interchange>(*this, rows);
}

OVERLAPACK_INSTANTIATE_CLASS(OnesidedMoves);

}  // namespace overlapack::dist
