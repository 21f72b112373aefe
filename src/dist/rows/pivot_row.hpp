#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "comm/mailbox/exchange.hpp"
#include "overlapack/scalar.hpp"

#include <vector>

namespace overlapack::dist {

/// The best pivot that is known so far, and the row whose place it takes.
template <class T>
struct PivotRow {
  Real<T> size = -1;         ///< magnitude of the pivot; -1: nothing but NaN
  Index row = -1;            ///< global; -1: no row was offered yet
  std::vector<T> entries;    ///< of that row
  std::vector<T> displaced;  ///< of the row whose place it takes; empty where they are not known yet
};

/// The search for a pivot and the exchange of its row in one: every process of a column offers its best row, the owner of
/// the displaced row gives that along, and all end with the same: largest size, of equal ones the smallest row.
/// Shapes  entries, displaced: the same length everywhere, where they are not empty
/// Sync    collective over the group
/// Cost    ceil(log2 P) messages of up to two rows, one after the other
/// Source  combined search and exchange: HPL's pdmxswp. Rounds at distance 1, 2, 4, ... as in a dissemination barrier
///         (Hensgen, Finkel, Manber 1988): a maximum may be taken twice, so any P will do
template <class T>
void combine_pivots(comm::Exchange& exchange, const comm::collective::Group& group, const comm::Key& key,
                    PivotRow<T>& best);

}  // namespace overlapack::dist
