#pragma once
#include "api/run/session.hpp"
#include "comm/collective/collective.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace overlapack::api {

/// The sum of `mine` over the ranks of this node. If nodes are simulated, it is the sum over all ranks, since this computer holds all of
/// them.  Collective
inline double sum_over_node(comm::Rank& rank, double mine) {
  if (rank.capabilities().virtual_time) return comm::collective::all_reduce(rank, mine, std::plus<>());
  std::vector<double> of_node(static_cast<std::size_t>(rank.size()));
  of_node[static_cast<std::size_t>(rank.node())] = mine;
  comm::collective::all_reduce(rank, std::span<double>(of_node), std::plus<>());
  return of_node[static_cast<std::size_t>(rank.node())];
}

/// The largest share of the ranks that are on one computer; 1 if nodes are simulated.  Collective
inline double max_node_share(comm::Rank& rank) {
  const auto larger = [](double a, double b) { return std::max(a, b); };
  return comm::collective::all_reduce(rank, sum_over_node(rank, 1), larger) / rank.size();
}
/// max_node_share on every process, called outside Session::run.
inline double max_node_share(Session& session) {
  double share = 1;
  session.run([&](comm::Rank& rank, int position) {
    const double found = max_node_share(rank);
    if (position == 0) share = found;
  });
  return share;
}

}  // namespace overlapack::api
