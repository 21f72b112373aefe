#pragma once
#include "overlapack/choices.hpp"

namespace overlapack::dist {

struct OnesidedPlan {
  RowSwap swap = RowSwap::native;
  bool is_pairwise = false;    ///< exchange a panel's rows one after the other
  bool reads_in_place = true;  ///< read blocks of other ranks in place, where possible
  bool combines = false;       ///< combine() is used (tournaments): reserve buffers for offers
};

}  // namespace overlapack::dist
