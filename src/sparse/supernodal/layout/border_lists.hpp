#pragma once
#include "sparse/supernodal/layout/node_grid.hpp"
#include "sparse/supernodal/layout/node_map.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::supernodal {

/// One block of the updates by a rank's subtrees to the nodes above them.
struct BorderPiece {
  std::int32_t node;      ///< whose panel has it. sent: a border node; received: a node on the grid
  std::int32_t is_lower;  ///< in a panel of L, or else of U transposed
  std::int32_t rows, columns;
  /// sent: its first row in the panel; received: where its positions begin in BorderLists::position, rows
  ///         before columns.
  Index begin;
};

/// The contents of the border's messages: one for each pair of ranks in the factorisation, and one in each
/// sweep of a solve. Sender and receiver list the pieces, and the variables, of their pair in the same order.
struct BorderLists {
  struct Side {
    std::vector<Index> piece_start{0}, variable_start{0};  ///< by the other rank
    std::vector<BorderPiece> piece;
    /// Variables in squares that the receiver owns, for solves. sent: their numbers in the subtrees;
    /// received: in `top`.
    std::vector<std::int32_t> variable;

    std::span<const BorderPiece> pieces(int rank) const {
      return std::span(piece).subspan(static_cast<std::size_t>(piece_start[rank]),
                                      static_cast<std::size_t>(piece_start[rank + 1] - piece_start[rank]));
    }
    std::span<const std::int32_t> variables(int rank) const {
      return std::span(variable).subspan(
          static_cast<std::size_t>(variable_start[rank]),
          static_cast<std::size_t>(variable_start[rank + 1] - variable_start[rank]));
    }
    int ranks() const { return static_cast<int>(piece_start.size()) - 1; }
  };
  Side sent, received;
  std::vector<std::int32_t> position;  ///< of received pieces: their rows and columns in the panels of `top`
};

/// Number of entries in some pieces.
Index entries_of(std::span<const BorderPiece> pieces);

/// mine: the selection of rank me; top: the nodes above the subtrees; top_number: variable of B -> its number
///         in `top`, or -1
BorderLists border_lists(const NodeStructure& structure, std::span<const std::int32_t> owner,
                         const NodeSelection& mine, const NodeGrid& top,
                         std::span<const std::int32_t> top_number, int me);

}  // namespace overlapack::sparse::supernodal
