#pragma once
#include "overlapack/scalar.hpp"

namespace overlapack::sparse {

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

}  // namespace overlapack::sparse
