#pragma once
#include <cmath>
#include <complex>
#include <cstdint>

namespace overlapack {

/// The type of all indices, dimensions and counts in overlapack.
using Index = std::int64_t;

/// The four scalar types, named as in BLAS: s, d, c, z.
enum class ScalarType : std::uint8_t { float32, float64, complex64, complex128 };

template <class T>
struct ScalarTraits;
template <>
struct ScalarTraits<float> {
  using Real = float;
  static constexpr ScalarType type = ScalarType::float32;
  static constexpr bool is_complex = false;
};
template <>
struct ScalarTraits<double> {
  using Real = double;
  static constexpr ScalarType type = ScalarType::float64;
  static constexpr bool is_complex = false;
};
template <>
struct ScalarTraits<std::complex<float>> {
  using Real = float;
  static constexpr ScalarType type = ScalarType::complex64;
  static constexpr bool is_complex = true;
};
template <>
struct ScalarTraits<std::complex<double>> {
  using Real = double;
  static constexpr ScalarType type = ScalarType::complex128;
  static constexpr bool is_complex = true;
};

/// float for float and complex<float>, double for double and complex<double>.
template <class T>
using Real = typename ScalarTraits<T>::Real;

/// The complex conjugate of x, in the type of x. A real number is returned unchanged (std::conj would make it complex).
template <class T>
constexpr T conjugate(const T& x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return T(x.real(), -x.imag());
  else
    return x;
}

/// Whether x, or each of its two parts, is neither NaN nor infinite. The modulus of a finite complex number may nevertheless overflow.
template <class T>
bool is_finite(const T& x) {
  return std::isfinite(std::real(x)) && std::isfinite(std::imag(x));
}

}  // namespace overlapack
