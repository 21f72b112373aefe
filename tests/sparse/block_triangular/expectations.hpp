#pragma once
#include "sparse/block_triangular/block_triangular.hpp"
#include "sparse/methods/make_factors.hpp"
#include "sparse/multifrontal/problems.hpp"

#include <gtest/gtest.h>

/// What factors by diagonal blocks must give.
namespace overlapack::sparse::testing {

using namespace block_triangular;

/// One for each rank.
template <class T>
std::vector<BlockTriangular<T>> empty_factors(int ranks) {
  std::vector<BlockTriangular<T>> factors;
  for (int r = 0; r < ranks; ++r) factors.emplace_back(make_factors<T>);
  return factors;
}

template <class T>
void expect_solves(comm::Rank& rank, BlockTriangular<T>& factors, const SparseMatrix<T>& A, Index nrhs) {
  for (const auto op : {kernels::Op::none, kernels::Op::trans, kernels::Op::conj_trans}) {
    const auto b = multiply(applied(A, op), random_vector<T>(nrhs * A.rows, 5), nrhs);
    auto x = b;  // in place
    factors.solve(rank, op, x.data(), x.data(), nrhs);
    if (rank.rank() == 0) {
      EXPECT_LE(backward_error(applied(A, op), x, b, nrhs), tolerance<T>(A.rows))
          << "op " << static_cast<int>(op);
    }
  }
}

template <class T>
void expect_determinant(comm::Rank& rank, const BlockTriangular<T>& factors, const SparseMatrix<T>& A) {
  const dense::ScaledNumber<T> det = factors.determinant(rank), expected = dense_determinant(A);
  const auto ratio =
      static_cast<Real<T>>(std::ldexp(1.0, static_cast<int>(det.exponent - expected.exponent)));
  EXPECT_LE(std::abs(det.mantissa * ratio - expected.mantissa), tolerance<T>(A.rows));
}

}  // namespace overlapack::sparse::testing
