#pragma once
#include "overlapack/choices.hpp"

namespace overlapack::dist {

struct OnesidedPlan {
  RowSwap swap = RowSwap::native;
  bool is_pairwise = false;    ///< the rows that a panel exchanges one after the other
  bool reads_in_place = true;  ///< blocks of others, where they are within reach
  bool combines = false;       ///< there are tournaments, whose offers need places
};

}  // namespace overlapack::dist
