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

/// Name of a registered memory area, the same on all processes: the number of its registration.
struct Slot {
  std::int64_t number = -1;
};

/// A push or pop of an area in the present superstep, as all processes must make it.
struct RegistrationCall {
  bool is_pop = false;
  bool is_null = false;    ///< of a null pointer, which a process gives that has no part in the area
  std::int64_t slot = -1;  ///< -1 for the pop of a null pointer: the others say which slot it is
};

/// What all processes said by a call together.
struct AgreedCall {
  std::int64_t slot = -1;           ///< -1: all have popped a null pointer
  bool is_null_everywhere = false;  ///< no process has memory in that area
};

/// The registered memory of one process, as BSPlib has it: pushes and pops take effect with the next sync, in the order of the
/// calls, and a newer registration of an address hides the older ones until it is popped.
/// Cost    of each call the logarithm of the number of registrations of that address; an area that was popped costs nothing
/// Source  Hill, McColl and others, BSPlib, Parallel Computing 24 (1998), section 2.2
class Areas {
 public:
  Slot add(std::span<std::byte> memory);
  /// Pop a registration; false, without effect, if there is none or it was popped before.
  bool pop_registration(Slot slot);
  /// Pop the latest registration of memory that begins there, of this superstep too; false if there is none. A null pointer is
  /// looked up by apply_registrations.
  bool pop_registration(const std::byte* begin);
  /// The memory of a slot that is usable in this superstep.
  std::optional<std::span<std::byte>> find(Slot slot) const;
  /// The latest registration that is usable in this superstep of memory that begins there (BSPlib's name of an area), or else the
  /// latest one of this superstep, which is not usable yet.
  Slot slot_of(const std::byte* begin) const;

  /// Areas that are registered or about to be.
  std::int64_t count() const { return std::ssize(areas_); }
  /// Calls since the last apply_registrations, in their order.
  const std::vector<RegistrationCall>& calls() const { return calls_; }
  /// Is there a pop that only all processes together can look up?
  bool needs_agreement() const;
  /// End the superstep. agreed: by call; empty where nobody was asked (then !needs_agreement()). Returns what contradicts the others,
  /// or nothing.
  std::string apply_registrations(std::span<const AgreedCall> agreed);
  /// Hash of all calls that took effect, in their order: equal on processes that made the same ones.
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
