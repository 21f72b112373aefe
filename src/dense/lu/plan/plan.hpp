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
  /// Look-ahead: number of panels factorised ahead. Parity: 0 for the paper's order; else ranks update while a panel is on its way.
  int depth = 1;
  /// schedule = parity with depth > 0: how many panel widths of columns a rank updates while it waits for a panel. On simulated
  /// machines, 3 take about as long as the factorisation of a panel
  Index early_panels = 3;
  PanelPlan panel = {};
  /// nb' of paper 4, the columns of a panel: a multiple of the distributed block; 0: the block. Several process columns factorise a
  /// panel of more than one block; only the discipline superstep, schedule flat, pivot_search columns can
  Index panel_width = 0;
  /// schedule = split: share of the trailing columns in the half that is updated last
  double split_share = 0.5;
  /// While messages may be under way, updates are cut into tiles of this order, with polls between them
  Index tile = 512;
  /// Look-ahead in supersteps: number of slices of the update between the halves of syncs. Split: number of pieces of the far update,
  /// before each of which the rank looks for the next panel
  Index slices = 8;
  /// schedule = parity: a node is this many consecutive ranks; 0: the engine's nodes
  int ranks_per_node = 0;
  Index rhs_block = 64;       ///< right-hand sides solved together
  bool exchange_left = true;  ///< interchange the rows of L as well (LAPACK's form); HPL does not
  dist::MessagePlan messages = {};
  RowSwap row_swap = RowSwap::native;  ///< discipline = onesided
  /// Discipline = onesided: read others' panels in shared memory, without a copy
  bool reads_in_place = true;
  int told_by_one = 16;                        ///< discipline = onesided: as dist::OnesidedPlan::told_by_one
  std::optional<LentMemory> lent_memory = {};  ///< discipline = onesided; empty: dist::LentMatrix chooses
  SyncKind sync = SyncKind::full;              ///< discipline = superstep
  /// disciplines onesided and superstep: how rows are interchanged: direct or pairwise, in supersteps also shared
  SwapKind swap = SwapKind::direct;
  /// discipline = onesided: use messages as paper 3 uses its message-passing library: for pivot searches, and for broadcasts of this
  /// kind (direct: broadcasts by gets instead); empty: no messages at all
  std::optional<BroadcastKind> library_broadcast = {};
  comm::superstep::WorldPlan world = {};
  comm::InboxOptions inbox{.posted = 8};
  /// Called before each panel with the share of the work that is done; may throw, which ends the run on all ranks.
  std::function<void(double share)> on_progress = {};

  Index panel_columns(Index block) const { return panel_width > 0 ? panel_width : block; }
  SwapKind interchange() const { return discipline == Discipline::messages ? messages.swap : swap; }
  /// Whether a panel's rows are exchanged pair by pair instead of as one permutation, also in L.
  bool is_pairwise() const { return interchange() == SwapKind::pairwise; }
};

}  // namespace overlapack::dense
