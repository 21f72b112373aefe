#pragma once
#include "comm/message.hpp"

#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace overlapack::sparse {

/// Arrays of different types one after the other in a message, each with its length before it.
class Packing {
 public:
  template <class T>
  void add(std::span<const T> values) {
    std::memcpy(room_for<T>(values.size()), values.data(), values.size_bytes());
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(std::span<const T>(values));
  }
  template <class V>
  void add_one(const V& value) {
    static_assert(std::is_trivially_copyable_v<V>);
    add(std::span<const V>(&value, 1));
  }
  /// Room for `count` values, to be written before the next call.
  template <class T>
  T* room_for(std::size_t count) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + unit + (count * sizeof(T) + unit - 1) / unit * unit);
    std::memcpy(bytes_.data() + at, &count, sizeof count);
    return reinterpret_cast<T*>(bytes_.data() + at + unit);
  }
  comm::Body body() && { return comm::Body::adopt(std::move(bytes_)); }

 private:
  friend class Unpacking;
  static constexpr std::size_t unit = 16;  // every array begins at a multiple of it
  std::vector<std::byte> bytes_;
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
    at_ += Packing::unit + (count * sizeof(T) + Packing::unit - 1) / Packing::unit * Packing::unit;
    return {values, count};
  }

  template <class V>
  V next_one() {
    return next<V>().front();
  }
  /// The next array as a vector.
  template <class V>
  void take(std::vector<V>& values) {
    const auto array = next<V>();
    values.assign(array.begin(), array.end());
  }

 private:
  const std::byte* at_;
};

}  // namespace overlapack::sparse
