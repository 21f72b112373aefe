#pragma once
#include "comm/disk/scratch_file.hpp"
#include "dist/mapping/tree_mapping.hpp"
#include "dist/tree/load_board.hpp"
#include "dist/tree/tree_walk.hpp"
#include "overlapack/choices.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace overlapack::sparse {

using overlapack::NodeParallelism;
using overlapack::RootParallelism;

/// Fronts whose border rows are distributed to several ranks in strips, while the owner eliminates the fully summed rows.
struct StripPlan {
  std::optional<NodeParallelism> sharing = {};  ///< empty: slices where ranks share memory, strips elsewhere
  Index border = 192;                           ///< a front with fewer border rows stays on one rank,
  double least_flops = 5e7;                     ///< and so does one with less work
  Index rows = 48;                              ///< rows of a strip
  /// A front has as many strips as pay where a rank does so many flops while a byte is sent; 0: as many as have enough rows
  double flops_per_byte = 2;
  double flat_flops_per_byte =
      8;            ///< the same where the owner sends each panel to all strips itself (decision 0044)
  Index panel = 0;  ///< most pivots that the owner sends together; 0: panel_width
  /// A distributed front is split into a chain of fronts of at least so many pivots, where its owner would do more than its
  /// share of the work; 0: never.
  Index chain_pivots = 256;
  /// by_load: strips are larger where less work is left; fixed: as if no rank had other work
  StripChoice choice = StripChoice::by_load;
  /// panels go through a binary tree of the strips where there are so many, else to each
  Index tree_from = 8;
  dist::NewsBy load_news = dist::NewsBy::own_lane;
  /// Most even shares of a front that a rank's other work counts for: strips on few ranks alone would keep the rest of the tree
  /// waiting.
  double load_weight = 1;
  /// A strip brings no rank above (1 + memory_imbalance) x an even share of the predicted memory, while others have room.
  double memory_imbalance = 0.1;
  /// Least change of its load that a rank sends to the other ranks.
  dist::Load load_threshold{.flops = 5e7, .bytes = 16e6};
};

/// Pivots sent together to so many strips. With many strips all wait for the owner: narrow panels leave more of its work to large
/// products and let the strips begin sooner. Few strips have faster products with wide panels.
constexpr Index panel_width(const StripPlan& plan, Index strips) {
  if (plan.panel > 0) return plan.panel;
  constexpr Index least = 32, most = 128, together = 512;
  return std::clamp(together / strips / least * least, least, most);
}

/// A root that all ranks factorise together as a dense matrix.
struct RootPlan {
  /// empty: grid where fronts are distributed in strips and the root is large enough, else sequential
  std::optional<RootParallelism> root = {};
  Index order = 400;  ///< root empty: one of a smaller order stays on its owner
  Index block = 96;   ///< order of the blocks that are distributed, columns of a panel
};

/// Factors of fronts in a file of each rank instead of its memory.
struct DiskPlan {
  bool is_used = false;
  std::string scratch;  ///< folder
  /// Fronts, strips and other data are stored in segments of this size, which are written and read as one; a larger one has a
  /// segment of its own.
  std::size_t segment_bytes = std::size_t{4} << 20;
  std::size_t budget_bytes = std::size_t{64} << 20;  ///< not yet written; a larger segment goes alone
  std::size_t window_bytes = std::size_t{64}
                             << 20;  ///< of segments in memory in a solve, those read ahead included
  Index rhs_pass = 256;              ///< right-hand sides for which the file is read together
  comm::DiskFault fault;             ///< for tests
};

/// Blocks of large fronts as products of low rank.
struct LowRankPlan {
  bool is_used = false;
  /// A block is replaced by one that differs by at most this (Frobenius) x the largest entry of B, in the units of the factor: of
  /// factors with a unit diagonal x 1, of Cholesky's x its root.
  double tolerance = 1e-8;
  Index order = 700;    ///< least, of a front that is compressed
  Index cluster = 128;  ///< rows of a block, pivots of a panel
  /// A block is kept full where its product would take more than this share of its numbers.
  double worth = 0.75;
  /// Terms of products are in single precision where the rounding of that is within the tolerance, too; no effect on float types.
  bool has_single_terms = true;
  /// A slice of the update inside of a panel has this share of FactorPlan::slice_flops: a panel is narrow, and would be one or two
  /// whole slices, which several ranks cannot share evenly.
  double panel_slice_share = 0.125;
  bool contributions = true;  ///< blocks of contribution blocks, too, while these wait for the parent
  /// Only of fronts whose border has at least this share of the largest border's rows: smaller ones hardly matter at the peak.
  double contribution_share = 0.6;
};

/// How large fronts are cut into tiles, between which threads have look-ahead.
struct TilePlan {
  Index least_pivots = 32, most_pivots = 96;  ///< of a step
  Index steps = 6;                            ///< a front has at least so many, before they grow
  Index border_rows = 128;                    ///< of a tile below the fully summed rows
  Index contribution_rows = 256, contribution_columns = 128;  ///< of a tile of C
  Index depth = 256;          ///< pivots whose products are subtracted from it together
  std::uint64_t shuffle = 0;  ///< for tests: > 0, tasks are taken in an order that this number decides
};

/// How threads share the substitution in one front.
struct SweepPlan {
  /// They do in fronts with so many pivots x order (a megabyte), and with this share of one thread's even part of all fronts': what is less
  /// does not hold up the others.
  Index least_entries = Index{1} << 17;
  double least_share = 0.5;
  Index blocks = 8;                            ///< of pivots at least, before these grow
  Index least_pivots = 64, most_pivots = 128;  ///< of a block
  Index rows = 512;                            ///< of a block without pivots
  Index most_steps = 8;                        ///< products of a task
  std::uint64_t shuffle = 0;                   ///< as TilePlan::shuffle
};

