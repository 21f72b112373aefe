#pragma once
#include "overlapack/choices.hpp"

namespace overlapack::dist {

struct OnesidedPlan {
  RowSwap swap = RowSwap::native;
  bool is_pairwise = false;    ///< exchange a panel's rows one after the other
  bool reads_in_place = true;  ///< read blocks of other ranks in place, where possible
  bool combines = false;       ///< all_reduce() is used (tournaments): reserve buffers for offers
  /// Direct broadcasts: so many ranks at most are told by one that a body is ready. A signal that is passed on takes a latency more,
  /// one behind another only what it costs its sender
  int told_by_one = 16;
};

}  // namespace overlapack::dist
