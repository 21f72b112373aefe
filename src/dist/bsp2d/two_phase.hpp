#pragma once
#include <algorithm>
#include <cstddef>

namespace overlapack::dist {

/// Collectives of q processes in two supersteps, by pieces: the first scatters them, in the second each process tells all others
/// of its own. One superstep, without pieces, where there are two processes; none for one. By q alone, since sizes may differ between process
/// rows, and all must synchronise equally often.
/// Source  paper 4, section 2.2
struct TwoPhase {
  int processes;

  explicit constexpr TwoPhase(int q) : processes(q) {}
  int supersteps() const { return std::min(processes - 1, 2); }

  struct Piece {
    std::size_t begin, size;
  };
  /// Of so many entries; the last pieces may be empty.
  Piece piece_of(int position, std::size_t entries) const {
    const auto count = static_cast<std::size_t>(processes), each = (entries + count - 1) / count;
    const std::size_t begin = std::min(static_cast<std::size_t>(position) * each, entries);
    return {begin, std::min(each, entries - begin)};
  }
  /// What the root sends to a position, or a position to all others in the second superstep: nothing that belongs to the root, of two.
  Piece broadcast_piece(int position, int root, std::size_t entries) const {
    if (processes == 2) return {0, position == root ? 0 : entries};
    return piece_of(position, entries);
  }
};

}  // namespace overlapack::dist
