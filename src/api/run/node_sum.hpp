#pragma once
#include "comm/collective/collective.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace overlapack::api {

/// Sum of `mine` over the ranks of this node; over all ranks where nodes are simulated, since this computer holds them all.
/// Collective.
inline double node_sum(comm::Rank& rank, double mine) {
  if (rank.capabilities().virtual_time) return comm::collective::all_reduce(rank, mine, std::plus<>());
  std::vector<double> of_node(static_cast<std::size_t>(rank.size()));
  of_node[static_cast<std::size_t>(rank.node())] = mine;
  comm::collective::all_reduce(rank, std::span<double>(of_node), std::plus<>());
  return of_node[static_cast<std::size_t>(rank.node())];
}

/// The largest share of the ranks that one computer has.  Collective
inline double fullest_share(comm::Rank& rank) {
  const auto larger = [](double a, double b) { return std::max(a, b); };
  return comm::collective::all_reduce(rank, node_sum(rank, 1), larger) / rank.size();
}

}  // namespace overlapack::api
