#pragma once
#include "comm/rank.hpp"
#include "overlapack/probe.hpp"

namespace overlapack::probe {

/// Measure the times of broadcasts, block transposes and exchanges of a vector, by messages and by one-sided transfers, in all forms of
/// TransferTime.
/// Sync    collective over the team; the result is on rank 0
/// Cost    bodies of up to 1 MB, vectors of up to 8 MB
/// Source  paper 3, Figures 3, 8 and 9
std::vector<TransferTime> measure_transfer_times(comm::Rank& rank);

}  // namespace overlapack::probe
