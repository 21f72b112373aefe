#pragma once
#include <algorithm>
#include <cstddef>

namespace overlapack::dist {

/// Pieces of collectives of q processes in two supersteps: the first one scatters pieces; in the second one, each process sends
/// its piece to all others. For q = 2 there is one superstep without pieces, for q = 1 none. The number of supersteps depends on
/// q only, since sizes may differ between process rows, but all must synchronise equally often.
/// Source  paper 4, section 2.2
struct TwoPhase {
  int processes;

  explicit constexpr TwoPhase(int q) : processes(q) {}
  int supersteps() const { return std::min(processes - 1, 2); }

  struct Piece {
    std::size_t begin, size;
  };
  /// Piece of a position; the last pieces may be empty.
  Piece piece_of(int position, std::size_t entries) const {
    const auto count = static_cast<std::size_t>(processes), each = (entries + count - 1) / count;
    const std::size_t begin = std::min(static_cast<std::size_t>(position) * each, entries);
    return {begin, std::min(each, entries - begin)};
  }
  /// The piece that the root sends to a position in the first superstep, and that this position sends to all others in the second
  /// one. For q = 2: all entries, and an empty piece for the root.
  Piece broadcast_piece(int position, int root, std::size_t entries) const {
    if (processes == 2) return {0, position == root ? 0 : entries};
    return piece_of(position, entries);
  }
};

}  // namespace overlapack::dist
