#pragma once
#include "comm/collective/collective.hpp"

#include <functional>
#include <vector>

namespace overlapack::api {

/// The sum of what the ranks of my node bring. Collective.
inline double node_sum(comm::Rank& rank, double mine) {
  std::vector<double> of_node(static_cast<std::size_t>(rank.size()));
  of_node[static_cast<std::size_t>(rank.node())] = mine;
  comm::collective::all_reduce(rank, std::span<double>(of_node), std::plus<>());
  return of_node[static_cast<std::size_t>(rank.node())];
}

}  // namespace overlapack::api
