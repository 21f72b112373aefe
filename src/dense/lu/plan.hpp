#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "dist/rows/interchange.hpp"

#include <functional>
#include <string_view>

namespace overlapack::dense {

/// In which order the tasks of an LU step run.
enum class Schedule : std::uint8_t {
  flat,  ///< paper 2, Table 1: factor, broadcast, interchange, solve, update; all ranks in the same phase
  look_ahead,  ///< `depth` panels are factorised and on their way before the trailing matrix is updated
  split,  ///< look-ahead, and the update in two halves: the rows of one are interchanged while the other computes
  parity,  ///< paper 2, Fig. 7: the ranks of a node in opposite phases
  hybrid,  ///< one rank a node: helper threads compute while the rank itself moves messages
};
inline constexpr std::string_view schedule_names[] = {"flat", "lookahead", "split", "parity", "hybrid"};

/// Which triangle of work comes first inside a panel (HPL.dat's PFACT and RFACT).
enum class PanelOrder : std::uint8_t { left, crout, right };

struct PanelPlan {
  PanelOrder recursion = PanelOrder::right;  ///< RFACT
  /// PFACT; left reads each column once, right (HPL.dat) rewrites the rest
  PanelOrder base = PanelOrder::left;
  Index smallest = 16;  ///< NBMIN: no recursion at or below this many columns
  Index parts = 2;      ///< NDIV: a panel is divided into this many
};

/// Decisions of a dense LU.
struct LuPlan {
  Schedule schedule = Schedule::look_ahead;
  int depth = 1;  ///< look-ahead: panels ahead
  PanelPlan panel = {};
  comm::collective::BroadcastKind broadcast = comm::collective::BroadcastKind::modified_ring;
  dist::SwapKind swap = dist::SwapKind::mix;
  Index mix_columns = 64;  ///< swap = mix: binary exchange up to this many columns
  /// schedule = split: share of the trailing columns in the half that is updated last
  double split_share = 0.5;
  Index tile = 512;  ///< where messages may be under way, updates are cut into tiles of this order with polls
                     ///< between them
  /// schedule = parity: a node is this many consecutive ranks; 0: as the engine tells
  int ranks_per_node = 0;
  Index rhs_block = 64;       ///< right-hand sides solved together
  bool exchange_left = true;  ///< interchange the rows of L as well (LAPACK's form); HPL leaves them
  comm::InboxOptions inbox{.posted = 8};
  /// Called before each panel with the share of the work that is done; may throw, which ends the run on all ranks.
  std::function<void(double share)> on_progress = {};
};

}  // namespace overlapack::dense
