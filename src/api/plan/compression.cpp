#include "api/plan/compression.hpp"

#include "api/words/type_names.hpp"
#include "comm/team.hpp"
#include "overlapack/error.hpp"
#include "overlapack/printed.hpp"
#include "sparse/factors/low_rank_plan.hpp"

#include <limits>
#include <string>

namespace overlapack::api {
namespace {

constexpr double double_tolerance = 1e-8, single_tolerance = 1e-4;

[[noreturn]] void refuse_compression(const std::string& why) {
  throw Error(Status::bad_plan, "compression is blr, but " + why);
}

}  // namespace

void require_compressible(const Options& options) {
  if (!is_compressing(options)) return;
  if (options.method && options.method != Method::multifrontal)
    refuse_compression("method is " + std::string(to_string(options.method)) +
                       ", which has no fronts; use multifrontal");
  if (options.disk.factors == FactorsIn::disk)
    refuse_compression(
        "factors is disk, where fronts have one form; use factors memory, or compression none");
  if (options.fronts.root == RootParallelism::grid)
    refuse_compression("root is grid, which is not compressed; use sequential or auto");
  if (options.sparse.null_pivots)
    refuse_compression(
        "null_pivots is set, and the error of compressed blocks hides which pivots are null; use compression "
        "none");
  if (options.sparse.perturbation > 0)
    refuse_compression("perturbation is set; pivots of compressed fronts are delayed, choose one");
  if (comm::is_phantom())
    refuse_compression(
        "ranks of blocks are not known without numbers; leave --phantom out, or use compression none");
}

sparse::LowRankPlan low_rank_plan(const Options& options, ScalarType type) {
  sparse::LowRankPlan plan;
  plan.is_used = is_compressing(options);
  if (!plan.is_used) return plan;
  const bool is_single = api::is_single(type);
  const double eps =
      is_single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  const double asked = options.compression.tolerance;
  plan.tolerance = asked > 0 ? asked : is_single ? single_tolerance : double_tolerance;
  if (plan.tolerance < eps) {
    refuse_compression(printed("compression_tolerance is %.3g, below the rounding of its numbers, %.3g; ",
                               plan.tolerance, eps) +
                       "use a larger one, or compression none");
  }
  plan.cluster = options.compression.block;
  plan.order = options.compression.order;
  plan.has_single_terms = options.compression.precision == Precision::mixed;
  plan.contributions = options.compression.contributions == Switch::on;
  return plan;
}

}  // namespace overlapack::api
