#pragma once
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace overlapack::kernels {

/// Counts of pivots that were not taken as they stood.
struct MendedPivots {
  Index replaced = 0;    ///< pivots that were too small, or had the wrong sign
  Index wrong_sign = 0;  ///< those of them that had the wrong sign

  void add(const MendedPivots& more) {
    replaced += more.replaced;
    wrong_sign += more.wrong_sign;
  }
};

/// The signs of the pivots of a quasi-definite matrix, which are the same in any order of elimination. So each pivot can be taken
/// where it stands, without a search.
/// Source  Vanderbei, Symmetric quasidefinite matrices, SIAM J. Optim. 5 (1995); Saunders, Cholesky-based methods for sparse least
///         squares: the benefits of regularization (1996), for the shift
template <class T>
struct PivotSigns {
  const std::int8_t* sign = nullptr;  ///< by variable of a panel: +1 or -1; null: the signs are not known
  const double* size = nullptr;       ///< by variable: the largest entry of its row
  double shift = 0;                   ///< shift * size * sign is added to each pivot
  double least = 0;                   ///< a pivot below least * size, or of the wrong sign, is mended
  /// A mended pivot has the right sign, and its own size but at least replacement * size. (Small in the place of a large one, it
  /// would let L grow.)
  double replacement = 0;

  explicit operator bool() const { return sign != nullptr; }
  /// The signs and sizes of the variables from `first` on.
  PivotSigns from(Index first) const {
    return sign == nullptr ? *this : PivotSigns{sign + first, size + first, shift, least, replacement};
  }
  /// The pivot to take for variable k in the place of a; mends counts it if it was mended. A pivot that is not finite stays as it
  /// is, and is refused later.
  Real<T> mended(Real<T> a, Index k, MendedPivots& mends) const {
    if (!std::isfinite(a)) return a;
    constexpr double smallest = std::numeric_limits<Real<T>>::min() / std::numeric_limits<Real<T>>::epsilon();
    const double own = std::max(size[k], smallest / replacement),
                 along = static_cast<double>(a) * sign[k] + shift * own;
    if (along >= least * own) return static_cast<Real<T>>(along * sign[k]);
    ++mends.replaced;
    mends.wrong_sign += along < 0;
    return static_cast<Real<T>>(std::max(std::abs(along), replacement * own) * sign[k]);
  }
};

}  // namespace overlapack::kernels
