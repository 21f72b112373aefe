#include "api/iterative/convergence_doubts.hpp"

#include "overlapack/error.hpp"
#include "overlapack/printed.hpp"
#include "sparse/analysis/graph/strong_components.hpp"

#include <numeric>

namespace overlapack::api {

namespace {

std::string interval(const iterative::RadiusBounds& bounds) {
  if (bounds.is_one()) return "1, as far as rounding lets it be known";
  return printed("between %.6g and %.6g", bounds.lower, bounds.upper);
}

}  // namespace

iterative::Components strong_components(std::span<const Index> start, std::span<const Index> row) {
  std::vector<sparse::Node> same(start.size() - 1);
  std::iota(same.begin(), same.end(), sparse::Node{0});
  sparse::StrongComponents found = sparse::strong_components(start, row, same);
  return {std::move(found.order), std::move(found.start)};
}

std::string doubts_of_jacobi(const iterative::RadiusBounds& bounds, Variant variant) {
  if (bounds.is_convergent) return {};
  if (bounds.is_divergent() && variant != Variant::sync) {
    throw Error(
        Status::bad_plan,
        printed("asynchronous Jacobi iterations do not converge on this matrix: the spectral radius of "
                "|D^-1 (L + U)| is at least %.4g, and 1 is too much; use method multifrontal or "
                "multisplitting, or variant sync to try",
                bounds.lower));
  }
  return "it is not known whether the iteration converges: the spectral radius of |D^-1 (L + U)| is " +
         interval(bounds) + ", and it should be below 1";
}

std::string doubts_of_multisplitting(const iterative::RadiusBounds& bounds) {
  if (bounds.is_convergent) return {};
  return "it is not known whether the iteration converges: it does for certain on H-matrices, where the "
         "spectral "
         "radius of |D^-1 (L + U)| is below 1; here it is " +
         interval(bounds);
}

}  // namespace overlapack::api
