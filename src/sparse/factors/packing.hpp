#pragma once
#include "base/shared_list.hpp"
#include "comm/message.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace overlapack::sparse {

/// Uninitialised memory for bytes that are still to be written, and then become a message body.
class BodyBuffer {
 public:
  BodyBuffer() = default;
  explicit BodyBuffer(std::size_t bytes) : data_(new std::byte[bytes]), bytes_(bytes) {}

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data_.get());
  }
  std::byte* data() const { return data_.get(); }
  std::size_t bytes() const { return bytes_; }
  /// The first `bytes` of it, as a body.
  comm::Body body(std::size_t bytes) && {
    const std::byte* data = data_.get();
    return {std::shared_ptr<std::byte[]>(std::move(data_)), data, bytes};
  }
  comm::Body body() && {
    const std::size_t all = bytes_;
    return std::move(*this).body(all);
  }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::size_t bytes_ = 0;
};

/// Arrays of different types one after the other in a message, each with its length before it.
class Packing {
 public:
  /// Reserves so many bytes (sum of bytes_of the arrays); if more are needed, the memory is reallocated.
  explicit Packing(std::size_t bytes = 256) : room_(bytes) {}

  template <class T>
  static constexpr std::size_t bytes_of(std::size_t count) {
    return unit + (count * sizeof(T) + unit - 1) / unit * unit;
  }

  template <class T>
  void add(std::span<const T> values) {
    T* const position = room_for<T>(values.size());
    if (!values.empty()) std::memcpy(position, values.data(), values.size_bytes());
  }
  template <class T, class Allocator>
  void add(const std::vector<T, Allocator>& values) {
    add(std::span<const T>(values));
  }
  template <class T>
  void add(const SharedList<T>& values) {
    add(std::span<const T>(values));
  }
  template <class V>
  void add_value(const V& value) {
    static_assert(std::is_trivially_copyable_v<V>);
    V* const position = room_for<V>(1);
    std::memcpy(position, &value, sizeof value);
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(position);  // bytes between members, lest files of the same factors differ
#endif
  }
  /// Memory for `count` values, to be written before the next call.
  template <class T>
  T* room_for(std::size_t count) {
    const std::size_t at = used_;
    used_ += bytes_of<T>(count);
    grow(at);
    std::byte* const begin = room_.data() + at;
    std::fill_n(begin, unit, std::byte{0});
    std::memcpy(begin, &count, sizeof count);
    std::byte* const values = begin + unit;
    std::fill(values + count * sizeof(T), room_.data() + used_, std::byte{0});  // up to a whole unit
    return reinterpret_cast<T*>(values);
  }
  comm::Body body() && { return std::move(room_).body(used_); }

 private:
  friend class Unpacking;
  static constexpr std::size_t unit = 16;  // every array begins at a multiple of it

  void grow(std::size_t written) {
    if (used_ <= room_.bytes()) return;
    BodyBuffer larger(std::max(used_, 2 * room_.bytes()));
    if (written > 0) std::memcpy(larger.data(), room_.data(), written);
    room_ = std::move(larger);
  }

  BodyBuffer room_;
  std::size_t used_ = 0;
};

/// The arrays of a Packing, in the same order; they live as long as the body.
class Unpacking {
 public:
  explicit Unpacking(const comm::Body& body) : at_(body.data()) {}

  template <class T>
  std::span<const T> next() {
    std::size_t count = 0;
    std::memcpy(&count, at_, sizeof count);
    const T* values = reinterpret_cast<const T*>(at_ + Packing::unit);
    at_ += Packing::bytes_of<T>(count);
    return {values, count};
  }

  template <class V>
  V next_value() {
    return next<V>().front();
  }
  /// The next array as a vector.
  template <class V, class Allocator>
  void read_into(std::vector<V, Allocator>& values) {
    const auto array = next<V>();
    values.assign(array.begin(), array.end());
  }
  template <class V>
  void read_into(SharedList<V>& values) {
    const auto array = next<V>();
    values = {array.begin(), array.end()};
  }

 private:
  const std::byte* at_;
};

}  // namespace overlapack::sparse
