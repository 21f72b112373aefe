#include "iterative/jacobi/convergence_bounds.hpp"

#include "overlapack/error.hpp"
#include "sparse/analysis/graph/strong_components.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

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

Components components(std::span<const Index> start, std::span<const Index> row) {
  std::vector<sparse::Node> same(start.size() - 1);
  std::iota(same.begin(), same.end(), sparse::Node{0});
  const sparse::StrongComponents found = sparse::strong_components(start, row, same);
  return {found.order, found.start};
}

template <class T>
RadiusBounds bounds_of(const SparseMatrix<T>& A, int steps) {
  return bound_radius(A, components, steps);
}

TEST(ConvergenceBounds, EncloseTheRadius) {
  for (const Index n : {1, 2, 3, 10}) {
    for (const double d : {0.5, 1.0, 1.9, 4.0}) {
      const double radius = n == 1 ? 0 : 2 * std::cos(std::numbers::pi / static_cast<double>(n + 1)) / d;
      const RadiusBounds bounds = bounds_of(line(n, d), 200);
      EXPECT_LE(bounds.lower, radius * (1 + 1e-14)) << n << " " << d;
      EXPECT_GE(bounds.upper, radius * (1 - 1e-14)) << n << " " << d;
      EXPECT_EQ(bounds.is_divergent(), radius > 1 + 1e-9) << n << " " << d;
      EXPECT_EQ(bounds.is_convergent, radius < 1 - 1e-9) << n << " " << d;
    }
  }
}

TEST(ConvergenceBounds, AcceptTheLaplacianByDominanceAlone) {
  EXPECT_TRUE(bounds_of(line(1000, 2), 1).is_convergent);
}

/// A ring: each unknown has the same sum of `others` beside its diagonal d.
template <class T>
SparseMatrix<T> ring(T d, const std::vector<T>& others) {
  const auto n = static_cast<Index>(others.size()) + 1;
  std::vector<std::vector<std::pair<Index, T>>> columns(static_cast<std::size_t>(n));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      columns[j].push_back({i, i == j ? d : others[static_cast<std::size_t>((i - j + n) % n - 1)]});
  return matrix(columns);
}

// 1 + 2^-54 + 2^-54 is rounded to 1 where the small ones come last: the sums are above the diagonal, which is not seen without
// their rounding. Of one row the diagonal is larger, so that nothing but these sums can refuse the proof.
TEST(ConvergenceBounds, RoundingProvesNothing) {
  const double small = 0x1p-54;
  auto A = ring<double>(1, {1, small, small});
  EXPECT_FALSE(bounds_of(A, 1).is_convergent);
  A.value[0] = 1 + 0x1p-52;
  EXPECT_FALSE(bounds_of(A, 1).is_convergent);
  // moduli of complex numbers are rounded, too
  using Z = std::complex<float>;
  auto B = ring<Z>(Z(5), {Z(3.0000002f, 4)});
  B.value[0] *= Z(1.0000002f);
  EXPECT_FALSE(bounds_of(B, 1).is_convergent);
}

// Sums that are equal to the diagonal without rounding, although their parts are rounded, are a proof with one larger diagonal.
TEST(ConvergenceBounds, SumsThatAreExactProve) {
  for (const double h : {1.0, 0.1, 1 / 0.3}) {
    auto A = ring<double>(4 * h, {h, h, h, h});
    EXPECT_FALSE(bounds_of(A, 1).is_convergent) << h;
    A.value[0] *= 1 + 0x1p-52;
    EXPECT_TRUE(bounds_of(A, 1).is_convergent) << h;
  }
}

TEST(ConvergenceBounds, AModulusThatOverflowsProvesNothing) {
  using Z = std::complex<double>;
  const Z large(1.5e308, 1.5e308);
  EXPECT_FALSE(bounds_of(matrix<Z>({{{0, large}, {1, large}}, {{0, large}, {1, large}}}), 5).is_convergent);
}

