#pragma once
#include "comm/superstep/registered_buffers.hpp"

#include <utility>

namespace overlapack::dist {

/// Work that may be computed in slices while a superstep is under way.
class WorkBetween {
 public:
  virtual ~WorkBetween() = default;
  virtual bool is_done() const = 0;
  virtual void next() = 0;  ///< the next slice
};

/// How the moves by supersteps end a superstep.
struct Lockstep {
  comm::superstep::World& world;
  bool is_known = false;
  WorkBetween* work = nullptr;  ///< its slices run between the halves of syncs; may be null

  /// End a superstep with short transfers. senders: the processes that put something here. If they are known (is_known), no work
  /// runs in the sync, as others wait for this process's next step.
  void sync(std::vector<int> senders = {}) const {
    if (!is_known) return sync_computing();
    world.sync_known(std::move(senders));
  }
  /// End a superstep with long transfers: run slices of work until the superstep's data have arrived.
  void sync_computing(std::vector<int> senders = {}) const {
    const bool has_work = work != nullptr && !work->is_done();
    if (!has_work) return is_known ? world.sync_known(std::move(senders)) : world.sync();
    if (is_known)
      world.start_sync_known(std::move(senders));
    else
      world.start_sync();
    for (world.rank().poll(); !work->is_done() && !world.is_ready(); world.rank().poll()) work->next();
    world.finish_sync();
  }
};

}  // namespace overlapack::dist
