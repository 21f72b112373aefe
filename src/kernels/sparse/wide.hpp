#pragma once
#include "overlapack/scalar.hpp"

#include <type_traits>

namespace overlapack::kernels {

/// The type in which residuals are summed: double for single precision, the 64-bit significand of x86's long double for double
/// (128-bit arithmetic in software on aarch64).
template <class T>
using Wide = std::conditional_t<std::is_same_v<Real<T>, float>, double, long double>;

/// The same for complex numbers.
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
