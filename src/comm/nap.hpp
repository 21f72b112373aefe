#pragma once
#include "comm/rank.hpp"

namespace overlapack::comm {

/// Let some 20 to 100 us pass, in which other threads and processes have the processor; simulated: some 10 us. Moves no bytes.
void sleep_briefly(Rank& rank);

}  // namespace overlapack::comm
