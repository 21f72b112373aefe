#pragma once
#include "overlapack/scalar.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// order <- 0, 1, ..., count - 1.
void identity(std::vector<std::int32_t>& order, Index count);
/// names(k) <- names(order(k)).
void apply_order(std::span<const std::int32_t> order, std::int32_t* names, std::vector<std::int32_t>& work);

}  // namespace overlapack::sparse::multifrontal
