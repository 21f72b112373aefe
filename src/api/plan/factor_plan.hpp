#pragma once
#include "overlapack/options.hpp"

namespace overlapack::sparse {
struct FactorPlan;
struct RootPlan;
struct StripPlan;
}  // namespace overlapack::sparse

namespace overlapack::api {

/// The results of the analysis that plan_of depends on. Rank 0 sends them to the other ranks.
struct AnalysedFacts {
  Method method = Method::multifrontal;
  /// LDL^T column by column was chosen over fronts. It gives up, for fronts to follow, if there is too much fill.
  bool may_give_up = false;
  bool is_on_disk = false;   ///< factors go to disk
  double scratch_bytes = 0;  ///< their predicted size there, over all ranks
};

/// Make all decisions about factors whose numbers are of this type. The plan is the same on every rank.
/// Errors  BadPlan: the tolerance of compression is below the rounding of the type
sparse::FactorPlan plan_of(const Options& options, const AnalysedFacts& facts, ScalarType type);

// Parts of the plan, for predictions that are made before the facts are known
sparse::StripPlan strip_plan(const Options& options);
sparse::RootPlan root_plan(const Options& options);

}  // namespace overlapack::api