/// Decisions of the multifrontal method alone.
struct MultifrontalPlan {
  double leaf_flops = 4e6;  ///< a subtree up to this size is one task, without a poll inside
  /// Inside of such a task fronts of a symmetric matrix up to this order are done in one go (SmallFronts); 0: none.
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

/// Decisions of column-by-column factors, of blocks with little fill.
struct ColumnPlan {
  Index at_once = 4096;  ///< columns between two checks of the caller's progress
  /// From so many predicted seconds on, columns whose numbers are computed anew are shared by the threads of a process.
  double shared_from_s = 1.5e-3;
  /// A subtree of the columns that one thread computes takes at most this x an even share of the predicted time.
  double subtree_share = 0.5;
  /// Predicted seconds: a column, each entry of its U, and each multiply-add.
  double column_s = 30e-9, entry_s = 4e-9, multiply_add_s = 0.6e-9;
  /// From so many saved accesses on, columns of a node are subtracted together instead of one after the other.
  Index joint_accesses = 16;
  /// LU with a threshold below 1: the predicted pivot is accepted down to this x the threshold, 0.001 by default as in KLU, since
  /// refinement recovers the accuracy, and a search costs more. A pivot known from a factorisation is kept down to kept_threshold
  /// x that: sums in another order change it by rounding, and one that just passed must not fail with the same values.
  double predicted_threshold = 0.1, kept_threshold = 0.5;
  /// L D L^T gives up once delayed pivots have made its work more than most_growth x the prediction without any, or some are left
  /// without a pivot: the caller has another method. An entry of L, and a column that is tried, count as entry_flops.
  bool may_give_up = false;
  double most_growth = 4, entry_flops = 100;
  /// L D L^T: as long as a variable that waits finds a pivot the others are tried again, at most so many times in a column.
  int most_rounds = 3;
};

/// Decisions of supernodal LU alone.
struct NodesPlan {
  Schedule schedule = Schedule::look_ahead;  ///< or flat, or pipelined
  int depth = 10;                            ///< block columns ahead (look_ahead)
  bool rows_ahead = true;  ///< block rows, too (look_ahead); off: they are sent in their step (paper 1)
  int grid_rows = 0, grid_cols = 0;     ///< of processes; 0: all ranks, as square as they allow
  std::optional<NodeOrder> order = {};  ///< empty: levels on more than one rank
  NodeMap map = NodeMap::cyclic;        ///< on one process all nodes are its own
  /// map subtrees: one of them takes at most this x an even share of the predicted time
  double subtree_share = 0.25;
  /// FactorPlan::perturbation 0: pivots below this x the largest entry of B (and 8 epsilon) are replaced by that
  double perturbation = 1e-13;
  /// If a pivot is below this x the largest entry of B (single precision: 32 epsilon) the rank of the matrix is not known, and
  /// fronts follow where auto chose the method. Real matrices stay above (singular_pivot).
  double sure_pivot = 1e-8;
  Index tile_rows = 256, tile_columns = 48;  ///< of a product
  Index direct_columns = 8;  ///< from so many columns on a product goes straight into its position
};

/// Decisions of the numerical phase: those of all methods, then those of each.
struct FactorPlan {
  /// u: a pivot is at least u times the largest entry of its row (LDL^T: column)
  double pivot_threshold = 0.01;
  /// A pivot below this share of the largest entries of its row and column in the scaled matrix (single precision: below
  /// 32 epsilon) is rounding. Real matrices stay above 1e-8, singular ones of some thousand unknowns leave 1e-16 to 1e-13.
  double singular_pivot = 2e-13;
  /// A pivot that is rounding is kept, and one that is zero becomes zero_pivot x the largest entry of its row and column; both are
  /// counted, and solves judge the result. true: they end the run instead.
  bool refuses_rounding = false;
  double zero_pivot = 1e-8;  ///< single precision: 3e-4
  /// A singular matrix is factorised all the same: pivots below null_pivot x the largest entry of B (single precision: below
  /// 1000 epsilon) are delayed to the roots, and what is left there counts as null. Half way, in decimals, between what real
  /// matrices and what singular ones leave.
  bool keeps_null_pivots = false;
  double null_pivot = 2e-11;
  double null_threshold = 0.1;  ///< pivot_threshold is at least this then: growth would hide what is null
  /// Static pivoting where a front stays on one rank: what fails the threshold is taken all the same, as long as it is at
  /// least perturbation (and 2 singular_pivot) x the largest entry of B, and else replaced by that. 0: such pivots are delayed.
  double perturbation = 0;
  /// Quasi-definite matrices: a pivot that is below sign_least x the largest entry of its row (single precision: 64 epsilon)
  /// becomes sign_replacement x that entry (single precision: 2500 epsilon), or perturbation x it where that is set; one of the wrong
  /// sign is turned round, and is then at least that; sign_shift x the entry is added to each. sign_least is 2 singular_pivot: smaller pivots would count as rounding.
  double sign_least = 4e-13, sign_replacement = 1e-8, sign_shift = 0;
  double accuracy_with_signs =
      1e-10;  ///< a larger backward error of theirs is inaccurate, and gets GMRES first
  int steps_after_perturbation = 10;  ///< refinement takes at least this many where pivots were perturbed
  /// Work above this is done in pieces of at most so many flops (while their edges are 32 or more): bytes move between them,
  /// and other ranks may take some. Infinity: no kernel is cut.
  double slice_flops = 4e7;
  Index rhs_block = 32;  ///< right-hand sides that are solved for together

  MultifrontalPlan fronts;
  ColumnPlan columns;
  NodesPlan nodes;
};

}  // namespace overlapack::sparse
