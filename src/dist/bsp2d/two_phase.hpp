#pragma once
#include <algorithm>
#include <cstddef>

namespace overlapack::dist {

/// Collectives of q processes in two supersteps: the first scatters pieces, in the second each process sends its piece to all
/// others. One superstep without pieces for q = 2, none for q = 1. The number depends on q only, since sizes may differ between
/// process rows, and all must synchronise equally often.
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
  /// Piece that the root sends to a position in the first superstep, and that position to all others in the second. For q = 2: all
  /// entries, and an empty one for the root.
  Piece broadcast_piece(int position, int root, std::size_t entries) const {
    if (processes == 2) return {0, position == root ? 0 : entries};
    return piece_of(position, entries);
  }
};

}  // namespace overlapack::dist
