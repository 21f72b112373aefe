#pragma once
#include <vector>

namespace overlapack::comm::collective {

/// How one piece of a broadcast passes a position: from whom it comes, to whom it goes on, the most urgent first.
/// Places count from the root, which is 0 and has from = -1.
struct Route {
  int from = -1;
  std::vector<int> to{};
};

/// The way of piece `piece` past `position` in a group of `size`. Broadcasts in pieces have one piece for each position but
/// the root: piece i goes to place i + 1 first, its owner.
using RouteOf = Route(int piece, int position, int size);

/// 0 -> 1 -> 2 -> ... -> size - 1.
/// Cost    depth size - 1; at most one message sent a rank
/// Source  HPL's HPL_bcast_1ring
RouteOf ring_route;

/// Two rings from the root, over the positions 1 .. (size - 1) / 2 and over those behind them.
/// Cost    depth size / 2; two messages sent by the root, at most one by the others
/// Source  HPL's HPL_bcast_2ring
RouteOf two_ring_route;

/// Place i -> 2 i + 1, 2 i + 2.
/// Cost    depth log2(size); at most two messages sent a rank
RouteOf binary_tree_route;

/// The root spreads the pieces over their owners, from there each rolls round the ring of all but the root.
/// Cost    of `bytes` in all the root sends each once, the others at most once; depth size - 1 pieces, size - 1
///         messages sent by the root, at most size - 1 by the others
/// Source  HPL's HPL_bcast_blong. There the pieces are spread by halving, through places that must be in the library
///         to pass them on, and the root takes part in the roll, which brings it what it has.
RouteOf spread_roll_route;

/// The root spreads the pieces over their owners, each of whom sends its own to all others.
/// Cost    of `bytes` in all the root sends each once, the others at most once; depth 2, size - 1 messages sent by the
///         root, size - 2 by the others
/// Source  paper 4, section 2.2: the two-phase broadcast, cost 2 g bytes + 2 l for large messages
RouteOf two_phase_route;

/// 0 -> every position.
/// Cost    depth 1; size - 1 messages sent by the root
/// Source  paper 3, Fig. 3 (c): there, and in the discipline onesided, each gets the body from the root by itself
RouteOf direct_route;

}  // namespace overlapack::comm::collective
