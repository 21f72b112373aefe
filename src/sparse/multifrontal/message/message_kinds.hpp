#pragma once
#include "comm/kinds.hpp"

namespace overlapack::sparse::multifrontal {

/// The messages of the factorisation, the solves and the inverse; docs/multifrontal-protocol.md says who sends which when. Each is
/// packed and parsed by one type, which alone knows what its header and its body hold.
enum class MessageKind : std::int32_t {
  delayed_part = 1,    ///< what a child delayed
  block_part,          ///< C of a child
  solve_part,          ///< right-hand side or solution of a contribution
  strip_list,          ///< child's master to parent's: who holds the child's border rows
  strip_description,   ///< master to its strips: their rows; to masters that choose later: their work
  parent_strips,       ///< parent's master to the holders of a child's rows: where these rows go
  contribution_piece,  ///< rows of a child to the rank that holds them in the parent
  panel_part,          ///< master to strips: the pivots of a step
  strip_rhs,           ///< solve, master to strips: y of the front's pivots
  root_description,  ///< owner of the grid root to all ranks: what each child delayed, the receiver's entries
  root_piece,        ///< part of a child's matrix to where it stands on the grid
  strip_sum,         ///< solve, strip to parent's master: what its rows subtract
  stealing,          ///< ranks without work ask for whole fronts, and get them (dist/tree/stealing.hpp)
  inverse_part,      ///< entries of the inverse at what a child left to its parent
  mirrored_root,     ///< LDL^T: the upper triangle of the grid root, before it is factorised by LU
  load_news,         ///< load of a rank, if such news share this lane (dist/tree/load_board.hpp)
  strip_left,        ///< a strip to the owner of the grid root: its rows have set out for the grid
  strips_over,       ///< who begins a root to all ranks, through a tree of them: no strip below it is left
};

inline constexpr std::string_view message_kind_names[] = {
    "delayed pivots",       "contribution block", "vector part",  "list of strips",   "strip description",
    "strips of the parent", "contribution piece", "panel",        "vector to strips", "root description",
    "root piece",           "vector from strips", "stealing",     "inverse part",     "mirrored root",
    "news of loads",        "strip that left",    "end of strips"};
inline constexpr comm::KindRange message_kinds{MessageKind::delayed_part, MessageKind::strips_over,
                                               message_kind_names};

}  // namespace overlapack::sparse::multifrontal
