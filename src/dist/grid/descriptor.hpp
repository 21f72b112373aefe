#pragma once
#include "dist/grid/distributed_matrix.hpp"
#include "overlapack/error.hpp"

#include <array>
#include <optional>
#include <span>

namespace overlapack::dist {

/// ScaLAPACK's array descriptor of a dense matrix: nine integers, named from 1 as its documentation and info codes do.
/// Source  ScaLAPACK Users' Guide, section 4.3.3
using Descriptor = std::array<int, 9>;
using DescriptorView = std::span<const int, 9>;
enum class DescriptorEntry : std::uint8_t { dtype = 1, ctxt, m, n, mb, nb, rsrc, csrc, lld };
inline constexpr int block_cyclic_type = 1;  ///< DTYPE_ of a dense block-cyclic matrix

inline int entry(DescriptorView descriptor, DescriptorEntry e) {
  return descriptor[static_cast<std::size_t>(e) - 1];
}

/// The first entry that is wrong, and a sentence on it. LAPACK's info of a routine whose descriptor is argument `arg` is
/// then -(100 arg + entry).
struct DescriptorFault {
  DescriptorEntry entry;
  std::string message;
};

/// What is wrong with a descriptor for this place of this grid, if anything.
/// Source  ScaLAPACK's chk1mat: DTYPE_, CTXT_ (compared with `context`), M_, N_ >= 0, MB_, NB_ >= 1, RSRC_, CSRC_ in the
///         grid, LLD_ >= max(1, local rows)
std::optional<DescriptorFault> fault_of(DescriptorView descriptor, const ProcessGrid& grid, GridPlace me,
                                        int context);

/// The blocks that a correct descriptor tells of.
BlockCyclic rows_of(DescriptorView descriptor, const ProcessGrid& grid);
BlockCyclic cols_of(DescriptorView descriptor, const ProcessGrid& grid);

/// The matrix behind a descriptor: data is this process's local array, of leading dimension LLD_.
/// Errors  BadInput, naming the entry that is wrong
template <class T>
DistributedMatrix<T> matrix_of(DescriptorView descriptor, const ProcessGrid& grid, GridPlace me, int context,
                               T* data) {
  if (const auto fault = fault_of(descriptor, grid, me, context))
    throw Error(ErrorKind::bad_input, "descriptor", fault->message);
  const BlockCyclic rows = rows_of(descriptor, grid), cols = cols_of(descriptor, grid);
  return {&grid,
          me,
          rows,
          cols,
          {data, rows.local_size(me.row), cols.local_size(me.col), entry(descriptor, DescriptorEntry::lld)}};
}

/// The descriptor of a layout.
/// Errors  BadInput when a size does not fit into ScaLAPACK's 32-bit integers
Descriptor descriptor_of(const BlockCyclic& rows, const BlockCyclic& cols, Index ld, int context);

}  // namespace overlapack::dist
