#pragma once
#include "dist/grid/block_cyclic.hpp"
#include "dist/grid/process_grid.hpp"

#include <cstdint>
#include <span>

namespace overlapack::dist {

/// ScaLAPACK's array descriptor of a dense matrix: nine integers. The enumerators count from 1, as ScaLAPACK's documentation and
/// info codes do.
/// Source  ScaLAPACK Users' Guide, section 4.3.3
using DescriptorView = std::span<const int, 9>;
enum class DescriptorEntry : std::uint8_t { dtype = 1, ctxt, m, n, mb, nb, rsrc, csrc, lld };
inline constexpr int block_cyclic_type = 1;  ///< DTYPE_ of a dense block-cyclic matrix

inline int entry(DescriptorView descriptor, DescriptorEntry e) {
  return descriptor[static_cast<std::size_t>(e) - 1];
}

/// Row and column distribution of a valid descriptor.
inline BlockCyclic rows_of(DescriptorView d, const ProcessGrid& grid) {
  using enum DescriptorEntry;
  return {.size = entry(d, m), .block = entry(d, mb), .processes = grid.rows(), .source = entry(d, rsrc)};
}
inline BlockCyclic cols_of(DescriptorView d, const ProcessGrid& grid) {
  using enum DescriptorEntry;
  return {.size = entry(d, n), .block = entry(d, nb), .processes = grid.cols(), .source = entry(d, csrc)};
}

}  // namespace overlapack::dist
