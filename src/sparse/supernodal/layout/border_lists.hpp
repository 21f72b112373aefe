#pragma once
#include "sparse/supernodal/layout/node_grid.hpp"
#include "sparse/supernodal/layout/node_map.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::supernodal {

/// One block of what a rank's subtrees add to the nodes above them.
struct BorderPiece {
  std::int32_t
      node;  ///< whose panel it is of: sent, of the border; received, of those distributed to the grid
  std::int32_t is_lower;  ///< of L, or else of U transposed
  std::int32_t rows, columns;
  Index
      begin;  ///< sent: its first row in the panel; received: its positions in BorderLists::place, of rows, then of columns
};

/// Who sends what of the border to whom: once in the factorisation, once in either sweep of a solve. Sender and receiver have
/// the pieces, and the variables, of their pair in the same order.
struct BorderLists {
  struct Side {
    std::vector<Index> piece_start{0}, variable_start{0};  ///< by the other rank
    std::vector<BorderPiece> piece;
    std::vector<std::int32_t>
        variable;  ///< whose squares the receiver has, by the numbers of the side that holds them

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

/// mine: of rank me. top: the nodes above the subtrees; top_number: of each variable there
BorderLists border_lists(const NodeStructure& structure, std::span<const std::int32_t> owner,
                         const NodeSelection& mine, const NodeGrid& top,
                         std::span<const std::int32_t> top_number, int me);

}  // namespace overlapack::sparse::supernodal
