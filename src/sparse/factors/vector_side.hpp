#pragma once
#include "overlapack/scalar.hpp"

#include <span>

namespace overlapack::sparse {

/// One side of B = Dr P A Q Dc, its rows or its columns: how vectors of A's caller become vectors of B and back.
///   rows      b_i = row_scale[r] b[r],     r = row_perm[i]
///   columns   x[c] = col_scale[c] x_j,     c = col_perm[j]
/// B^T has the columns as its rows.
template <class T, class Number>
struct VectorSide {
  std::span<const Number> number;  ///< position in B -> number in A
  std::span<const double> scale;   ///< by number in A
  bool is_conjugated = false;      ///< op(A) x = b is solved as conj(op(A)) conj(x) = conj(b)

  T value(const T* of_caller, Index position) const {
    return value_of(of_caller, number[static_cast<std::size_t>(position)]);
  }
  void set(T* of_caller, Index position, const T& value) const {
    set_of(of_caller, number[static_cast<std::size_t>(position)], value);
  }
  /// The same by the number i in A.
  T value_of(const T* of_caller, Index i) const {
    return static_cast<Real<T>>(scale[static_cast<std::size_t>(i)]) * maybe_conjugate(of_caller[i]);
  }
  void set_of(T* of_caller, Index i, const T& value) const {
    of_caller[i] = static_cast<Real<T>>(scale[static_cast<std::size_t>(i)]) * maybe_conjugate(value);
  }

 private:
  T maybe_conjugate(const T& x) const { return is_conjugated ? conjugate(x) : x; }
};

}  // namespace overlapack::sparse
