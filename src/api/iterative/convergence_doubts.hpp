#pragma once
#include "iterative/jacobi/convergence_bounds.hpp"
#include "overlapack/choices.hpp"

#include <string>

namespace overlapack::api {

/// The strongly connected components of a pattern, as bound_radius needs them: the diagonal blocks of the block triangular form.
iterative::Components strong_components(std::span<const Index> start, std::span<const Index> row);

/// A sentence for the report if the bounds do not prove that Jacobi's method converges; else "".
/// Errors  BadPlan if asynchronous iterations cannot converge from every start
std::string doubts_of_jacobi(const iterative::RadiusBounds& bounds, Variant variant);
/// A sentence for the report if the bounds do not prove that multisplitting converges; else "". A radius below 1 makes A an H-matrix, for
/// which every multisplitting with exact solves of the blocks converges.
/// Source  Frommer and Szyld 2000, section 4.1
std::string doubts_of_multisplitting(const iterative::RadiusBounds& bounds);

}  // namespace overlapack::api
