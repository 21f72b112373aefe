#pragma once
#include "base/random.hpp"
#include "overlapack/scalar.hpp"

#include <cstdint>
#include <vector>

namespace overlapack {

/// Uniform in [-1, 1), both parts of a complex number.
template <class T>
T random_value(Random& random) {
  const auto real = static_cast<Real<T>>(random.uniform(-1, 1));
  if constexpr (ScalarTraits<T>::is_complex)
    return T(real, static_cast<Real<T>>(random.uniform(-1, 1)));
  else
    return real;
}

template <class T>
std::vector<T> random_vector(Index size, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> values(static_cast<std::size_t>(size));
  for (T& value : values) value = random_value<T>(random);
  return values;
}

}  // namespace overlapack
