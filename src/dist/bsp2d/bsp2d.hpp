#pragma once
#include "base/copy_into.hpp"
#include "comm/superstep/world.hpp"
#include "dist/bsp2d/two_phase.hpp"
#include "dist/grid/process_grid.hpp"

#include <algorithm>
#include <type_traits>

namespace overlapack::dist {

/// Type of the entries of a message of BSP2D.
enum class EntryType : std::int32_t { integer, float32, float64, complex64, complex128 };

template <class T>
constexpr EntryType entry_type() {
  if constexpr (std::is_same_v<T, Index>)
    return EntryType::integer;
  else
    return static_cast<EntryType>(static_cast<int>(ScalarTraits<T>::type) + 1);
}

/// Counts of this process: collectives by the number of processes in their scope; messages to single processes.
struct Bsp2dCounters {
  std::int64_t scopes_of_one = 0, scopes_of_two = 0, scopes_of_more = 0;
  std::int64_t sends = 0;
};

/// Communication of matrices, of four scalar types and of integers, between the processes of a grid: the BLACS, in supersteps.
///
/// Point to point: a message can be received after the next sync, in the order in which its sender sent its messages; the sync
/// after that drops it. Collectives have supersteps of their own: all processes of the grid call them at the same time, and no
/// message may have been sent since the last sync. Sizes may differ between scopes.
///
/// | call | supersteps | h, for n words |
/// |---|---|---|
/// | send, receive | 0 | n + 3 |
/// | sync | 1 | |
/// | broadcast, scope of 1, 2, more processes | 0, 1, 2 | 0, n + 3, 2 n (q - 1) / q + 6 (q - 1) at most |
/// | reduce | as broadcast | as broadcast |
/// Errors  Internal, which names the processes: for a receive without a message, or with another type or size; for a send before a
///         collective
/// Source  paper 4, section 4
class Bsp2d {
 public:
  /// world: a world of the grid's processes; this object uses its queue and tags.
  /// Sync    one superstep
  Bsp2d(comm::superstep::World& world, const ProcessGrid& grid);

  comm::superstep::World& world() const { return world_; }
  const ProcessGrid& grid() const { return grid_; }
  GridPosition me() const { return me_; }
  const Bsp2dCounters& counters() const { return counters_; }
  /// Number of processes in a scope, and this one's position there: in process rows by column, in columns by row.
  int size(Scope scope) const;
  int position(Scope scope) const;

  /// Send A; copied now.
  template <class T>
  void send(GridPosition to, MatrixView<const T> A) {
    send(to, entry_type<T>(), std::as_bytes(contiguous(A, packed_)));
  }
  /// View of the next message from `from`, a matrix without gaps; valid until the next sync.
  template <class T>
  MatrixView<const T> next_block(GridPosition from, Index rows, Index cols) {
    const auto bytes = receive(from, entry_type<T>(), static_cast<std::size_t>(rows * cols) * sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), rows, cols, std::max<Index>(rows, 1)};
  }
  template <class T>
  void receive(GridPosition from, MatrixView<T> A) {
    copy_into(next_block<T>(from, A.rows, A.cols), A);
  }
  /// End the superstep; sorts the received messages by sender and number, in linear time.
  void sync();

  /// A of all processes in the scope <- A of the process at position `root`.
  template <class T>
  void broadcast(Scope scope, int root, MatrixView<T> A) {
    Bytes packed;
    const std::span<const T> values = contiguous<T>(A, packed);
    const std::span<std::byte> bytes = is_contiguous(A) ? bytes_of(A) : packed;
    start_broadcast(scope, root, entry_type<T>(), sizeof(T), bytes);
    finish_broadcast();
    if (!is_contiguous(A)) copy_into({values.data(), A.rows, A.cols, A.rows}, A);
  }
  /// A of all processes in the scope <- op over the A of all of them, entry by entry, in the order of positions; op is associative.
  template <class T, class Op>
  void reduce(Scope scope, MatrixView<T> A, Op op);

  // send, receive and broadcast for entries whose type is known only at run time.
  void send(GridPosition to, EntryType type, std::span<const std::byte> values);
  std::span<const std::byte> receive(GridPosition from, EntryType type, std::size_t bytes);
  /// Broadcast in two halves: this process may compute between them, while the first superstep is under way, but request nothing.
  /// `values` has the same size on all processes of the scope, and must stay valid.
  void start_broadcast(Scope scope, int root, EntryType type, std::size_t entry_bytes,
                       std::span<std::byte> values);
  void finish_broadcast();

