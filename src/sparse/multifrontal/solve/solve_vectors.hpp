#pragma once
#include "overlapack/scalar.hpp"

#include <cstdint>
#include <vector>

namespace overlapack::sparse {

/// Vectors of all unknowns, indexed by permuted variable, right-hand sides by columns. Equations are the rows of B and
/// unknowns its columns; the other way round for B^T.
template <class T>
struct Vectors {
  const T* rhs = nullptr;  ///< b
  std::vector<T>
      equations;  ///< between tasks zero; inside of one b of its rows, and what its fronts subtract from others
  std::vector<T> unknowns;  ///< y of my pivots, then x
  Index n = 0, count = 0;
  bool is_transposed = false;  ///< LU: B^T x = b
  std::vector<char>
      is_idle;  ///< front -> nothing is known of it (up) or asked of it (down); empty: none is idle

  /// to(i, :) = from[names[i], :]
  void gather(const std::vector<T>& from, const std::int32_t* names, Index length, T* to, Index ld) const {
    for (Index r = 0; r < count; ++r)
      for (Index i = 0; i < length; ++i) to[i + r * ld] = from[static_cast<std::size_t>(names[i] + r * n)];
  }
  void scatter(std::vector<T>& to, const std::int32_t* names, Index length, const T* from, Index ld) const {
    for (Index r = 0; r < count; ++r)
      for (Index i = 0; i < length; ++i) to[static_cast<std::size_t>(names[i] + r * n)] = from[i + r * ld];
  }
  void scatter_add(std::vector<T>& to, const std::int32_t* names, Index length, const T* from,
                   Index ld) const {
    for (Index r = 0; r < count; ++r)
      for (Index i = 0; i < length; ++i) to[static_cast<std::size_t>(names[i] + r * n)] += from[i + r * ld];
  }
};

}  // namespace overlapack::sparse
