#pragma once
#include "sparse/supernodal/layout/node_grid.hpp"
#include "sparse/supernodal/layout/node_map.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::supernodal {

/// One block of the updates by a rank's subtrees to the nodes above them.
struct BorderPiece {
  std::int32_t node;  ///< of its panel: sent: a node of the border; received: a node distributed to the grid
  std::int32_t is_lower;  ///< of L, or else of U transposed
  std::int32_t rows, columns;
  Index
      begin;  ///< sent: first row in the panel; received: start in BorderLists::position, rows, then columns
};

/// The messages of the border: one per pair of ranks in the factorisation, one in either sweep of a solve. Sender and receiver
/// have the pieces, and the variables, of their pair in the same order.
struct BorderLists {
  struct Side {
    std::vector<Index> piece_start{0}, variable_start{0};  ///< by the other rank
    std::vector<BorderPiece> piece;
    std::vector<std::int32_t>
        variable;  ///< whose squares the receiver owns; sent: numbers in the subtrees, received: in `top`

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
  std::vector<std::int32_t> position;
};

/// Entries of one pair's pieces.
Index entries_of(std::span<const BorderPiece> pieces);

/// mine: the selection of rank me; top: the nodes above the subtrees; top_number: each variable's number there, -1: none
BorderLists border_lists(const NodeStructure& structure, std::span<const std::int32_t> owner,
                         const NodeSelection& mine, const NodeGrid& top,
                         std::span<const std::int32_t> top_number, int me);

}  // namespace overlapack::sparse::supernodal
