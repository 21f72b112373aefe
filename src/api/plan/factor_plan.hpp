#pragma once
#include "overlapack/options.hpp"
#include "sparse/factors/factor_plan.hpp"

namespace overlapack::api {

/// What the analysis found out that plans of factors depend on. Rank 0 knows it, and sends it to the others.
struct AnalysedFacts {
  Method method = Method::multifrontal;
  /// LDL^T column by column was chosen by comparison with fronts, to which it leaves what fills in too much.
  bool may_give_up = false;
  bool is_on_disk = false;   ///< the factors,
  double scratch_bytes = 0;  ///< which are predicted to take so much there, on all ranks
};

/// All that is decided about factors of numbers of this type: made once for each of them, and the same on every rank.
/// Errors  BadPlan: a tolerance of compression below what the type can hold
sparse::FactorPlan plan_of(const Options& options, const AnalysedFacts& facts, ScalarType type);

// Parts of it, for predictions made before all of that is known
sparse::StripPlan strip_plan(const Options& options);
sparse::RootPlan root_plan(const Options& options);

}  // namespace overlapack::api
