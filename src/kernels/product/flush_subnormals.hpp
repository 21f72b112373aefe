#pragma once
#include <cstdint>

namespace overlapack::kernels {

/// While it lives, the processor treats subnormal operands and results of the calling thread as zeros, because arithmetic with
/// them is slow. It has an effect on x86-64 and aarch64 only.
class FlushSubnormals {
 public:
  explicit FlushSubnormals(bool is_on);
  ~FlushSubnormals();
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
  std::uint64_t before_ = 0;
};

}  // namespace overlapack::kernels
