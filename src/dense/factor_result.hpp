#pragma once
#include "overlapack/figures.hpp"

namespace overlapack::dense {

/// What a factorisation tells of itself, on every rank; counters of what happened on this one.
struct FactorResult : DenseCounters {
  /// 0, or as LAPACK's info > 0. LU: the 1-based number of the first zero pivot, U is singular. Cholesky: the order of the
  /// first leading minor that is not positive definite; the factors are not complete.
  Index info = 0;
};

}  // namespace overlapack::dense
