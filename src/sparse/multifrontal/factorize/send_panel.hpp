#pragma once
#include "sparse/multifrontal/factorize/strip_context.hpp"
#include "sparse/multifrontal/message/strip_messages.hpp"

namespace overlapack::sparse::multifrontal {

/// Sends a panel of the master, which is this rank, to each strip. From StripPlan::tree_from strips on it
/// travels through a binary tree of ranks: the master at position 0, then the ranks of the strips, the last
/// strip first. So a rank that passes a panel on has all rows that the ranks behind it need.
template <class T>
void send_panel(const StripContext<T>& here, PanelMessage<T>& panel, const Strips& strips);

/// Passes a panel on from a position of that tree to positions 2 position + 1 and 2 position + 2, each with
/// the rows that it needs.
template <class T>
void multicast(const StripContext<T>& here, const PanelMessage<T>& panel, const comm::Message& message,
               std::size_t position);

}  // namespace overlapack::sparse::multifrontal
