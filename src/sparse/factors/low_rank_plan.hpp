#pragma once
#include "overlapack/scalar.hpp"

namespace overlapack::sparse {

/// Decisions about block low-rank fronts: blocks of large fronts that are kept as products of low rank
/// (docs/low-rank.md).
struct LowRankPlan {
  bool is_used = false;
  /// The error (Frobenius) of a compressed block is at most this x the unit of its factor. The unit is the
  /// largest entry of B; for factors with a unit diagonal it is 1, and for Cholesky's L the root of that
  /// entry.
  double tolerance = 1e-8;
  Index order = 700;    ///< least order of a front that is compressed
  Index cluster = 128;  ///< rows of a block, pivots of a panel
  /// A block is kept full if its product would take more than this share of its numbers.
  double worth = 0.75;
  /// Terms of products are in single precision if the tolerance covers their rounding; no effect on float
  /// types.
  bool has_single_terms = true;
  /// A slice of the update inside of a panel has this share of FactorPlan::slice_flops: a panel is narrow, and would be one or two
  /// whole slices, which several ranks cannot share evenly.
  double panel_slice_share = 0.125;
  bool contributions = true;  ///< contribution blocks are compressed, too, while they wait for the parent
  /// Only contribution blocks with at least this share of the largest border's rows are: smaller ones hardly
  /// matter at the peak.
  double contribution_share = 0.6;
};

}  // namespace overlapack::sparse
