#pragma once
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace overlapack::kernels {

/// Pivots that were not taken as they stood.
struct MendedPivots {
  Index replaced = 0;    ///< too small, or of the wrong sign
  Index wrong_sign = 0;  ///< of these

  void add(const MendedPivots& more) {
    replaced += more.replaced;
    wrong_sign += more.wrong_sign;
  }
};

/// The signs that the pivots of a quasi-definite matrix have in any order. Each is taken where it stands.
/// Source  Vanderbei, Symmetric quasidefinite matrices, SIAM J. Optim. 5 (1995); Saunders, Cholesky-based methods for sparse least
///         squares: the benefits of regularization (1996), for the shift
template <class T>
struct PivotSigns {
  const std::int8_t* sign = nullptr;  ///< of each variable of a panel, +1 or -1; null: they are not known
  const double* size = nullptr;       ///< the largest entry of each one's row
  double shift = 0;                   ///< x size x sign is added to each pivot
  double least = 0;  ///< x size: pivots below it are replaced, and those of the wrong sign turned round,
  double replacement =
      0;  ///< by, or to at least, this x size. (Small in the place of large, they would let L grow.)

  explicit operator bool() const { return sign != nullptr; }
  /// Those of the variables from `first` on.
  PivotSigns from(Index first) const {
    return sign == nullptr ? *this : PivotSigns{sign + first, size + first, shift, least, replacement};
  }
  /// The pivot of variable k in the place of a. What is not finite stays so, and is refused later.
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
