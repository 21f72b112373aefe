#pragma once
#include "comm/rank.hpp"

namespace overlapack::comm {

/// Post a receive, wait for it, take it: for the places where nothing else can be done meanwhile.
Message receive(Rank& rank, Lane lane, int from = any_rank);

/// Wait until this one request is done.
void wait(Rank& rank, Request& request);

}  // namespace overlapack::comm
