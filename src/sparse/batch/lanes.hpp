#pragma once
#include "overlapack/scalar.hpp"

#include <array>
#include <cmath>

namespace overlapack::sparse::batch {

/// Number of systems that are worked on side by side: their numbers fill a cache line of doubles, which is
/// one register or a few.
constexpr Index lanes = 8;

/// The same number of each of these systems.
template <class T>
struct Lanes {
  std::array<T, static_cast<std::size_t>(lanes)> of{};

  T& operator[](Index lane) { return of[static_cast<std::size_t>(lane)]; }
  const T& operator[](Index lane) const { return of[static_cast<std::size_t>(lane)]; }
};

// The operands are copied first: the compiler then knows that a store to one array changes no other, and uses
// vector instructions.

/// x <- x - a y
template <class T>
inline void subtract(Lanes<T>& x, const Lanes<T>& a, const Lanes<T>& y) {
  Lanes<T> sum = x;
  const Lanes<T> left = a, right = y;
  for (Index l = 0; l < lanes; ++l) sum[l] -= left[l] * right[l];
  x = sum;
}

/// weight <- weight + |a| |y|
template <class T>
inline void add_sizes(Lanes<Real<T>>& weight, const Lanes<T>& a, const Lanes<T>& y) {
  Lanes<Real<T>> sum = weight;
  const Lanes<T> left = a, right = y;
  for (Index l = 0; l < lanes; ++l) sum[l] += std::abs(left[l]) * std::abs(right[l]);
  weight = sum;
}

template <class T>
inline void multiply(Lanes<T>& x, const Lanes<T>& y) {
  Lanes<T> product = x;
  for (Index l = 0; l < lanes; ++l) product[l] *= y[l];
  x = product;
}

template <class T>
inline Lanes<T> conjugated(Lanes<T> x) {
  for (Index l = 0; l < lanes; ++l) x[l] = conjugate(x[l]);
  return x;
}

/// largest <- max(largest, |x|) in each lane; a NaN in x is ignored.
template <class T>
inline void update_largest(Lanes<Real<T>>& largest, const Lanes<T>& x) {
  Lanes<Real<T>> larger = largest;
  for (Index l = 0; l < lanes; ++l) {
    const Real<T> size = std::abs(x[l]);
    larger[l] = size > larger[l] ? size : larger[l];
  }
  largest = larger;
}

}  // namespace overlapack::sparse::batch
