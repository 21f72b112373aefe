#include "comm/superstep/areas.hpp"

namespace overlapack::comm::superstep {

Slot Areas::add(std::span<std::byte> memory, std::int64_t now) {
  areas_.push_back({.memory = memory, .from = now + 1});
  remember(0);
  return {std::ssize(areas_) - 1};
}

bool Areas::withdraw(Slot slot, std::int64_t now) {
  if (slot.number < 0 || slot.number >= std::ssize(areas_)) return false;
  Area& area = areas_[static_cast<std::size_t>(slot.number)];
  if (area.to <= now) return false;
  area.to = now;
  remember(slot.number + 1);
  return true;
}

std::optional<std::span<std::byte>> Areas::find(Slot slot, std::int64_t now) const {
  if (slot.number < 0 || slot.number >= std::ssize(areas_)) return std::nullopt;
  const Area& area = areas_[static_cast<std::size_t>(slot.number)];
  if (!area.is_of(now)) return std::nullopt;
  return area.memory;
}

Slot Areas::slot_of(const std::byte* begin, std::int64_t now) const {
  for (std::int64_t number = std::ssize(areas_) - 1; number >= 0; --number) {
    const Area& area = areas_[static_cast<std::size_t>(number)];
    if (area.memory.data() == begin && area.is_of(now)) return {number};
  }
  return {};
}

/// Add a number to the fingerprint (FNV-1a).
void Areas::remember(std::int64_t number) {
  fingerprint_ = (fingerprint_ ^ static_cast<std::uint64_t>(number)) * 0x100000001b3ull;
}

}  // namespace overlapack::comm::superstep
