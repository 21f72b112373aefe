#include "kernels/product/flush_subnormals.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace overlapack::kernels {

namespace {

#if defined(__x86_64__)
constexpr std::uint64_t flush_bits = 0x8040;  // FTZ and DAZ
std::uint64_t read_float_control() { return _mm_getcsr(); }
void write_float_control(std::uint64_t bits) { _mm_setcsr(static_cast<unsigned>(bits)); }
#elif defined(__aarch64__)
constexpr std::uint64_t flush_bits = std::uint64_t{1} << 24;  // FZ
std::uint64_t read_float_control() {
  std::uint64_t bits;
  asm volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
}
void write_float_control(std::uint64_t bits) { asm volatile("msr fpcr, %0" : : "r"(bits)); }
#else
constexpr std::uint64_t flush_bits = 0;
std::uint64_t read_float_control() { return 0; }
void write_float_control(std::uint64_t) {}
#endif

}  // namespace

FlushSubnormals::FlushSubnormals(bool is_on) : before_(read_float_control()) {
  if (is_on) write_float_control(before_ | flush_bits);
}

FlushSubnormals::~FlushSubnormals() { write_float_control(before_); }

}  // namespace overlapack::kernels
