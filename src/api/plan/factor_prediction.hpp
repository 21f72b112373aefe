#pragma once
#include "sparse/analysis/analysis.hpp"

namespace overlapack::api {

/// What is known of the numerical phase before it runs, and decided by that. On rank 0; bytes and operations of all ranks.
struct FactorPrediction {
  double flops = 0;              ///< without delayed pivots
  double shared_flops = 0;       ///< of these, in fronts and nodes, whose work ranks share
  double bytes = 0;              ///< memory, with factors where they go
  double least_bytes = 0;        ///< with compression: however well blocks compress; else 0
  double disk_memory_bytes = 0;  ///< memory with factors on disk; multifrontal
  double scratch_bytes = 0;      ///< what these take on disk
  bool is_on_disk = false;       ///< do factors go there?
};

/// An analysis, and what it predicts.
struct Prepared {
  sparse::Analysis analysis;
  FactorPrediction prediction;
};

}  // namespace overlapack::api
