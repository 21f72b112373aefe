#pragma once
#include "comm/rank.hpp"

namespace overlapack::comm {

/// Sleep for some 20 to 100 us and leave the processor to other threads and processes. A simulated rank is charged some 10 us.
/// Moves no bytes.
void sleep_briefly(Rank& rank);

}  // namespace overlapack::comm
