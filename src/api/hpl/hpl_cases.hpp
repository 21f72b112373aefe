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

/// All combinations of the values of an HPL.dat, in the order of HPL's driver: grid, N, NB, DEPTH, schedule, BCAST, RFACT, PFACT, NBMIN,
/// NDIV. If the file names no schedule, depth 0 is `flat` and any other depth `lookahead`. A named schedule runs with each depth that it
/// can use, at least 1 if it looks ahead.
/// Errors  BadInput for more than 100 000 combinations
std::vector<HplCase> hpl_cases(const HplFile& file);

}  // namespace overlapack::api
