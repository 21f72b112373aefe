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
/// Of LDL^T only where the plan asks for it: dense LU factorises it, which tells no inertia.
/// Errors  BadPlan: a root on a grid was asked for, but the signs of pivots are known, and to be looked at; block < 1
Index choose_grid_root(const Analysis& analysis, const RootPlan& plan, int ranks, bool is_distributing);

/// How a root on a grid is factorised.
constexpr FactorKind grid_kind(FactorKind kind) {
  return kind == FactorKind::cholesky ? kind : FactorKind::lu;
}

/// Fronts above the one-rank subtrees that are large enough are distributed, long ones as chains, and so is the largest root;
/// then their owners have less to do.
/// is_distributed: each rank has some rows of A, and so gets some fronts, too; else one rank may have all (MappingPlan::least_gain)
Placement place_fronts(comm::Rank& rank, const Analysis& analysis, const FactorPlan& plan,
                       bool is_distributed);

}  // namespace overlapack::sparse::multifrontal
