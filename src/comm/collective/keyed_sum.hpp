#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "comm/collective/collective.hpp"
#include "comm/mailbox/exchange.hpp"
#include "comm/values.hpp"

#include <functional>
#include <vector>

namespace overlapack::comm::collective {

/// Reduction over a binary tree of the group's ranks: x of the root <- the entrywise sum over the group, added in an order that depends
/// on the group's size only. The x of the others is overwritten. Under phantom simulation, messages have the size of x and no content.
/// Sync    collective over the group; blocks until the ranks below this one in the tree have sent
/// Cost    depth log2 of the group, one message sent and at most two received a rank
template <class T>
void reduce_sum_to_root(Exchange& exchange, const Group& group, int root, const Key& key, std::vector<T>& x) {
  const TreePosition position = tree_position(group.me, group.size(), root);
  Rank& rank = exchange.rank();
  for (const int child : {position.left, position.right}) {
    if (child < 0) continue;
    const Message part = exchange.receive(group.ranks[static_cast<std::size_t>(child)], key);
    run_unless_phantom(rank, [&] { std::ranges::transform(x, part.body.as<T>(), x.begin(), std::plus<>()); });
  }
  if (position.parent >= 0)
    exchange.send(
        group.ranks[static_cast<std::size_t>(position.parent)], key,
        pack_body(rank, x.size() * sizeof(T), [&] { return Body::copy_of(std::span<const T>(x)); }));
}

}  // namespace overlapack::comm::collective