 private:
  using Bytes = std::vector<std::byte>;
  struct Tag {
    EntryType type;
    std::int32_t sender;
    std::int64_t number;  ///< number among the sender's messages to this receiver in the superstep
  };
  struct Arrived {
    EntryType type{};
    std::span<const std::byte> values;
  };
  struct Sender {
    std::vector<Arrived> messages;  ///< by number
    std::size_t next = 0;
  };
  /// A broadcast under way.
  struct UnderWay {
    Scope scope = Scope::row;
    int root = 0;
    EntryType type{};
    std::size_t entry_bytes = 1;
    TwoPhase phases{1};
    std::span<std::byte> values;
  };

  template <class T>
  static bool is_contiguous(MatrixView<T> A) {
    return A.cols <= 1 || A.ld == A.rows;
  }
  template <class T>
  static auto bytes_of(MatrixView<T> A) {
    return std::as_writable_bytes(std::span<T>(A.data, static_cast<std::size_t>(A.rows * A.cols)));
  }
  /// The entries of A without gaps: A's own memory, or a copy in `room`.
  template <class T>
  static std::span<const T> contiguous(MatrixView<const T> A, Bytes& room) {
    const auto count = static_cast<std::size_t>(A.rows * A.cols);
    if (is_contiguous(A)) return {A.data, count};
    room.resize(count * sizeof(T));
    T* const packed = reinterpret_cast<T*>(room.data());
    for (Index j = 0; j < A.cols; ++j) std::copy_n(A.column(j), A.rows, packed + j * A.rows);
    return {packed, count};
  }

  [[noreturn]] void misuse(const std::string& what) const;
  std::string name_of(GridPosition position) const;
  int process_at(GridPosition position) const;
  GridPosition member(Scope scope, int position) const;
  Sender& sender(GridPosition from) { return arrived_[static_cast<std::size_t>(process_at(from))]; }
  void begin_collective(Scope scope);
  std::span<std::byte> piece_of(int position) const;
  void send_piece(int to, int piece);
  void receive_piece(int from, int piece);
  void read_queue();

  comm::superstep::World& world_;
  const ProcessGrid& grid_;
  GridPosition me_;
  std::vector<std::int64_t> sent_;  ///< messages sent in this superstep, by process
  std::vector<Sender> arrived_;     ///< by process
  Bytes packed_;
  UnderWay under_way_;
  Bsp2dCounters counters_;
};

/// Two processes exchange their values, and both reduce them. If there are more, each reduces one piece and sends it to all others.
template <class T, class Op>
void Bsp2d::reduce(Scope scope, MatrixView<T> A, Op op) {
  begin_collective(scope);
  const int q = size(scope), mine = position(scope);
  if (q == 1) return;
  const std::span<const T> packed = contiguous<T>(A, packed_);
  std::vector<T> values(packed.begin(), packed.end());
  const TwoPhase phases(q);
  const auto piece_of = [&](int at) {
    const auto [begin, count] =
        q == 2 ? TwoPhase::Piece{0, values.size()} : phases.piece_of(at, values.size());
    return std::span(values).subspan(begin, count);
  };
  const auto for_others = [&](auto&& f) {
    for (int at = 0; at < q; ++at)
      if (at != mine) f(at, member(scope, at));
  };
  const auto view_of = [](std::span<const T> piece) {
    const auto count = static_cast<Index>(piece.size());
    return MatrixView<const T>{piece.data(), count, 1, count};
  };
  for_others([&](int at, GridPosition to) { send<T>(to, view_of(piece_of(at))); });
  sync();
  const std::span<T> result = piece_of(mine);
  std::vector<T> sum;
  for (int at = 0; at < q; ++at) {
    const auto count = static_cast<Index>(result.size());
    const T* const part = at == mine ? result.data() : next_block<T>(member(scope, at), count, 1).data;
    if (at == 0)
      sum.assign(part, part + count);
    else
      std::transform(sum.begin(), sum.end(), part, sum.begin(), op);
  }
  std::ranges::copy(sum, result.begin());
  if (q > 2) {
    for_others([&](int, GridPosition to) { send<T>(to, view_of(result)); });
    sync();
    for_others([&](int at, GridPosition from) {
      const std::span<T> piece = piece_of(at);
      const auto count = static_cast<Index>(piece.size());
      receive<T>(from, {piece.data(), count, 1, count});
    });
  }
  copy_into({values.data(), A.rows, A.cols, std::max<Index>(A.rows, 1)}, A);
}

}  // namespace overlapack::dist
