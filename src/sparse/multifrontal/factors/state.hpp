#pragma once
#include "base/arena.hpp"
#include "base/block_pool.hpp"
#include "sparse/factors/entry_store.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/multifrontal/factors/root_factors.hpp"
#include "sparse/multifrontal/factors/strip.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/front/front_space.hpp"
#include "sparse/multifrontal/message/contribution_message.hpp"
#include "sparse/multifrontal/plan/strips.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

namespace overlapack::sparse {

/// One rank's factors.
template <class T>
struct FactorState {
  Structure structure;
  dist::WalkPlan walk;
  Index rhs_block = 1;  ///< as in the plan
  std::deque<Front<T>>
      fronts;  ///< mine, ascending; during the walk those given away as well, and stolen ones at the end
  std::vector<std::int32_t> local;  ///< front -> its place in fronts, -1 if another rank's
  std::unordered_map<Index, RemoteContribution<T>> remote;  ///< children of my fronts that other ranks own
  std::map<Index, Strips> strips_of;                        ///< LU: of my distributed fronts
  std::map<Index, Strip<T>> strips;  ///< LU: that I hold of other ranks' fronts, by front
  RootFactors<T> root;               ///< my part of the grid root, if there is one
  Arena arena;                       ///< panels, L21, D and names
  // What a factorisation needs besides; kept from one to the next once there has been a second.
  EntryStore<T> entries;
  BlockPool pool;  ///< contribution blocks
  FrontSpace<T> space;
  FactorStats stats;
  double live_bytes = 0;      ///< contribution blocks not yet assembled, mine and parked
  double promised_bytes = 0;  ///< of strips that I was given and have not begun, as predicted

  // rank 0 only: how B comes from A, and whose each unknown is
  std::vector<Index> row_perm, col_perm;
  std::vector<double> row_scale, col_scale;
  std::vector<comm::Body> pivot_columns;  ///< rank -> int32 permuted columns of its pivots, front after front
  std::vector<comm::Body> pivot_rows;     ///< the same of their rows
  std::shared_ptr<std::vector<std::int32_t>> my_pivot_columns, my_pivot_rows;  ///< what I have of these
  // on all ranks: permuted rows and columns without pivots
  std::vector<std::int32_t> null_rows, null_columns;

  Front<T>& front(Index f) { return fronts[static_cast<std::size_t>(local[f])]; }
  bool is_mine(Index f) const { return local[f] >= 0; }
  FrontCounts& counts() { return std::get<FrontCounts>(stats.own); }
  /// What I hold; kept: blocks that wait for reuse.
  double bytes(std::size_t kept) const { return live_bytes + static_cast<double>(arena.used_bytes() + kept); }
  void hold_bytes(double more, std::size_t kept) {
    live_bytes += more;
    stats.peak_bytes = std::max(stats.peak_bytes, bytes(kept));
  }
};

}  // namespace overlapack::sparse
