#pragma once
#include "dist/mapping/tree_mapping.hpp"
#include "dist/tree/tree_walk.hpp"
#include "sparse/factors/disk_plan.hpp"
#include "sparse/factors/low_rank_plan.hpp"
#include "sparse/factors/strip_plan.hpp"
#include "sparse/factors/sweep_plan.hpp"

#include <cstdint>

namespace overlapack::sparse {

/// How large fronts are cut into tiles, the tasks of threads (multifrontal::FrontTasks).
struct TilePlan {
  Index least_pivots = 32, most_pivots = 96;  ///< pivots of a step
  Index steps = 6;          ///< a front has at least so many steps before these become wider
  Index border_rows = 128;  ///< of a tile below the fully summed rows
  Index contribution_rows = 256, contribution_columns = 128;  ///< of a tile of C
  Index depth = 256;          ///< pivots whose products are subtracted from a tile of C together
  std::uint64_t shuffle = 0;  ///< for tests: > 0, tasks are taken in an order that this number decides
};

/// Decisions of the multifrontal method alone.
struct MultifrontalPlan {
  double leaf_flops = 4e6;  ///< a subtree up to this size is one task, without a poll inside
  /// If all fronts are whole, that size is leaf_share of all flops, at most leaf_flops, and at least
  /// least_leaf_flops, below which a task is too small. For a tree with little work the least size is
  /// most_leaf_share of all flops.
  double leaf_share = 1.0 / 256, least_leaf_flops = 2e5, most_leaf_share = 1.0 / 8;
  /// Inside such a task, fronts of a symmetric matrix up to this order are done in one go (SmallFronts); 0:
  /// none.
  Index small_order = 32;
  Index slice_rows = 384;           ///< most rows of L21 in a slice of its solve
  bool steals = false;              ///< ranks without work take whole fronts from others
  double least_stolen_flops = 4e6;  ///< least flops of a task that is worth its message
  TilePlan tiles;
  SweepPlan sweep;
  StripPlan strips;
  RootPlan root;
  DiskPlan disk;
  LowRankPlan low_rank;
  dist::MappingPlan mapping;
  dist::WalkPlan walk;
};

}  // namespace overlapack::sparse
