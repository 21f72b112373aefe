#pragma once
#include "api/plan/factor_prediction.hpp"
#include "api/run/session.hpp"
#include "sparse/factors/memory_limit.hpp"

#include <memory>

namespace overlapack::api {

/// Limit for the ranks of this process together, to be watched while factors are compressed: their even share of memory_limit, or
/// of what the computer has available. Null without compression, and if factors of full rank are predicted to fit.
/// Sync  collective, outside of Session::run
std::shared_ptr<sparse::MemoryLimit> watched_memory(Session& session, const Options& options,
                                                    const FactorPrediction& prediction);

}  // namespace overlapack::api
