#pragma once
#include "comm/mailbox/exchange.hpp"
#include "overlapack/choices.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace overlapack::comm::collective {

using overlapack::BroadcastKind;
inline constexpr std::size_t broadcast_kinds = std::size(choice_names<BroadcastKind>);

/// A subset of the ranks of a team, in an order that all of its members know.
struct Group {
  std::vector<int> ranks;  ///< by position
  int me = 0;              ///< my position
  int size() const { return static_cast<int>(ranks.size()); }
};

/// A broadcast under way. Every poll and wait of this rank advances it: arriving pieces are forwarded.
class Broadcast {
 public:
  virtual ~Broadcast() = default;
  virtual bool is_done() const = 0;
  /// The body; blocks until it is here (on the root: at once).
  virtual Body finish() = 0;
};

/// Start a broadcast over the group. All members call it with the same kind, root, bytes and key. Several broadcasts with different
/// keys may be under way at once, and the ranks may start them in different orders.
/// Shapes  root: a position in the group; body: on the root only, of `bytes` bytes
/// Sync    none: never blocks
/// Cost    depth and messages of each kind are in routes.hpp
std::unique_ptr<Broadcast> start_broadcast(Exchange& exchange, const Group& group, int root,
                                           BroadcastKind kind, const Key& key, std::size_t bytes, Body body);

}  // namespace overlapack::comm::collective
