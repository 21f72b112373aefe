#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "comm/mailbox/exchange.hpp"
#include "dist/moves/pivot_row.hpp"

namespace overlapack::dist {

/// Moves::find_pivot: the best candidate goes up a binary tree, and the result comes down.
/// Cost    2 floor(log2 P) messages, one after the other
/// Source  ScaLAPACK's PxAMAX (PxTREECOMB)
template <class T>
void find_pivot(comm::Exchange& exchange, const comm::collective::Group& group, const comm::Key& key,
                PivotCandidate<T>& best);

/// Moves::reduce_to_best_pivot.
/// Cost    ceil(log2 P) messages of up to two rows, one after the other
/// Source  combined search and exchange: HPL's pdmxswp. Rounds at distance 1, 2, 4, ... as in a dissemination barrier
///         (Hensgen, Finkel, Manber 1988): a maximum may be merged twice, so it works for any P
template <class T>
void reduce_to_best_pivot(comm::Exchange& exchange, const comm::collective::Group& group,
                          const comm::Key& key, PivotRow<T>& best);

/// Moves::charge_pivot_search: does the rounds of one search with the bytes of all searches, and charges the latencies of the
/// others as work of the kind "message".
void charge_pivot_search(comm::Exchange& exchange, const comm::collective::Group& group, const comm::Key& key,
                         Index columns, std::size_t bytes);

}  // namespace overlapack::dist
