#pragma once
#include "overlapack/scalar.hpp"

namespace overlapack::kernels {

/// Operations and memory traffic of a kernel, for reports and for the simulated clock.
struct Cost {
  double flops = 0;  ///< real operations
  double bytes = 0;  ///< least traffic with memory: every operand read once, every result written once
};

constexpr Cost operator+(Cost a, Cost b) { return {a.flops + b.flops, a.bytes + b.bytes}; }

/// Real operations of one multiplication and one addition: 8 for complex numbers, 2 for real ones.
template <class T>
constexpr double multiply_add_flops = ScalarTraits<T>::is_complex ? 8 : 2;

/// Cost of `multiply_adds` multiply-adds on `entries` matrix entries read or written.
template <class T>
constexpr Cost cost_of(double multiply_adds, double entries) {
  return {multiply_adds * multiply_add_flops<T>, entries * sizeof(T)};
}

}  // namespace overlapack::kernels
