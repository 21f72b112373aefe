#pragma once
#include "overlapack/options.hpp"

namespace overlapack::sparse {
struct FactorPlan;
struct RootPlan;
struct StripPlan;
}  // namespace overlapack::sparse

namespace overlapack::api {

/// Results of the analysis that plans of factors depend on; rank 0 sends them to the other ranks.
struct AnalysedFacts {
  Method method = Method::multifrontal;
  /// Column-by-column LDL^T was chosen over fronts, and gives up for these where fill is too much.
  bool may_give_up = false;
  bool is_on_disk = false;   ///< factors go to disk,
  double scratch_bytes = 0;  ///< predicted size there, of all ranks
};

/// All decisions about factors of numbers of this type: made once a type, and the same on every rank.
/// Errors  BadPlan: a tolerance of compression below what the type can hold
sparse::FactorPlan plan_of(const Options& options, const AnalysedFacts& facts, ScalarType type);

// Parts of it, for predictions made before all of that is known
sparse::StripPlan strip_plan(const Options& options);
sparse::RootPlan root_plan(const Options& options);

}  // namespace overlapack::api
