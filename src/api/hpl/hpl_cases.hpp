#pragma once
#include "api/hpl/hpl_file.hpp"

namespace overlapack::api {

/// One run of the benchmark.
struct HplCase {
  Index n = 0;
  Index block = 1;
  int rows = 1, cols = 1;  ///< P x Q
  dist::GridOrder order = dist::GridOrder::row_major;
  dense::LuPlan plan;

  Index processes() const { return Index{rows} * cols; }
};

/// Every combination, in the order of HPL's driver: grid, N, NB, DEPTH, schedule, BCAST, RFACT, PFACT, NBMIN, NDIV.
/// Errors  BadInput for more than 100 000
/// A depth without a named schedule is `flat` when it is 0, else `lookahead`. A named one runs with each depth that means
/// something to it, at least 1 where it looks ahead.
std::vector<HplCase> hpl_cases(const HplFile& file);

}  // namespace overlapack::api
