#pragma once
#include "comm/kinds.hpp"

namespace overlapack::sparse {

/// The messages of the factorisation and the forward solve; docs/multifrontal-protocol.md says who sends which when.
/// id 2 of the header is the front that a message is about.
enum class MessageKind : std::int32_t {
  delayed_part = 1,    ///< ids 3 = d (delayed), 4 = m (border), 5 = has columns
  block_part,          ///< ids 3 = d, 4 = m, 5 = 1 if the block is a packed lower triangle
  solve_part,          ///< right-hand side or solution of a contribution
  strip_list,          ///< child's master to parent's: who holds the child's border rows
  strip_description,   ///< master to all ranks: your strip, or that you have none
  parent_strips,       ///< parent's master to whoever holds rows of a child: where they go
  contribution_piece,  ///< rows of a child to the rank that holds them in the parent; id 3 = in a strip of it
  panel_part,  ///< master to strips: ids 3 = first pivot, 4 = pivots, 5 = is the last; the body begins with the
               ///< ranks that pass it on, none where the master sends to each
  strip_rhs,         ///< forward solve, master to strips: y of the front's pivots
  root_description,  ///< owner of the grid root to all ranks: its order, names, your original entries
  root_piece,  ///< part of a child's matrix to where it stands on the grid; id 3 = 1 if only its lower triangle
  strip_sum,  ///< forward solve, strip to parent's master: ids 3 = first row, 4 = rows
  stealing,  ///< ranks without work ask, and are given whole fronts: ids 3 = step (dist/tree/stealing.hpp), 4 = task
  load_news,  ///< where news of loads share this lane: id 3 = 1 in a rank's last ones
};

inline constexpr std::string_view message_kind_names[] = {
    "delayed pivots",       "contribution block", "vector part", "list of strips",   "strip description",
    "strips of the parent", "contribution piece", "panel",       "vector to strips", "root description",
    "root piece",           "vector from strips", "stealing",    "news of loads"};
inline constexpr comm::KindRange message_kinds{MessageKind::delayed_part, MessageKind::load_news,
                                               message_kind_names};

}  // namespace overlapack::sparse
