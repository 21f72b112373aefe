#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace overlapack::comm::superstep {

/// Name of a registered memory area, the same on all processes: the number of the push_reg call that registered it.
struct Slot {
  std::int64_t number = -1;
};

/// A push or pop of an area in the present superstep. All processes must make these calls in the same order.
struct RegistrationCall {
  bool is_pop = false;
  bool is_null = false;  ///< the call has a null pointer: this process has no memory in the area
  /// -1 for the pop of a null pointer: the other processes' calls say which slot it is
  std::int64_t slot = -1;
};

/// What all processes together said by one call.
struct AgreedCall {
  std::int64_t slot = -1;           ///< -1: all have popped a null pointer
  bool is_null_everywhere = false;  ///< no process has memory in that area
};

/// The registered memory of one process, by the rules of BSPlib: pushes and pops take effect with the next sync, in the order of the
/// calls, and a newer registration of an address hides the older ones until it is popped.
/// Cost    a call takes O(log r) for an address with r registrations; an area that was popped costs nothing
/// Source  Hill, McColl and others, BSPlib, Parallel Computing 24 (1998), section 2.2
class Areas {
 public:
  Slot add(std::span<std::byte> memory);
  /// Pop a registration; false, without effect, if there is none or it was popped before.
  bool pop_registration(Slot slot);
  /// Pop the latest registration of memory that begins at `begin`, even one of this superstep; false if there is none. For a null
  /// pointer apply_registrations finds the area later.
  bool pop_registration(const std::byte* begin);
  /// The memory of a slot that is usable in this superstep.
  std::optional<std::span<std::byte>> find(Slot slot) const;
  /// Slot of memory that begins at `begin` (BSPlib names areas by address): the latest registration that is usable in this superstep,
  /// or else the latest one of this superstep, which is not usable yet.
  Slot slot_of(const std::byte* begin) const;

  /// Number of areas that are registered or will be after the next sync.
  std::int64_t count() const { return std::ssize(areas_); }
  /// Calls since the last apply_registrations, in their order.
  const std::vector<RegistrationCall>& calls() const { return calls_; }
  /// Whether there is a pop of a null pointer, whose area only the calls of all processes together tell.
  bool needs_agreement() const;
  /// End the superstep: make the calls take effect. agreed: what the census says of each call; empty without a census, which requires
  /// !needs_agreement(). Returns an error text if a call contradicts those of the other processes, else an empty string.
  std::string apply_registrations(std::span<const AgreedCall> agreed);
  /// Hash of all calls that took effect, in their order; equal on processes that made the same calls.
  std::int64_t fingerprint() const { return static_cast<std::int64_t>(fingerprint_); }

 private:
  struct Area {
    std::span<std::byte> memory;
    bool is_usable = false;  ///< in this superstep
    bool is_popped = false;  ///< from the next one on
  };
  /// The registrations of an address, in this superstep and in the next one.
  struct Names {
    std::set<std::int64_t> now, next;
  };
  void pop(std::int64_t slot, Area& area);
  void remove_area(std::int64_t slot);
  void add_to_fingerprint(std::int64_t number);

  std::unordered_map<std::int64_t, Area> areas_;  ///< by slot
  std::unordered_map<const std::byte*, Names> names_;
  std::set<std::int64_t> null_everywhere_;
  std::vector<RegistrationCall> calls_;
  std::int64_t pushed_ = 0;
  std::uint64_t fingerprint_ = 0xcbf29ce484222325ull;
};

}  // namespace overlapack::comm::superstep
