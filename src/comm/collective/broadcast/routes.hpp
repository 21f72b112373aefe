#pragma once
#include <vector>

namespace overlapack::comm::collective {

/// Route of one piece through a position: from which position it is received, and to which it is forwarded, the most urgent first.
/// Positions count from the root, which is 0 and has from = -1.
struct Route {
  int from = -1;
  std::vector<int> to{};
};

/// Route of piece `piece` through `position` in a group of `size`. Broadcasts in pieces have one piece for each position but
/// the root: piece i is first sent to position i + 1, its owner.
using RouteOf = Route(int piece, int position, int size);

/// 0 -> 1 -> 2 -> ... -> size - 1.
/// Cost    depth size - 1; at most one message sent a rank
/// Source  HPL's HPL_bcast_1ring
RouteOf ring_route;

/// Two rings from the root, over the positions 1 .. (size - 1) / 2 and over those behind them.
/// Cost    depth size / 2; two messages sent by the root, at most one by the others
/// Source  HPL's HPL_bcast_2ring
RouteOf two_ring_route;

/// Position i -> 2 i + 1, 2 i + 2.
/// Cost    depth log2(size); at most two messages sent a rank
RouteOf binary_tree_route;

/// The root sends each piece to its owner, from where it travels round the ring of all but the root.
/// Cost    of `bytes` in all the root sends each once, the others at most once; depth size - 1 pieces, size - 1
///         messages sent by the root, at most size - 1 by the others
/// Source  HPL's HPL_bcast_blong. There the pieces are spread by halving, through positions that must be inside the library
///         to forward them, and the root takes part in the ring and receives what it has.
RouteOf spread_roll_route;

/// The root sends each piece to its owner, who sends it to all others.
/// Cost    of `bytes` in all the root sends each once, the others at most once; depth 2, size - 1 messages sent by the
///         root, size - 2 by the others
/// Source  paper 4, section 2.2: the two-phase broadcast, cost 2 g bytes + 2 l for large messages
RouteOf two_phase_route;

/// 0 -> every position.
/// Cost    depth 1; size - 1 messages sent by the root
/// Source  paper 3, Fig. 3 (c): there, and in the discipline onesided, each rank gets the body from the root one-sidedly
RouteOf direct_route;

}  // namespace overlapack::comm::collective
