#include "kernels/product/flush_subnormals.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace overlapack::kernels {

namespace {

#if defined(__x86_64__)
constexpr std::uint64_t flush_bits = 0x8040;  // FTZ and DAZ
std::uint64_t control() { return _mm_getcsr(); }
void set_control(std::uint64_t bits) { _mm_setcsr(static_cast<unsigned>(bits)); }
#elif defined(__aarch64__)
constexpr std::uint64_t flush_bits = std::uint64_t{1} << 24;  // FZ
std::uint64_t control() {
  std::uint64_t bits;
  asm volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
}
void set_control(std::uint64_t bits) { asm volatile("msr fpcr, %0" : : "r"(bits)); }
#else
constexpr std::uint64_t flush_bits = 0;
std::uint64_t control() { return 0; }
void set_control(std::uint64_t) {}
#endif

}  // namespace

FlushSubnormals::FlushSubnormals(bool is_on) : before_(control()) {
  if (is_on) set_control(before_ | flush_bits);
}

FlushSubnormals::~FlushSubnormals() { set_control(before_); }

}  // namespace overlapack::kernels
