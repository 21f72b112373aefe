#pragma once
#include "comm/team.hpp"

namespace overlapack::comm {

/// Ranks are threads of this process: rank 0 is whoever calls run, the others are parked between runs. Bodies
/// are handed over by pointer.
/// Errors  BadPlan for a number of ranks or workers that makes no sense, OutOfMemory when no thread can be started
std::unique_ptr<Team> open_thread(const TeamOptions& options);

}  // namespace overlapack::comm
