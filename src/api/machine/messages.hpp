#pragma once
#include "comm/rank.hpp"
#include "overlapack/probe.hpp"

#include <cstddef>
#include <vector>

namespace overlapack::probe {

/// Measure messages between ranks 0 and 1 by ping-pong, for sizes from 0 to largest_bytes, each four times the one before.
/// Sync    collective over two or more ranks; the others wait. The result is on rank 0.
std::vector<MessageRate> ping_pong(comm::Rank& rank, std::size_t largest_bytes);

/// Test whether transfers make progress while ranks do not call the engine (NapTest), for 6 sizes of messages.
/// Sync    collective over two or more ranks; the others wait. The result is on rank 0.
/// Cost    about 9 naps of nap_s for each size
std::vector<NapTest> nap_tests(comm::Rank& rank, double nap_s);

}  // namespace overlapack::probe
