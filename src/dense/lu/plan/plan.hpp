#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/superstep/world_plan.hpp"
#include "dense/lu/plan/discipline.hpp"
#include "dist/moves/messages/message_plan.hpp"
#include "overlapack/choices.hpp"

#include <functional>
#include <optional>

namespace overlapack::dense {

/// Order of the updates inside a panel: left-looking, Crout, right-looking (HPL.dat's PFACT and RFACT).
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
  Discipline discipline = Discipline::messages;
  Schedule schedule = Schedule::look_ahead;
  PivotSearch pivot_search = PivotSearch::combined;
  int depth =
      1;  ///< look-ahead: panels ahead; parity: 0: the paper's order, else updates while a panel is on its way
  /// schedule = parity with depth > 0: a rank that waits for a panel updates as many columns as so many panels have. On simulated
  /// machines that is about as long as the factorisation of a panel takes
  Index early_panels = 3;
  PanelPlan panel = {};
  /// nb', columns of a panel: a multiple of the distributed block; 0: the block. Several process columns factorise a wider
  /// one: supersteps, flat, pivot_search columns
  Index panel_width = 0;
  /// schedule = split: share of the trailing columns in the half that is updated last
  double split_share = 0.5;
  Index tile = 512;  ///< where messages may be under way, updates are cut into tiles of this order with polls
                     ///< between them
  /// Look-ahead in supersteps: slices of the update between the halves of syncs. Split: pieces of the far half's update, before
  /// each of which it looks for the next panel
  Index slices = 8;
  /// schedule = parity: a node is this many consecutive ranks; 0: the engine's nodes
  int ranks_per_node = 0;
  Index rhs_block = 64;       ///< right-hand sides solved together
  bool exchange_left = true;  ///< interchange the rows of L as well (LAPACK's form); HPL does not
  dist::MessagePlan messages = {};
  RowSwap row_swap = RowSwap::native;  ///< discipline = onesided
  bool reads_in_place = true;  ///< discipline = onesided: panels of others, where they are within reach
  int told_by_one = 16;        ///< discipline = onesided: dist::OnesidedPlan has it
  std::optional<LentMemory> lent_memory = {};  ///< discipline = onesided; empty: as dist::LentMatrix chooses
  SyncKind sync = SyncKind::full;              ///< discipline = superstep
  /// disciplines onesided and superstep: direct or pairwise, or, in supersteps, shared
  SwapKind swap = SwapKind::direct;
  /// discipline = onesided: paper 3's library: pivot searches by messages, broadcasts of this kind (direct: by gets); empty: no
  /// messages at all
  std::optional<BroadcastKind> library_broadcast = {};
  comm::superstep::WorldPlan world = {};
  comm::InboxOptions inbox{.posted = 8};
  /// Called before each panel with the share of the work that is done; may throw, which ends the run on all ranks.
  std::function<void(double share)> on_progress = {};

  Index panel_columns(Index block) const { return panel_width > 0 ? panel_width : block; }
  SwapKind interchange() const { return discipline == Discipline::messages ? messages.swap : swap; }
  /// A panel's exchanges one after the other, also those in L.
  bool is_pairwise() const { return interchange() == SwapKind::pairwise; }
};

}  // namespace overlapack::dense
