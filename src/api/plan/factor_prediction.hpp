#pragma once
#include "sparse/analysis/analysis.hpp"

namespace overlapack::api {

/// What the analysis predicts of the numerical phase. On rank 0; bytes and operations of all ranks.
struct FactorPrediction {
  double flops = 0;              ///< without delayed pivots
  double shared_flops = 0;       ///< of these, in fronts and nodes, on which several ranks can work
  double bytes = 0;              ///< memory, with the factors where is_on_disk says
  double least_bytes = 0;        ///< with compression: a lower bound, however well blocks compress; else 0
  double disk_memory_bytes = 0;  ///< memory with factors on disk; multifrontal
  double scratch_bytes = 0;      ///< size of these on disk
  bool is_on_disk = false;       ///< do factors go there?
};

/// An analysis, and what it predicts.
struct Prepared {
  sparse::Analysis analysis;
  FactorPrediction prediction;
};

}  // namespace overlapack::api
