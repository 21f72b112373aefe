#pragma once
#include "comm/disk/scratch_file.hpp"
#include "overlapack/scalar.hpp"

#include <cstddef>
#include <string>

namespace overlapack::sparse {

/// Factors on disk: each rank keeps those of its fronts in a file instead of its memory
/// (multifrontal::FactorFile).
struct DiskPlan {
  bool is_used = false;
  std::string scratch;  ///< folder
  /// Fronts, strips and other data are stored in segments of this size, which are written and read as one; a larger one has a
  /// segment of its own.
  std::size_t segment_bytes = std::size_t{4} << 20;
  std::size_t budget_bytes = std::size_t{64} << 20;  ///< of writes under way; a larger segment goes alone
  /// Bytes of segments that a solve has in memory, those that are read ahead included.
  std::size_t window_bytes = std::size_t{64} << 20;
  Index rhs_pass = 256;   ///< right-hand sides of one walk, for which the file is read once
  comm::DiskFault fault;  ///< for tests
};

}  // namespace overlapack::sparse
