#pragma once
#include "overlapack/scalar.hpp"

#include <cmath>
#include <limits>

namespace overlapack::kernels {

/// The Householder reflection H = I - tau v v^H with v = [1; x / pivot], unitary, so that H^H [alpha; x] = [beta; 0].
template <class T>
struct Reflection {
  T tau{};
  Real<T> beta{};
  T pivot{};  ///< 0: x counts as zero, and the caller must set it to zero
};

/// A sum of squares below this is inaccurate because of underflow, so that x counts as zero.
template <class R>
inline constexpr R least_square = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon();

/// The reflection for [alpha; x].
/// square  ||x||_2^2
/// Source  Golub, Van Loan, section 5.1; LAPACK's xLARFG for the signs and for complex numbers
template <class T>
Reflection<T> reflection(const T& alpha, Real<T> square) {
  using R = Real<T>;
  const bool is_short = !(square >= least_square<R>);
  const R a = std::real(alpha);
  if (is_short && std::imag(alpha) == R(0)) return {T(0), a, T(0)};
  const R size = std::hypot(static_cast<R>(std::abs(alpha)), is_short ? R(0) : std::sqrt(square));
  const R beta = a >= 0 ? -size : size;
  return {(T(beta) - alpha) / T(beta), beta, is_short ? T(0) : alpha - T(beta)};
}

}  // namespace overlapack::kernels
