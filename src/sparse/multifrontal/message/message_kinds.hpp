#pragma once
#include <cstdint>
#include <string_view>

namespace overlapack::sparse {

/// The messages of the factorisation and the forward solve; docs/multifrontal-protocol.md says who sends which when. Each is
/// packed and parsed by one type, which alone knows what its header and its body hold. Below 100: the dense algorithms on the
/// same lane have numbers above.
enum MessageKind : std::int32_t {
  delayed_part = 1,    ///< what a child delayed
  block_part,          ///< C of a child
  solve_part,          ///< right-hand side or solution of a contribution
  strip_list,          ///< child's master to parent's: who holds the child's border rows
  strip_description,   ///< master to all ranks: your strip, or that you have none
  parent_strips,       ///< parent's master to whoever holds rows of a child: where they go
  contribution_piece,  ///< rows of a child to the rank that holds them in the parent
  panel_part,          ///< master to strips: the pivots of a step
  strip_rhs,           ///< forward solve, master to strips: y of the front's pivots
  root_description,    ///< owner of the grid root to all ranks: its order, names, your original entries
  root_piece,          ///< part of a child's matrix to where it stands on the grid
  strip_sum,           ///< forward solve, strip to parent's master: what its rows subtract
  stealing,            ///< ranks without work ask, and are given whole fronts (dist/fronts/stealing.hpp)
  load_news,           ///< where news of loads share this lane (dist/fronts/load_board.hpp)
};

/// "" for a number that is none of these.
constexpr std::string_view message_name(std::int32_t kind) {
  switch (kind) {
    case delayed_part:
      return "delayed pivots";
    case block_part:
      return "contribution block";
    case solve_part:
      return "vector part";
    case strip_list:
      return "list of strips";
    case strip_description:
      return "strip description";
    case parent_strips:
      return "strips of the parent";
    case contribution_piece:
      return "contribution piece";
    case panel_part:
      return "panel";
    case strip_rhs:
      return "vector to strips";
    case root_description:
      return "root description";
    case root_piece:
      return "root piece";
    case strip_sum:
      return "vector from strips";
    case stealing:
      return "stealing";
    case load_news:
      return "news of loads";
    default:
      return "";
  }
}

}  // namespace overlapack::sparse
