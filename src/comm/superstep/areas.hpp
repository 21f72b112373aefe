#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace overlapack::comm::superstep {

/// Name of a registered memory area, the same on all processes: the number of its registration.
struct Slot {
  std::int64_t number = -1;
};

/// The registered memory of one process.
class Areas {
 public:
  /// Register memory; usable from superstep now + 1 on.
  Slot add(std::span<std::byte> memory, std::int64_t now);
  /// Make superstep `now` the last in which the area is usable; false, without effect, if it was never added or is withdrawn
  /// already.
  bool withdraw(Slot slot, std::int64_t now);
  /// The memory of a slot, if usable in superstep `now`.
  std::optional<std::span<std::byte>> find(Slot slot, std::int64_t now) const;
  /// Slot of the latest usable registration of memory that begins there (BSPlib's name of an area).
  Slot slot_of(const std::byte* begin, std::int64_t now) const;
  /// Hash of all calls of add and withdraw in their order: equal on processes that made the same ones.
  std::int64_t fingerprint() const { return static_cast<std::int64_t>(fingerprint_); }

 private:
  struct Area {
    std::span<std::byte> memory;
    std::int64_t from = 0;                                       ///< first superstep in which it is usable
    std::int64_t to = std::numeric_limits<std::int64_t>::max();  ///< the last one
    bool is_of(std::int64_t now) const { return from <= now && now <= to; }
  };
  void remember(std::int64_t number);

  std::vector<Area> areas_;
  std::uint64_t fingerprint_ = 0xcbf29ce484222325ull;
};

}  // namespace overlapack::comm::superstep
