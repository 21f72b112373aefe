#pragma once
#include "iterative/jacobi/convergence_bounds.hpp"
#include "overlapack/choices.hpp"

#include <string>

namespace overlapack::api {

/// For bound_radius: the text of the block triangular form.
iterative::Components strong_components(std::span<const Index> start, std::span<const Index> row);

/// A sentence for the report where the bounds do not prove that Jacobi's method converges; else nothing.
/// Errors  BadPlan where asynchronous iterations cannot converge from every start
std::string doubts_of_jacobi(const iterative::RadiusBounds& bounds, Variant variant);
/// The same of multisplitting: a radius below 1 makes A an H-matrix, on which every one with exact blocks converges.
/// Source  Frommer and Szyld 2000, section 4.1
std::string doubts_of_multisplitting(const iterative::RadiusBounds& bounds);

}  // namespace overlapack::api
