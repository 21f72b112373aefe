#pragma once
#include "problems.hpp"

/// What factors on the ranks of a team answer beside A x = b, against the obvious way.
namespace overlapack::sparse::testing {

template <class T, class Factors>
void expect_determinant(comm::Rank& rank, Factors& factors, const SparseMatrix<T>& A,
                        const dense::ScaledNumber<T>& expected) {
  const dense::ScaledNumber<T> det = factors.determinant(rank);
  const auto ratio = std::ldexp(1.0, static_cast<int>(det.exponent - expected.exponent));
  EXPECT_LE(std::abs(det.mantissa * static_cast<Real<T>>(ratio) - expected.mantissa), tolerance<T>(A.rows));
}

/// A^T X = B and A^H X = B in place.
template <class T, class Factors>
void expect_transposed_solves(comm::Rank& rank, Factors& factors, const SparseMatrix<T>& A, Index nrhs) {
  for (const auto op : {kernels::Op::trans, kernels::Op::conj_trans}) {
    const auto b = multiply(applied(A, op), random_vector<T>(nrhs * A.rows, 5), nrhs);
    auto x = b;
    factors.solve(rank, op, x.data(), x.data(), nrhs);
    const double error = rank.rank() == 0 ? backward_error(applied(A, op), x, b, nrhs) : 0;
    EXPECT_LE(error, tolerance<T>(A.rows));
  }
}

}  // namespace overlapack::sparse::testing
