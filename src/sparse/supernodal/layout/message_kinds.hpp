#pragma once
#include "comm/kinds.hpp"

namespace overlapack::sparse::supernodal {

/// The messages of supernodal LU on the lane bulk; their senders, receivers and order: docs/supernodal.md.
enum class NodeMessage : std::int32_t {
  square = 141,  ///< factors of a node's square, down its process column
  lower,         ///< L(:, K) along a process row, with the square in its process row
  upper,         ///< U(K, :) down a process column
  border,        ///< updates by subtrees to the nodes above them
  forward_sum,   ///< solve: what a process column subtracts from a node's part, along the process row
  forward_part,  ///< solve: y of a node, down the process column
  backward_sum,
  backward_part,
  border_sum,   ///< solve: what subtrees subtract from parts above them
  border_part,  ///< solve: x above the subtrees
};

inline constexpr std::string_view node_message_names[] = {
    "diagonal block",    "block column",     "block row",         "border of subtrees", "sum of the solve",
    "part of the solve", "sum of the solve", "part of the solve", "sum of the solve",   "part of the solve"};
inline constexpr comm::KindRange node_messages{NodeMessage::square, NodeMessage::border_part,
                                               node_message_names};

}  // namespace overlapack::sparse::supernodal
