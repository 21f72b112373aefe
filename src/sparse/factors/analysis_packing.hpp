#pragma once
#include "sparse/analysis/analysis.hpp"
#include "sparse/factors/packing.hpp"

/// An analysis among the arrays of a file, and back.
namespace overlapack::sparse {

void add(Packing& packing, const Analysis& analysis);
Analysis next_analysis(Unpacking& unpacking);

}  // namespace overlapack::sparse
