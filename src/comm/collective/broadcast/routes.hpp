#pragma once
#include <vector>

namespace overlapack::comm::collective {

/// Route of one piece through one position of the group: `from` is the position that sends it here, `to` are the positions to which it
/// is forwarded, the most urgent first. Positions count from the root, which is 0 and has from = -1.
struct Route {
  int from = -1;
  std::vector<int> to{};
};

/// Route of piece `piece` through `position` in a group of `size`. A broadcast in pieces has one piece for each position except the
/// root: the root sends piece i to position i + 1, its owner, first.
using RouteOf = Route(int piece, int position, int size);

/// 0 -> 1 -> 2 -> ... -> size - 1.
/// Cost    depth size - 1; at most one message sent a rank
/// Source  HPL's HPL_bcast_1ring
RouteOf ring_route;

/// Two rings that start at the root: one over the positions 1 .. (size - 1) / 2, the other over the rest.
/// Cost    depth size / 2; two messages sent by the root, at most one by the others
/// Source  HPL's HPL_bcast_2ring
RouteOf two_ring_route;

/// Position i -> 2 i + 1, 2 i + 2.
/// Cost    depth log2(size); at most two messages sent a rank
RouteOf binary_tree_route;

/// The root sends each piece to its owner, from where it travels round the ring of all but the root.
/// Cost    each rank sends at most `bytes` bytes in all; depth: size - 1 messages of one piece; size - 1 messages sent by the
///         root, at most size - 1 by each of the others
/// Source  HPL's HPL_bcast_blong. HPL spreads the pieces by recursive halving, through positions that must be inside the
///         library to forward them; its root takes part in the ring and receives pieces that it already has.
RouteOf spread_roll_route;

/// The root sends each piece to its owner, which sends it to all others (scatter, then all-gather).
/// Cost    each rank sends at most `bytes` bytes in all; depth 2; size - 1 messages sent by the root, size - 2 by each of
///         the others
/// Source  paper 4, section 2.2: the two-phase broadcast, cost 2 g bytes + 2 l for large messages
RouteOf two_phase_route;

/// 0 -> every position.
/// Cost    depth 1; size - 1 messages sent by the root
/// Source  paper 3, Fig. 3 (c). In the paper, and in our discipline onesided, each rank gets the body by a one-sided get instead
RouteOf direct_route;

}  // namespace overlapack::comm::collective
