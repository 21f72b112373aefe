#pragma once
#include <cstdint>

namespace overlapack::comm {

/// Sequence number after `sequence` for messages from one rank to another; skips 0, which means not numbered, on wrap-around.
inline std::uint32_t next_sequence(std::uint32_t sequence) { return sequence + 1 == 0 ? 1 : sequence + 1; }

}  // namespace overlapack::comm
