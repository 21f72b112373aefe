#pragma once
#include "comm/disk/scratch_file.hpp"
#include "overlapack/scalar.hpp"

#include <cstddef>
#include <string>

namespace overlapack::sparse {

/// Factors of fronts in a file of each rank instead of its memory.
struct DiskPlan {
  bool is_used = false;
  std::string scratch;  ///< folder
  /// Fronts, strips and other data are stored in segments of this size, which are written and read as one; a larger one has a
  /// segment of its own.
  std::size_t segment_bytes = std::size_t{4} << 20;
  std::size_t budget_bytes = std::size_t{64} << 20;  ///< not yet written; a larger segment goes alone
  std::size_t window_bytes = std::size_t{64}
                             << 20;  ///< of segments in memory in a solve, those read ahead included
  Index rhs_pass = 256;              ///< right-hand sides for which the file is read together
  comm::DiskFault fault;             ///< for tests
};

}  // namespace overlapack::sparse
