#pragma once
#include "comm/rank.hpp"
#include "overlapack/probe.hpp"

#include <cstddef>
#include <vector>

namespace overlapack::probe {

/// Ping-pong over sizes from 0 to largest_bytes, four times larger each.
/// Sync    collective over two or more ranks; the others wait. The result is on rank 0.
std::vector<MessageRate> ping_pong(comm::Rank& rank, std::size_t largest_bytes);

/// Sync    collective over two or more ranks; the others wait. The result is on rank 0.
/// Cost    about 9 naps of nap_s a size, 6 sizes
std::vector<NapTest> nap_tests(comm::Rank& rank, double nap_s);

}  // namespace overlapack::probe
