#include "api/iterative/iteration_plan.hpp"

#include "overlapack/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

namespace overlapack::api {

namespace {

constexpr Index jacobi_residual_period = 100;  // paper 5, Figure 1

void read_slow_rank(const std::string& text, iterative::IterationPlan& plan) {
  if (text == "none") return;
  const char* const end = text.data() + text.size();
  const auto [colon, error] = std::from_chars(text.data(), end, plan.slow_rank);
  if (error == std::errc{} && plan.slow_rank >= 0 && colon != end && *colon == ':') {
    const auto [rest, factor_error] = std::from_chars(colon + 1, end, plan.slow_factor);
    if (factor_error == std::errc{} && rest == end && plan.slow_factor >= 1 &&
        std::isfinite(plan.slow_factor))
      return;
  }
  throw Error(ErrorKind::bad_plan, "options",
              "option slow_rank is \"" + text +
                  "\"; give none, or RANK:FACTOR as in 3:2, with a factor of at least 1");
}

}  // namespace

iterative::IterationPlan iteration_plan(const Options& options) {
  iterative::IterationPlan plan;
  const auto variant = std::ranges::find(iterative::variant_names, options.variant);
  plan.variant = static_cast<iterative::Variant>(variant - std::begin(iterative::variant_names));
  plan.in_flight = options.in_flight;
  plan.halo_period = options.halo_period;
  plan.tolerance = options.tolerance;
  plan.max_iterations = options.max_iterations;
  plan.residual_period = options.residual_period > 0          ? options.residual_period
                         : options.method == "multisplitting" ? 1
                                                              : jacobi_residual_period;
  plan.residual_sum = options.residual_sum == "doubling" ? comm::collective::SumForm::doubling
                                                         : comm::collective::SumForm::tree;
  plan.final_sweeps = options.final_sweeps;
  read_slow_rank(options.slow_rank, plan);
  return plan;
}

}  // namespace overlapack::api
