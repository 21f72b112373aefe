#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/multifrontal/factors/front_table.hpp"
#include "sparse/multifrontal/factors/root_factors.hpp"
#include "sparse/multifrontal/factors/strip.hpp"
#include "sparse/multifrontal/front/front_space.hpp"
#include "sparse/multifrontal/front/ledger.hpp"
#include "sparse/multifrontal/message/contribution_message.hpp"
#include "sparse/multifrontal/plan/strips.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <variant>
#include <vector>

namespace overlapack::sparse {

/// What is known of the rows of B, or of its columns.
struct MatrixSide {
  // rank 0 only: how they come from A, and whose each is
  std::vector<Index> perm;
  std::vector<double> scale;
  std::vector<comm::Body> pivots;                   ///< rank -> int32 names of its pivots, front after front
  std::shared_ptr<std::vector<std::int32_t>> mine;  ///< what I have of these
  std::vector<std::int32_t> null;                   ///< on all ranks: names of those without pivots
};

/// One rank's factors.
template <class T>
struct FactorState {
  Ledger ledger;  ///< first of all, since all others book in it
  Structure structure;
  dist::WalkPlan walk;
  Index rhs_block = 1;  ///< as in the plan
  FrontTable<T> fronts;
  std::unordered_map<Index, RemoteContribution<T>> remote;  ///< children of my fronts that other ranks own
  std::map<Index, Strips> strips_of;                        ///< LU: of my distributed fronts
  std::map<Index, Strip<T>> strips;  ///< LU: that I hold of other ranks' fronts, by front
  RootFactors<T> root;               ///< my part of the grid root, if there is one
  MatrixSide rows, columns;
  // What a factorisation needs besides; kept from one to the next once there has been a second.
  EntryStore<T> entries;
  FrontSpace<T> space;
  FactorStats stats;

  Front<T>& front(Index f) { return fronts[f]; }
  bool is_mine(Index f) const { return fronts.has(f); }
  FrontCounts& counts() { return std::get<FrontCounts>(stats.own); }
};

}  // namespace overlapack::sparse
