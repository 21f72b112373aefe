#pragma once
#include <cstdint>
#include <string>

namespace overlapack::test {

// Of programs of calls: matrices are small, and arrays have room for whatever is said of them.
inline constexpr int order = 8, most_entries = 48, room = 4096;

/// Numbers out of a fuzzer's bytes; zeros behind their end.
class Numbers {
 public:
  explicit Numbers(const std::string& bytes) : bytes_(bytes) {}
  bool is_at_end() const { return at_ >= bytes_.size(); }
  int next() { return is_at_end() ? 0 : static_cast<unsigned char>(bytes_[at_++]); }
  /// Below n.
  int below(int n) { return next() % n; }
  /// One in `n` times.
  bool is_rare(int n) { return below(n) == n - 1; }
  /// Mostly in [low, high], now and then anything.
  int about(int low, int high) {
    constexpr int odd[] = {-1, 0, -2147483647 - 1, 2147483647, 1 << 16, -7};
    return is_rare(16) ? odd[below(6)] : low + below(high - low + 1);
  }
  double value() {
    constexpr double odd[] = {0, 1e308, 1e-308, -1e300, 1e-17, 1};
    return is_rare(16) ? odd[below(6)] : (next() - 128) / 16.0;
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace overlapack::test