// No row larger than its diagonal, but a part that stands alone has rho = 1: known only up to rounding, and said so.
TEST(ConvergenceBounds, OneIsSaidToBeOne) {
  for (const auto& A : {matrix<double>({{{0, 2}, {1, -2}}, {{0, -2}, {1, 2}}, {{2, 2}}}),
                        matrix<double>({{{0, 1}, {1, 1}}, {{0, 1}, {1, -1}}})}) {
    const RadiusBounds bounds = bounds_of(A, 50);
    EXPECT_FALSE(bounds.is_convergent);
    EXPECT_FALSE(bounds.is_divergent());
    EXPECT_TRUE(bounds.is_one());
  }
  EXPECT_FALSE(bounds_of(line(10, 1.9), 1).is_one());
}

// A row that stands alone, such as a boundary condition, hides nothing: the radius is that of the other rows.
TEST(ConvergenceBounds, ARowAloneChangesNothing) {
  const RadiusBounds bounds = bounds_of(matrix<double>({{{0, 1}, {1, 5}}, {{0, 5}, {1, 1}}, {{2, 1}}}), 50);
  EXPECT_NEAR(bounds.lower, 5, 1e-12);
  EXPECT_TRUE(bounds.is_divergent());
}

// A triangle has no cycles: rho = 0 whatever its entries; an explicit zero makes no cycle.
TEST(ConvergenceBounds, OfATriangleAreZero) {
  std::vector<std::vector<std::pair<Index, double>>> columns(50);
  for (Index j = 0; j < 50; ++j) {
    if (j > 0) columns[j].push_back({j - 1, -10});
    columns[j].push_back({j, 1});
    if (j < 49) columns[j].push_back({j + 1, 0});
  }
  const RadiusBounds bounds = bounds_of(matrix(columns), 1);
  EXPECT_EQ(bounds.upper, 0);
  EXPECT_TRUE(bounds.is_convergent);
}

// Each component by itself: the first is dominated but for a row that needs the second, whose radius is 2 cos(pi / 4) / 1.5.
TEST(ConvergenceBounds, AreTheLargestOfTheComponents) {
  const auto A = matrix<double>({{{0, 4}, {1, -1}},
                                 {{0, -1}, {1, 4}},
                                 {{0, 100}, {2, 1.5}, {3, -1}},
                                 {{2, -1}, {3, 1.5}, {4, -1}},
                                 {{3, -1}, {4, 1.5}}});
  const RadiusBounds bounds = bounds_of(A, 200);
  const double radius = 2 * std::cos(std::numbers::pi / 4) / 1.5;
  EXPECT_TRUE(bounds.is_convergent);
  EXPECT_LE(bounds.lower, radius * (1 + 1e-14));
  EXPECT_GE(bounds.upper, radius * (1 - 1e-14));
}

// The moduli count: M has the eigenvalues +-0.9 i, |M| has +-0.9 as well; with signs that cancel, rho(M) = 0 and rho(|M|) = 2.
TEST(ConvergenceBounds, AreThoseOfTheModuli) {
  using Z = std::complex<double>;
  const auto turn = matrix<Z>({{{0, Z(1)}, {1, Z(0, 0.9)}}, {{0, Z(0, 0.9)}, {1, Z(1)}}});
  EXPECT_NEAR(bounds_of(turn, 1).upper, 0.9, 1e-14);
  const auto nilpotent = matrix<double>({{{0, 1}, {1, 1}}, {{0, -1}, {1, -1}}});
  EXPECT_NEAR(bounds_of(nilpotent, 1).lower, 1, 1e-14);
}

// Radii of 1e155 and 2: a quotient overflows, and products of the second step underflow.
TEST(ConvergenceBounds, ProveNothingByOverflowOrUnderflow) {
  const auto steep = matrix<double>({{{0, 1e-310}, {1, 1}}, {{0, 1}, {1, 1}}});
  EXPECT_FALSE(bounds_of(steep, 20).is_convergent);
  const auto wide = matrix<double>({{{0, 1}, {2, 8e250}}, {{0, 1e-150}, {1, 1}}, {{1, 1e-200}, {2, 1e-100}}});
  EXPECT_FALSE(bounds_of(wide, 20).is_convergent);
}

TEST(ConvergenceBounds, NeedADiagonal) {
  const auto gap = matrix<double>({{{0, 1}}, {{0, 1}}});
  EXPECT_THROW(bounds_of(gap, 1), Error);
  EXPECT_EQ(bounds_of(matrix<double>({}), 1).upper, 0);
}

}  // namespace
}  // namespace overlapack::iterative
