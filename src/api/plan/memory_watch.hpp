#pragma once
#include "api/plan/factor_prediction.hpp"
#include "api/run/session.hpp"
#include "sparse/factors/memory_limit.hpp"

#include <memory>

namespace overlapack::api {

/// What the ranks of this process may hold together, where compression leaves open whether the memory suffices: their even share
/// of memory_limit, or of what the computer has available. Null where even the prediction of full rank is below it.
/// Sync  collective, outside of Session::run
std::shared_ptr<sparse::MemoryLimit> watched_memory(Session& session, const Options& options,
                                                    const FactorPrediction& prediction);

}  // namespace overlapack::api
