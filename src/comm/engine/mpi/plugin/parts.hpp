#pragma once
#include "comm/engine/mpi/load/table.h"

#include <climits>

#include <algorithm>
#include <cstdint>

namespace overlapack::comm::mpi::plugin {

inline constexpr std::int64_t part_bytes = 1 << 30;  ///< one access moves at most this (MPI counts are int)

/// Call access(part, offset of its bytes in the local buffer) for parts small enough for MPI's int counts: several whole blocks
/// each, or pieces of one large block. Stops at the first non-zero code and returns it.
template <class Access>
int in_parts(const OverlapackStrides& at, Access access) {
  const std::int64_t piece = std::min(at.block_bytes, part_bytes);
  if (piece == 0) return 0;
  const std::int64_t blocks = std::clamp<std::int64_t>(part_bytes / at.block_bytes, 1, INT_MAX);
  for (std::int64_t block = 0; block < at.blocks; block += blocks)
    for (std::int64_t done = 0; done < at.block_bytes; done += piece) {
      const OverlapackStrides part{at.offset + block * at.stride_bytes + done,
                                   std::min(piece, at.block_bytes - done), at.stride_bytes,
                                   std::min(blocks, at.blocks - block)};
      if (const int code = access(part, block * at.block_bytes + done); code != 0) return code;
    }
  return 0;
}

}  // namespace overlapack::comm::mpi::plugin
