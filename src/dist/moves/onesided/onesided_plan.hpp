#pragma once
#include "overlapack/choices.hpp"

namespace overlapack::dist {

/// Decisions of the moves by puts and gets.
struct OnesidedPlan {
  RowSwap swap = RowSwap::native;
  bool is_pairwise = false;    ///< exchange a panel's rows one after the other
  bool reads_in_place = true;  ///< read blocks of other ranks in place if possible
  /// all_reduce() is used (by tournaments), so that buffers for offers are reserved
  bool combines = false;
  /// Direct broadcasts: most ranks that one rank signals when a body is ready. Forwarding a signal costs a further latency; a
  /// further signal of the same rank only the time of sending it
  int told_by_one = 16;
};

}  // namespace overlapack::dist
