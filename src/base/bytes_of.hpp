#pragma once
#include <vector>

namespace overlapack {

/// Bytes that these vectors hold, reserved capacity included.
template <class... Vectors>
double bytes_of(const Vectors&... vectors) {
  return (0.0 + ... + static_cast<double>(vectors.capacity() * sizeof(typename Vectors::value_type)));
}

/// bytes_of() summed over the vectors in a list.
template <class Vector>
double bytes_of_nested(const std::vector<Vector>& vectors) {
  double bytes = 0;
  for (const Vector& vector : vectors) bytes += bytes_of(vector);
  return bytes;
}

}  // namespace overlapack
