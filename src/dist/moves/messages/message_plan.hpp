#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "dist/moves/row_interchange.hpp"

namespace overlapack::dist {

/// Decisions of the moves by messages.
struct MessagePlan {
  comm::collective::BroadcastKind broadcast = comm::collective::BroadcastKind::modified_ring;
  SwapKind swap = SwapKind::mix;
  Index mix_columns = 64;  ///< swap = mix: binary exchange up to this many columns

  SwapKind swap_of(Index columns) const {
    if (swap != SwapKind::mix) return swap;
    return columns <= mix_columns ? SwapKind::binary_exchange : SwapKind::spread_roll;
  }
};

}  // namespace overlapack::dist
