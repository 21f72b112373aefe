#pragma once
#include "sparse/multifrontal/factorize/strip_context.hpp"
#include "sparse/multifrontal/message/strip_messages.hpp"

namespace overlapack::sparse::multifrontal {

/// Send a panel of the master, which is this rank, to each strip; where these are many, to the first ranks of a binary tree: the
/// master, then who has the strips, the last one first. So who passes a panel on has all rows that those behind him need.
template <class T>
void send_panel(const StripContext<T>& here, PanelMessage<T>& panel, const Strips& strips);

/// Pass a panel on to the children of a position in that tree, 2 position + 1 and 2 position + 2: the rows that they need.
template <class T>
void multicast(const StripContext<T>& here, const PanelMessage<T>& panel, const comm::Message& message,
               std::size_t position);

}  // namespace overlapack::sparse::multifrontal
