#pragma once
#include "comm/superstep/registered_buffers.hpp"

#include <utility>

namespace overlapack::dist {

/// What may be computed while a superstep travels, in slices.
class WorkBetween {
 public:
  virtual ~WorkBetween() = default;
  virtual bool is_done() const = 0;
  virtual void next() = 0;  ///< the next slice
};

/// What the moves by supersteps end their supersteps with.
struct Lockstep {
  comm::superstep::World& world;
  bool is_known = false;
  WorkBetween* work = nullptr;  ///< slices of it are done between the halves of syncs

  /// senders: the processes that put something here. Where they are known, others wait for what this one does next, and
  /// nothing is computed in between.
  void sync(std::vector<int> senders = {}) const {
    if (!is_known) return sync_computing();
    world.sync_known(std::move(senders));
  }
  /// Of something long: whatever else is to be done is done until it is here.
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
