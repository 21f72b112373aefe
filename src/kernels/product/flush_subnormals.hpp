#pragma once
#include <cstdint>

namespace overlapack::kernels {

/// While it lives, the thread that made it treats subnormal operands and results as zeros. No effect except on x86-64 and aarch64.
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
