#pragma once
#include "comm/rank.hpp"

#include <vector>

namespace overlapack::dist {

/// By rank of the team, the number of its node. A node has ranks_per_node consecutive ranks; with 0 nodes are those of the engine.
/// Sync    collective
std::vector<int> nodes_of(comm::Rank& rank, int ranks_per_node);

}  // namespace overlapack::dist
