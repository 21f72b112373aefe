#include "api/iterative/iteration_plan.hpp"

#include "api/words/option_use.hpp"
#include "api/words/type_names.hpp"

namespace overlapack::api {
namespace {

constexpr Index jacobi_residual_period = 100;  // paper 5, Figure 1

}  // namespace

iterative::IterationPlan iteration_plan(const Options& options, ScalarType type) {
  const IterationOptions& asked = options.iteration;
  iterative::IterationPlan plan;
  plan.variant = variant_of(options);
  plan.in_flight = asked.in_flight;
  plan.halo_by = asked.halo_by;
  plan.halo_period = asked.halo_period;
  const bool is_single = api::is_single(type);
  plan.tolerance = asked.tolerance > 0 ? asked.tolerance : is_single ? 1e-5 : 1e-8;
  plan.max_iterations = asked.max_iterations;
  plan.residual_period = asked.residual_period > 0                  ? asked.residual_period
                         : options.method == Method::multisplitting ? 1
                                                                    : jacobi_residual_period;
  plan.residual_sum = asked.residual_sum;
  plan.final_sweeps = asked.final_sweeps;
  plan.slow_rank = asked.slow_rank.rank;
  plan.slow_factor = asked.slow_rank.factor;
  return plan;
}

}  // namespace overlapack::api
