#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace overlapack::comm::superstep {

/// The name of an area of memory of every process: the number of its registration.
struct Slot {
  std::int64_t number = -1;
};

/// The registered memory of one process.
class Areas {
 public:
  /// To be used from the superstep behind `now` on.
  Slot add(std::span<std::byte> memory, std::int64_t now);
  /// To be used in the superstep `now` for the last time. Nothing happens, and false, where it cannot be used.
  bool withdraw(Slot slot, std::int64_t now);
  /// The memory behind a slot, if it can be used in the superstep `now`.
  std::optional<std::span<std::byte>> find(Slot slot, std::int64_t now) const;
  /// The latest registration of the memory that begins there (BSPlib's name of an area).
  Slot slot_of(const std::byte* begin, std::int64_t now) const;
  /// Of all that was added and withdrawn so far, in its order: equal on processes that did the same.
  std::int64_t fingerprint() const { return static_cast<std::int64_t>(fingerprint_); }

 private:
  struct Area {
    std::span<std::byte> memory;
    std::int64_t from = 0;  ///< the first superstep in which it can be used
    std::int64_t to = std::numeric_limits<std::int64_t>::max();  ///< the last one
    bool is_of(std::int64_t now) const { return from <= now && now <= to; }
  };
  void remember(std::int64_t number);

  std::vector<Area> areas_;
  std::uint64_t fingerprint_ = 0xcbf29ce484222325ull;
};

}  // namespace overlapack::comm::superstep
