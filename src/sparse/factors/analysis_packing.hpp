#pragma once
#include "sparse/analysis/analysis.hpp"
#include "sparse/factors/packing.hpp"

/// Packs an analysis into the arrays of a file, and unpacks it.
namespace overlapack::sparse {

void add(Packing& packing, const Analysis& analysis);
Analysis unpack_analysis(Unpacking& unpacking);

/// The same for an analysis from which factors are still to be made: with the parts that factors no longer
/// need once they are made.
void pack_analysis_for_factors(Packing& packing, const Analysis& analysis);
Analysis unpack_analysis_for_factors(Unpacking& unpacking);

}  // namespace overlapack::sparse
