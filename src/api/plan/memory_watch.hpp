#pragma once
#include "api/plan/factor_prediction.hpp"
#include "api/run/session.hpp"
#include "sparse/factors/memory_account.hpp"

#include <memory>

namespace overlapack::api {

/// Account of the ranks of this process for one factorisation, with a limit that is watched while fronts are factorised: their even
/// share of memory_limit, or, while factors are compressed, of what the computer has available. A prediction alone does not bound
/// what pivots are delayed, what several ranks hold at once, and how well blocks compress. Without a limit if memory_limit is not
/// set and factors of full rank are predicted to fit, or nothing compresses.
/// Sync  collective, outside of Session::run
std::shared_ptr<sparse::MemoryAccount> watched_memory(Session& session, const Options& options,
                                                      const FactorPrediction& prediction);

}  // namespace overlapack::api
