#pragma once
#include "base/arena.hpp"
#include "comm/superstep/world.hpp"

#include <memory>
#include <span>
#include <vector>

namespace overlapack::comm::superstep {

/// Room for what comes by puts, registered once at the beginning.
/// Source  paper 4, section 2.4
class RegisteredBuffers {
 public:
  struct Buffer {
    Slot slot;
    std::span<std::byte> memory;               ///< without storage where ranks are simulated by shapes
    std::shared_ptr<const void> storage = {};  ///< keeps the memory alive, and no buffer taken
  };

  /// bytes: of each, alike on all processes.
  /// Sync    one superstep
  RegisteredBuffers(World& world, std::vector<std::size_t> bytes);

  /// The smallest free one of at least so many bytes; free again when the last of its holders drops it. All processes take and
  /// drop in the same order, so that all have the same slot.
  /// Errors  BadPlan if there is none
  std::shared_ptr<const Buffer> take(std::size_t bytes);
  /// The same bytes, which are lent to others: where they stand in a buffer, that is free again when its holders drop it, whoever
  /// still reads it as a run ends by an error.
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
