#pragma once
#include "comm/rank.hpp"

namespace overlapack::comm {

/// Blocking receive: for callers that have nothing else to do meanwhile.
Message receive(Rank& rank, Lane lane, int from = any_rank);

/// Wait until this one request is done.
void wait(Rank& rank, Request& request);

}  // namespace overlapack::comm
