#include "api/iterative/preconditioner.hpp"

#include "api/words/option_use.hpp"
#include "overlapack/error.hpp"

namespace overlapack::api {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(Status::bad_plan, message); }

void require_symmetric(const Options& options) {
  const std::string needs = "accelerator is cg, which needs a preconditioner that is symmetric: ";
  if (options.method != Method::multisplitting)
    refuse(needs + "use method multisplitting, or accelerator gmres");
  if (variant_of(options) != Variant::sync)
    refuse(needs +
           "ranks that do not wait apply another one each time; use variant sync, or accelerator gmres");
  if (weights_of(options) == OverlapWeights::owner)
    refuse(needs + "weights owner are one-sided; use weights both or none, or accelerator gmres");
  if (options.multisplitting.inner == InnerSolve::conjugate_gradients)
    refuse(needs + "inner cg is no linear operator; use inner direct, or accelerator gmres");
}

}  // namespace

void require_preconditioner(const Options& options) {
  const MultisplittingOptions& blocks = options.multisplitting;
  const bool is_incomplete = blocks.inner == InnerSolve::incomplete;
  const bool is_level = blocks.weights || blocks.coarse != Coarse::none || is_incomplete;
  const std::string what = blocks.weights ? "weights is" : is_incomplete ? "inner ilu is" : "coarse is";
  if (is_level && options.method != Method::multisplitting)
    refuse(what + " set, but Jacobi's method has no blocks; use method multisplitting");
  if (is_level && !preconditions(options))
    refuse(what + " set, but belongs to a preconditioner; use accelerator gmres or cg");
  if (is_level && variant_of(options) != Variant::sync)
    refuse(what +
           " set, but ranks that do not wait for each other have no common level and weights; use variant "
           "sync");
  if (is_incomplete && blocks.ranks_per_block > 1)
    refuse("inner ilu is set, but one rank makes the incomplete factors of a block; use ranks_per_block 1");
  if (blocks.coarse != Coarse::none && blocks.inner == InnerSolve::conjugate_gradients)
    refuse("coarse is set, and the level is solved directly, but inner is cg; use inner direct");
  if (accelerator_of(options) == Accelerator::cg) require_symmetric(options);
}

}  // namespace overlapack::api
