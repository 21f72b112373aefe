#pragma once
#include "api/plan/factor_prediction.hpp"
#include "api/run/session.hpp"
#include "sparse/factors/memory_account.hpp"

#include <memory>

namespace overlapack::api {

/// Make the memory account of this process's ranks for one factorisation. Its limit is watched while fronts are factorised, since a
/// prediction does not bound how many pivots are delayed, how much several ranks hold at once, and how well blocks compress. The limit is
/// the even share of these ranks in memory_limit or, while factors are compressed, in the available memory. There is no limit if
/// memory_limit is not set and either the factors are not compressed or they are predicted to fit in full rank.
/// Sync  collective, outside of Session::run
std::shared_ptr<sparse::MemoryAccount> watched_memory(Session& session, const Options& options,
                                                      const FactorPrediction& prediction);

}  // namespace overlapack::api
