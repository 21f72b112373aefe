#pragma once
#include "overlapack/scalar.hpp"

#include <type_traits>

namespace overlapack::kernels {

/// The type in which residuals are summed: double for single precision, long double for double. On x86 that has a significand of
/// 64 bits; on aarch64 it is 128-bit arithmetic in software.
template <class T>
using Wide = std::conditional_t<std::is_same_v<Real<T>, float>, double, long double>;

/// Wide<T>, or complex numbers of that type if T is complex.
template <class T>
using WideScalar = std::conditional_t<ScalarTraits<T>::is_complex, std::complex<Wide<T>>, Wide<T>>;

/// (re, im) -= a x, by real arithmetic: std::complex would test each product for infinities.
template <class T>
void subtract_product(const T& a, const T& x, Wide<T>& re, [[maybe_unused]] Wide<T>* im) {
  using W = Wide<T>;
  if constexpr (ScalarTraits<T>::is_complex) {
    re -= W(a.real()) * W(x.real()) - W(a.imag()) * W(x.imag());
    *im -= W(a.real()) * W(x.imag()) + W(a.imag()) * W(x.real());
  } else {
    re -= W(a) * W(x);
  }
}

}  // namespace overlapack::kernels
