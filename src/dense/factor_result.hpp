#pragma once
#include "overlapack/scalar.hpp"

namespace overlapack::dense {

/// What a factorisation tells of itself, on every rank.
struct FactorResult {
  /// 0, or as LAPACK's info > 0. LU: the 1-based number of the first zero pivot, U is singular. Cholesky: the order of the
  /// first leading minor that is not positive definite; the factors are not complete.
  Index info = 0;
  double growth = 0;  ///< LU by tournament: the largest entry of U over that of A
  Index panels = 0;
  // what happened, on this rank: every parallel path has its counter
  Index wide_panels = 0;       ///< of several dealt blocks
  Index panels_ahead = 0;      ///< factorised before the update of an earlier one was finished
  Index split_updates = 0;     ///< updates of which half ran while the rows of the other half travelled
  Index opposite_phases = 0;   ///< panels in which this rank computed while its node mates communicated
  Index rearranged_lower = 0;  ///< panels whose L travelled in parts, by way of node mates
  Index rearranged_upper = 0;  ///< the same of U
  Index binary_exchanges = 0, spread_rolls = 0, direct_interchanges = 0, pairwise_interchanges = 0,
        shared_interchanges = 0;  ///< of rows right of a panel, by their kind
  Index overlapped_messages = 0;  ///< that came while this rank computed
  Index row_swaps = 0;            ///< discipline onesided: exchanges of rows with another rank
  Index lent_user = 0, lent_copy = 0, lent_attach = 0;  ///< the same: 1 of the one whose memory A stood in
  Index blocks_in_place = 0,
        blocks_copied = 0;  ///< the same: of L and U of others, read where they stand, and as copies
  /// the same: what a wrapper of the rank counts in its windows; put_signals: puts and signals that were one operation
  Index signals = 0, puts = 0, gets = 0, put_signals = 0;
  // discipline superstep: the cost a + b g + c l of paper 4, the same on all ranks
  Index supersteps = 0;          ///< c
  Index superstep_words = 0;     ///< b: sum of the h of all supersteps
  Index superstep_messages = 0;  ///< sum of the most messages of each
  double superstep_work_s = 0;   ///< a: sum of the longest computation of each
  Index split_supersteps = 0;    ///< between whose halves this rank computed
  // broadcasts on BSP2D, by how many take part
  Index scopes_of_one = 0, scopes_of_two = 0, scopes_of_more = 0;
  // where this rank's time went, over the number of ranks: the sum over ranks is their mean
  double superstep_compute_s = 0, superstep_pack_s = 0, superstep_idle_s = 0, superstep_exchange_s = 0;
};

}  // namespace overlapack::dense
