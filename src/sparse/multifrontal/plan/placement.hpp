#pragma once
#include "comm/rank.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

namespace overlapack::sparse {
struct FactorPlan;
struct RootPlan;
}  // namespace overlapack::sparse

namespace overlapack::sparse::multifrontal {

/// The largest root, if the plan distributes it over all ranks; else -1.
/// is_distributing: are the rows of large fronts distributed to ranks as well?
/// LDL^T has one only if the plan asks for it, since dense LU factorises it and gives no inertia (decision
/// 0052).
/// Errors  BadPlan: a root on a grid was asked for, but the signs of pivots are known, and to be looked at; block < 1
Index choose_grid_root(const Analysis& analysis, const RootPlan& plan, int ranks, bool is_distributing);

/// How a root on a grid is factorised.
constexpr FactorKind grid_kind(FactorKind kind) {
  return kind == FactorKind::cholesky ? kind : FactorKind::lu;
}

/// Chooses the owner of each front, the fronts that are distributed, and the tasks. If the plan distributes,
/// large fronts above the one-rank subtrees are in strips, long ones become chains, and the largest root is
/// on the grid. The mapping then counts no more than the owner's own part of such fronts.
/// is_distributed: A came by rows over the ranks, and each rank gets some fronts; else one rank may have all
///         of them (MappingPlan::least_gain)
Placement place_fronts(comm::Rank& rank, const Analysis& analysis, const FactorPlan& plan,
                       bool is_distributed);

}  // namespace overlapack::sparse::multifrontal
