#pragma once
#include "comm/team.hpp"

namespace overlapack::comm {

/// Open a team whose ranks are threads of this process: rank 0 is the thread that calls run, the others are parked between runs.
/// Bodies are passed by pointer.
/// Errors  BadPlan for an invalid number of ranks or workers, OutOfMemory when no thread can be started
std::unique_ptr<Team> open_thread(const TeamOptions& options);

}  // namespace overlapack::comm
