#pragma once
#include <cstdint>

namespace overlapack::kernels {

/// While it lives, the thread that made it takes subnormal numbers, operands and results, as zeros. Elsewhere than on x86-64 and
/// aarch64 it does nothing.
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
