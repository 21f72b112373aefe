#pragma once
#include "sparse/analysis/analysis.hpp"

namespace overlapack::api {

/// The prediction of the numerical phase by the analysis, on rank 0. Bytes and operations are sums over all ranks.
struct FactorPrediction {
  double flops = 0;              ///< without delayed pivots
  double shared_flops = 0;       ///< the part of flops in fronts and nodes, on which several ranks can work
  double bytes = 0;              ///< memory, with the factors where is_on_disk says
  double least_bytes = 0;        ///< with compression: a lower bound, however well blocks compress; else 0
  double disk_memory_bytes = 0;  ///< memory if the factors are on disk (multifrontal)
  double scratch_bytes = 0;      ///< size of the factors on disk
  bool is_on_disk = false;       ///< whether the factors go to disk
};

/// An analysis and its prediction.
struct Prepared {
  sparse::Analysis analysis;
  FactorPrediction prediction;
};

}  // namespace overlapack::api
