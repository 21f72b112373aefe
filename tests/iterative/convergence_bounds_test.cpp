#include "iterative/jacobi/convergence_bounds.hpp"

#include "overlapack/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace overlapack::iterative {
namespace {

/// Columns of (row, value) pairs.
template <class T>
SparseMatrix<T> matrix(const std::vector<std::vector<std::pair<Index, T>>>& columns) {
  SparseMatrix<T> A;
  A.rows = A.cols = static_cast<Index>(columns.size());
  for (const auto& column : columns) {
    for (const auto& [i, value] : column) A.row.push_back(i), A.value.push_back(value);
    A.start.push_back(A.nnz());
  }
  return A;
}

/// Tridiagonal with `d` on and -1 beside the diagonal: rho = 2 cos(pi / (n + 1)) / d.
SparseMatrix<double> line(Index n, double d) {
  std::vector<std::vector<std::pair<Index, double>>> columns(static_cast<std::size_t>(n));
  for (Index j = 0; j < n; ++j) {
    if (j > 0) columns[j].push_back({j - 1, -1});
    columns[j].push_back({j, d});
    if (j + 1 < n) columns[j].push_back({j + 1, -1});
  }
  return matrix(columns);
}

TEST(ConvergenceBounds, EncloseTheRadius) {
  for (const Index n : {1, 2, 3, 10}) {
    for (const double d : {0.5, 1.0, 1.9, 4.0}) {
      const double radius = n == 1 ? 0 : 2 * std::cos(std::numbers::pi / static_cast<double>(n + 1)) / d;
      const RadiusBounds bounds = bound_radius(line(n, d), 200);
      EXPECT_LE(bounds.lower, radius * (1 + 1e-14)) << n << " " << d;
      EXPECT_GE(bounds.upper, radius * (1 - 1e-14)) << n << " " << d;
      EXPECT_EQ(bounds.is_divergent(), radius > 1 + 1e-9) << n << " " << d;
      EXPECT_EQ(bounds.is_convergent(), radius < 1 - 1e-9) << n << " " << d;
    }
  }
}

TEST(ConvergenceBounds, AcceptTheLaplacianByDominanceAlone) {
  EXPECT_TRUE(bound_radius(line(1000, 2), 1).is_irreducibly_dominant);
  EXPECT_TRUE(bound_radius(line(1000, 2), 1).is_convergent());
}

// No row larger than its diagonal, but a part that stands alone has rho = 1.
TEST(ConvergenceBounds, DoNotAcceptAReducibleMatrix) {
  const auto A = matrix<double>({{{0, 2}, {1, -2}}, {{0, -2}, {1, 2}}, {{2, 2}}});
  const RadiusBounds bounds = bound_radius(A, 50);
  EXPECT_FALSE(bounds.is_irreducibly_dominant);
  EXPECT_FALSE(bounds.is_convergent());
}

// The moduli count: M has the eigenvalues +-0.9 i, |M| has +-0.9 as well; with signs that cancel, rho(M) = 0 and rho(|M|) = 2.
TEST(ConvergenceBounds, AreThoseOfTheModuli) {
  using Z = std::complex<double>;
  const auto turn = matrix<Z>({{{0, Z(1)}, {1, Z(0, 0.9)}}, {{0, Z(0, 0.9)}, {1, Z(1)}}});
  EXPECT_NEAR(bound_radius(turn, 1).upper, 0.9, 1e-14);
  const auto nilpotent = matrix<double>({{{0, 1}, {1, 1}}, {{0, -1}, {1, -1}}});
  EXPECT_NEAR(bound_radius(nilpotent, 1).lower, 1, 1e-14);
}

TEST(ConvergenceBounds, NeedADiagonal) {
  const auto gap = matrix<double>({{{0, 1}}, {{0, 1}}});
  EXPECT_THROW(bound_radius(gap, 1), Error);
  EXPECT_EQ(bound_radius(matrix<double>({}), 1).upper, 0);
}

}  // namespace
}  // namespace overlapack::iterative
