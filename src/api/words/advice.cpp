#include "overlapack/blas_info.hpp"
#include "overlapack/choices.hpp"
#include "overlapack/printed.hpp"
#include "overlapack/quiet_floats.hpp"
#include "overlapack/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace overlapack {
namespace {

constexpr double too_short_s = 0.5, worth_telling = 0.4, worth_better_kernels_s = 1, more_than_predicted = 3;
/// The fill ratio of problems in three dimensions with one unknown for each point, and the number of unknowns from which blocks with a coarse
/// level may take less memory (docs/lab/jacobi.md).
constexpr double fill_in_space = 20;
constexpr Index many_unknowns = 100'000;
/// From so many ranks on, a root of L D L^T on the grid saves up to 17 % of the time (decision 0052).
constexpr int many_ranks = 16;

double known(double seconds) { return std::isnan(seconds) ? 0 : seconds; }

/// Seconds lost to something other than arithmetic, and what to do about it.
struct Loss {
  double seconds = 0;
  std::string advice;
};

std::string waiting_advice(const Report& r) {
  const bool may_have_grid = r.factorization == to_string(FactorKind::ldlt) && r.ranks >= many_ranks &&
                             r.distributed_fronts > 0 && r.grid_roots == 0;
  return std::string("is waiting of one rank for another; try fewer (option ranks)") +
         (may_have_grid ? ", or experiment root=grid if nobody asks for the inertia" : "");
}

std::string plan_advice(const Report& r) {
  const bool is_in_space =
      r.n >= many_unknowns && r.fronts > 0 && r.predicted_least_bytes == 0 &&
      static_cast<double>(r.predicted_factor_nnz) >= fill_in_space * static_cast<double>(r.nnz);
  return is_in_space ? "if A is a scalar equation in space and a residual of 1e-8 suffices, blocks that "
                       "precondition may take less memory: method multisplitting, coarse near_null_space"
                     : "";
}

}  // namespace

std::string kernel_advice(const Report& r) {
  return !r.simulated && known(r.factor_s) > worth_better_kernels_s ? blas_info().shortcoming : std::string();
}

std::string advice(const Report& r) {
  const QuietFloats quiet;
  if (std::string kernels = kernel_advice(r); !kernels.empty()) return kernels;
  const double solve_s = known(r.solve_s), factor_s = known(r.factor_s), analysis_s = known(r.analysis_s);
  const double all_s = analysis_s + factor_s + solve_s;
  const bool is_direct = r.fronts + r.nodes + r.diagonal_blocks > 0 && !r.iteration;
  const bool is_plan = r.factor_nnz == 0;
  if (r.status == Status::ok && is_plan && !r.iteration) return plan_advice(r);
  if (r.status != Status::ok || !is_direct || all_s < too_short_s) return {};
  const auto steps = static_cast<double>(r.iterations_max);
  std::array<Loss, 3> losses{
      Loss{r.wait_share * factor_s, waiting_advice(r)},
      Loss{analysis_s,
           "is the analysis, which depends only on where the entries of A are; to solve with other values at "
           "the same places, factorise once and then refactorize"},
      Loss{solve_s * steps / (steps + 1),
           "is refinement of x; the option refinement_steps 0 leaves it out, at the backward "
           "error of the factors"}};
  if (r.ranks < 2) losses[0].seconds = 0;
  const Loss& largest = *std::ranges::max_element(losses, {}, &Loss::seconds);
  const double share = largest.seconds / all_s;
  if (factor_s > worth_telling * all_s && r.flops > more_than_predicted * r.predicted_flops &&
      r.pivots.delayed > 0)
    return printed(
        "%.2g times the predicted work was done, since small pivots were delayed; a smaller pivot_threshold "
        "(1e-4, say) "
        "delays fewer, method supernodal none",
        r.flops / r.predicted_flops);
  return share < worth_telling ? std::string() : percent_text(share) + " of the time " + largest.advice;
}

}  // namespace overlapack
