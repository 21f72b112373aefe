#pragma once
#include "base/arena.hpp"
#include "sparse/multifrontal/contribution_message.hpp"
#include "sparse/multifrontal/front.hpp"
#include "sparse/multifrontal/multifrontal.hpp"
#include "sparse/multifrontal/structure.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace overlapack::sparse {

/// One rank's factors.
template <class T>
struct FactorState {
  Structure structure;
  dist::WalkPlan walk;
  Index rhs_block = 1;              ///< as in the plan
  std::vector<Front<T>> fronts;     ///< mine, ascending
  std::vector<std::int32_t> local;  ///< front -> its place in fronts, -1 if another rank's
  std::unordered_map<Index, RemoteContribution<T>> remote;  ///< children of my fronts that other ranks own
  Arena arena;                                              ///< panels, L21, D and names
  FactorStats stats;

  // rank 0 only: how B comes from A, and whose each unknown is
  std::vector<Index> row_perm, col_perm;
  std::vector<double> row_scale, col_scale;
  std::vector<comm::Body> pivot_columns;  ///< rank -> int32 permuted columns of its pivots, front after front

  Front<T>& front(Index f) { return fronts[static_cast<std::size_t>(local[f])]; }
  bool is_mine(Index f) const { return local[f] >= 0; }
};

}  // namespace overlapack::sparse
