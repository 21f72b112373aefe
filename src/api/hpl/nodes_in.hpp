#pragma once
#include "api/session.hpp"
#include "dist/grid/nodes.hpp"

namespace overlapack::api {

/// The node of each rank of a session.
inline std::vector<int> nodes_in(Session& session, const Options& options) {
  std::vector<int> node_of;
  session.run([&](comm::Rank& rank, int place) {
    std::vector<int> mine = dist::nodes_of(rank, options.run.ranks_per_node);
    if (place == 0) node_of = std::move(mine);
  });
  return node_of;
}

}  // namespace overlapack::api
