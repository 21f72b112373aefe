#pragma once
#include "comm/rank.hpp"

#include <vector>

namespace overlapack::dist {

/// The node of each rank of the team: ranks_per_node consecutive ranks each, or, with 0, the engine's nodes.
/// Sync    collective
std::vector<int> nodes_of(comm::Rank& rank, int ranks_per_node);

}  // namespace overlapack::dist
