#pragma once
#include <cstdint>

namespace overlapack::comm {

/// The number of the message after `sequence`, of those from one rank to another; 0 stands for none, also when they have begun again.
inline std::uint32_t following(std::uint32_t sequence) { return sequence + 1 == 0 ? 1 : sequence + 1; }

}  // namespace overlapack::comm
