#pragma once
#include "comm/superstep/registered_buffers.hpp"

#include <utility>

namespace overlapack::dist {

/// What the moves by supersteps end their supersteps with.
struct Lockstep {
  comm::superstep::World& world;
  bool is_known = false;

  /// senders: the processes that put something here
  void sync(std::vector<int> senders = {}) const {
    if (is_known)
      world.sync_known(std::move(senders));
    else
      world.sync();
  }
};

}  // namespace overlapack::dist
