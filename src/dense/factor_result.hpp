#pragma once
#include "overlapack/dense_figures.hpp"

namespace overlapack::dense {

/// Result of a factorisation, on every rank; the counters are this rank's.
struct FactorResult : DenseCounters {
  /// LAPACK's info: 0, or > 0 as follows. LU: the 1-based number of the first zero pivot, so that U is singular. Cholesky: the order of
  /// the first leading minor that is not positive definite; the factors are then not complete.
  Index info = 0;
};

}  // namespace overlapack::dense
