#include "comm/superstep/areas.hpp"

#include <algorithm>

namespace overlapack::comm::superstep {

Slot Areas::add(std::span<std::byte> memory) {
  const std::int64_t slot = pushed_++;
  areas_[slot].memory = memory;
  if (memory.data() != nullptr) names_[memory.data()].next.insert(slot);
  calls_.push_back({.is_null = memory.data() == nullptr, .slot = slot});
  return {slot};
}

bool Areas::pop_registration(Slot slot) {
  const auto found = areas_.find(slot.number);
  if (found == areas_.end() || found->second.is_popped) return false;
  pop(slot.number, found->second);
  calls_.push_back({.is_pop = true, .slot = slot.number});
  return true;
}

bool Areas::pop_registration(const std::byte* begin) {
  if (begin == nullptr) {
    calls_.push_back({.is_pop = true, .is_null = true});
    return true;
  }
  const auto names = names_.find(begin);
  return names != names_.end() && !names->second.next.empty() &&
         pop_registration(Slot{*names->second.next.rbegin()});
}

std::optional<std::span<std::byte>> Areas::find(Slot slot) const {
  const auto found = areas_.find(slot.number);
  if (found == areas_.end() || !found->second.is_usable) return std::nullopt;
  return found->second.memory;
}

Slot Areas::slot_of(const std::byte* begin) const {
  const auto names = names_.find(begin);
  if (names == names_.end()) return {};
  const auto& [now, next] = names->second;
  const std::set<std::int64_t>& known = now.empty() ? next : now;
  return {known.empty() ? -1 : *known.rbegin()};
}

bool Areas::needs_agreement() const {
  return std::ranges::any_of(calls_, [](const RegistrationCall& call) { return call.slot < 0; });
}

std::string Areas::apply_registrations(std::span<const AgreedCall> agreed) {
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    const auto [is_pop, is_null, own_slot] = calls_[i];
    std::int64_t slot = own_slot;
    if (slot < 0) {
      slot = agreed[i].slot;
      if (slot < 0 && null_everywhere_.empty())
        return "all processes pop a null pointer, but no area is registered by a null pointer on all";
      if (slot < 0) slot = *null_everywhere_.rbegin();
      const auto area = areas_.find(slot);
      if (area == areas_.end() || area->second.is_popped || area->second.memory.data() != nullptr)
        return "it pops a null pointer where others pop slot " + std::to_string(slot) +
               ", which it has not registered by one";
    }
    add_to_fingerprint(2 * slot + (is_pop ? 1 : 0));
    if (is_pop) {
      remove_area(slot);
      continue;
    }
    Area& area = areas_[slot];
    area.is_usable = true;
    if (!is_null) names_[area.memory.data()].now.insert(slot);
    if (!agreed.empty() && agreed[i].is_null_everywhere) null_everywhere_.insert(slot);
  }
  calls_.clear();
  return {};
}

/// Mark the area as popped, so that no later pop finds it by its address.
void Areas::pop(std::int64_t slot, Area& area) {
  area.is_popped = true;
  if (const auto names = names_.find(area.memory.data()); names != names_.end())
    names->second.next.erase(slot);
}

void Areas::remove_area(std::int64_t slot) {
  const auto names = names_.find(areas_[slot].memory.data());
  if (names != names_.end()) {
    names->second.now.erase(slot);
    if (names->second.now.empty() && names->second.next.empty()) names_.erase(names);
  }
  null_everywhere_.erase(slot);
  areas_.erase(slot);
}

/// Add a number to the fingerprint (FNV-1a).
void Areas::add_to_fingerprint(std::int64_t number) {
  fingerprint_ = (fingerprint_ ^ static_cast<std::uint64_t>(number)) * 0x100000001b3ull;
}

}  // namespace overlapack::comm::superstep
