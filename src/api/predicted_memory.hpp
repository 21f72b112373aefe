#pragma once
#include "sparse/analysis/analysis.hpp"

#include <cstddef>

namespace overlapack::api {

/// Bytes of the numerical phase on one rank, without delayed pivots: at every front of the postorder the
/// factors so far, the contribution blocks that wait for their parents, and the front itself, with the
/// padding of columns that sparse/multifrontal/front/front.hpp has.
/// grid_root: of a root that all ranks share, or -1; what its children leave is copied into messages, all of them at once
/// at worst.
/// Cost    O(fronts)
double predicted_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes, Index grid_root = -1);

}  // namespace overlapack::api
