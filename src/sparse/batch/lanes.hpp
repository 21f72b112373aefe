#pragma once
#include "overlapack/scalar.hpp"

#include <array>
#include <cmath>

namespace overlapack::sparse::batch {

/// Systems that are computed with side by side: a cache line of doubles, which is one register or a few.
constexpr Index lanes = 8;

/// One number of each of these systems.
template <class T>
struct Lanes {
  std::array<T, static_cast<std::size_t>(lanes)> of{};

  T& operator[](Index lane) { return of[static_cast<std::size_t>(lane)]; }
  const T& operator[](Index lane) const { return of[static_cast<std::size_t>(lane)]; }
};

/// x <- x - a y
template <class T>
inline void subtract(Lanes<T>& x, const Lanes<T>& a, const Lanes<T>& y) {
  for (Index l = 0; l < lanes; ++l) x[l] -= a[l] * y[l];
}

template <class T>
inline void multiply(Lanes<T>& x, const Lanes<T>& y) {
  for (Index l = 0; l < lanes; ++l) x[l] *= y[l];
}

template <class T>
inline Lanes<T> conjugated(Lanes<T> x) {
  for (Index l = 0; l < lanes; ++l) x[l] = conjugate(x[l]);
  return x;
}

template <class T>
inline void raise_to(Lanes<Real<T>>& largest, const Lanes<T>& x) {
  for (Index l = 0; l < lanes; ++l) {
    const Real<T> size = std::abs(x[l]);
    largest[l] = size > largest[l] ? size : largest[l];
  }
}

}  // namespace overlapack::sparse::batch
