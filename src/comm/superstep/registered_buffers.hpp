#pragma once
#include "base/arena.hpp"
#include "comm/superstep/world.hpp"

#include <memory>
#include <span>
#include <vector>

namespace overlapack::comm::superstep {

/// Buffers for incoming puts, registered once at the beginning so that no later superstep needs a registration.
/// Source  paper 4, section 2.4
class RegisteredBuffers {
 public:
  struct Buffer {
    Slot slot;
    std::span<std::byte> memory;               ///< null data where ranks are simulated by shapes
    std::shared_ptr<const void> storage = {};  ///< keeps the memory alive; does not keep the buffer taken
  };

  /// bytes: size of each buffer, the same on all processes.
  /// Sync    one superstep
  RegisteredBuffers(World& world, std::vector<std::size_t> bytes);

  /// The smallest free buffer of at least `bytes` bytes; it is free again when the last holder drops it. All processes must take and
  /// drop buffers in the same order, so that all get the same slot.
  /// Errors  BadPlan if there is none
  std::shared_ptr<const Buffer> take(std::size_t bytes);
  /// The bytes of `body`, to be lent by hpput. If they are inside a buffer, the result keeps the memory alive but not the buffer taken:
  /// the buffer becomes free on time, even if others still read the memory while a run ends with an error.
  Body lent(const Body& body) const;

 private:
  struct Position {
    Buffer buffer;
    std::weak_ptr<const Buffer> holder;
  };
  std::shared_ptr<Arena> memory_ = std::make_shared<Arena>();
  std::vector<Position> positions_;  ///< by size
};

}  // namespace overlapack::comm::superstep
