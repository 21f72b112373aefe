#pragma once
#include "comm/kinds.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace overlapack::comm {

/// Separate first-in-first-out streams between each pair of ranks; nothing is ordered across lanes.
/// control: aborts (used by the engine); load: scheduling messages; bulk: matrix data; collective: comm/collective;
/// channel: comm/channel; user: callers that run a team of their own.
enum class Lane : std::uint8_t { control, load, bulk, collective, channel, user };
inline constexpr int lane_count = 6;
inline constexpr std::array<std::string_view, lane_count> lane_names{"control",    "load",    "bulk",
                                                                     "collective", "channel", "user"};

inline constexpr int any_rank = -1;

/// Header of a message, real even if the body is phantom: its kind, and ids that the sender may use freely.
struct Header {
  Kind kind{};
  /// Sequence number among this sender's messages to this receiver on the lane, from 1; 0: not numbered. Set by the outbox, so
  /// that an inbox with several posted receives can restore the order of sending.
  std::uint32_t sequence = 0;
  std::array<std::int64_t, 6> id{};
};

/// Immutable, reference-counted bytes, or phantom: a size without storage (simulation by shapes only).
class Body {
 public:
  Body() = default;

  /// Share bytes that `owner` keeps alive.
  Body(std::shared_ptr<const void> owner, const void* data, std::size_t bytes)
      : owner_(std::move(owner)), data_(static_cast<const std::byte*>(data)), bytes_(bytes) {}

  static Body phantom(std::size_t bytes) {
    Body b;
    b.bytes_ = bytes;
    return b;
  }
  /// Take over a vector; no copy.
  template <class T, class Allocator>
  static Body adopt(std::vector<T, Allocator>&& values) {
    auto owner = std::make_shared<std::vector<T, Allocator>>(std::move(values));
    const void* data = owner->data();
    const std::size_t bytes = owner->size() * sizeof(T);
    return Body(std::move(owner), data, bytes);
  }
  template <class T>
  static Body copy_of(std::span<const T> values) {
    return adopt(std::vector<T>(values.begin(), values.end()));
  }

  const std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  bool empty() const { return bytes_ == 0; }
  bool is_phantom() const { return bytes_ != 0 && data_ == nullptr; }
  /// Part of this body: `bytes` bytes from `offset` on; not copied.
  Body part(std::size_t offset, std::size_t bytes) const {
    Body b = *this;
    if (data_) b.data_ += offset;
    b.bytes_ = bytes;
    return b;
  }

  /// The bytes as an array of T, which must be the sender's type.
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data_), bytes_ / sizeof(T)};
  }

 private:
  std::shared_ptr<const void> owner_;
  const std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

struct Message {
  Header header;
  Body body;
  int source = any_rank;
  Lane lane = Lane::user;
};

}  // namespace overlapack::comm
