#include "overlapack/generate.hpp"

#include "overlapack/error.hpp"
#include "sparse/generate/hexahedron.hpp"
#include "sparse/matching/maximum_product.hpp"
#include "sparse/matrix/canonical.hpp"
#include "sparse/matrix/random_sparse.hpp"
#include "sparse/matrix/symmetry.hpp"
#include "sparse/matrix/validate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace overlapack::sparse {
namespace {

using test::dense;

/// Pivots of Gaussian elimination with complete pivoting on a dense copy, largest first but for growth.
std::vector<double> complete_pivots(std::vector<double> a, Index n) {
  std::vector<double> pivots;
  for (Index k = 0; k < n; ++k) {
    Index best = k + k * n;
    for (Index j = k; j < n; ++j)
      for (Index i = k; i < n; ++i)
        if (std::fabs(a[i + j * n]) > std::fabs(a[best])) best = i + j * n;
    for (Index i = 0; i < n; ++i) std::swap(a[i + k * n], a[i + best / n * n]);
    for (Index j = 0; j < n; ++j) std::swap(a[k + j * n], a[best % n + j * n]);
    pivots.push_back(a[k + k * n]);
    if (pivots.back() == 0) return pivots;
    for (Index j = k + 1; j < n; ++j)
      for (Index i = k + 1; i < n; ++i) a[i + j * n] -= a[i + k * n] * a[k + j * n] / pivots.back();
  }
  return pivots;
}

/// Pivots of Gaussian elimination in the given order: all positive for a positive definite matrix only.
std::vector<double> diagonal_pivots(std::vector<double> a, Index n) {
  std::vector<double> pivots;
  for (Index k = 0; k < n; ++k) {
    pivots.push_back(a[k + k * n]);
    for (Index j = k + 1; j < n; ++j)
      for (Index i = k + 1; i < n; ++i) a[i + j * n] -= a[i + k * n] * a[k + j * n] / pivots.back();
  }
  return pivots;
}

TEST(Generate, EveryKindIsValidRegularAndReproducible) {
  for (const GeneratorKind& kind : generator_kinds()) {
    for (Index size : {1, 2, 3, 5}) {
      const auto A = generate(kind.name, size, 7);
      SCOPED_TRACE(std::string(kind.name) + " of size " + std::to_string(size));
      EXPECT_NO_THROW(validate(A));
      EXPECT_NO_THROW(require_square(A.rows, A.cols));
      EXPECT_TRUE(is_canonical(A));
      EXPECT_TRUE(has_symmetry(A, A.symmetry));
      EXPECT_EQ(maximum_product_matching(A).structural_rank, A.rows);
      const auto B = generate(kind.name, size, 7);
      EXPECT_EQ(A.row, B.row);
      EXPECT_EQ(A.value, B.value);
      if (A.rows <= 200) {
        const auto pivots = complete_pivots(dense(A), A.rows);
        // The border of "bordered" restores the rank that 1e-10 hides in the blocks.
        EXPECT_GT(std::fabs(pivots.back()), 1e-9 * std::fabs(pivots.front()));
      }
    }
  }
}

TEST(Generate, OneEntryOfFourOfAProcessHasItsMirrorImage) {
  const auto A = generate("process", 200);
  const std::vector<double> a = dense(A);
  Index mirrored = 0, all = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) {
      if (i == j || a[i + j * A.rows] == 0) continue;
      ++all;
      mirrored += a[j + i * A.rows] != 0;
    }
  EXPECT_NEAR(static_cast<double>(mirrored) / static_cast<double>(all), 0.25, 0.07);
}

TEST(Generate, RefusesUnknownKindsAndSizes) {
  EXPECT_THROW(generate("no such kind", 3), Error);
  EXPECT_THROW(generate("cube", 0), Error);
  EXPECT_THROW(generate("cube", Index{1} << 40), Error);
  try {
    generate("cubes", 3);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_input);
    EXPECT_NE(std::string(error.what()).find("bordered-symmetric"), std::string::npos);
  }
}

TEST(Generate, SeedsChangeTheRandomKinds) {
  for (const char* kind : {"bordered", "bordered-symmetric", "random", "dense"})
    EXPECT_NE(generate(kind, 4, 1).value, generate(kind, 4, 2).value) << kind;
}

TEST(Cube, InteriorRowHoldsTheElevenPointStencil) {
  const auto A = generate("cube", 5);
  const Index middle = 2 * 25 + 2 * 5 + 2;
  EXPECT_EQ(A.start[middle + 1] - A.start[middle], 11);
  EXPECT_EQ(A.rows, 125);
  EXPECT_EQ(A.nnz(), 5 * 13 * 13 + 2 * 4 * 25);  // per plane (3 k - 2)^2, between planes 2 (k - 1) k^2
  double sum = 0;
  for (Index p = A.start[middle]; p < A.start[middle + 1]; ++p) {
    sum += A.value[p];
    const Index distance = std::abs(A.row[p] - middle);
    const double expected = distance == 0                    ? 20.0 / 6 + 2
                            : distance == 25                 ? -1.0
                            : distance == 1 || distance == 5 ? -4.0 / 6
                                                             : -1.0 / 6;
    EXPECT_EQ(A.value[p], expected);
  }
  EXPECT_NEAR(sum, 0, 11 * 2.3e-16 * 6);  // a constant is harmonic; 11 roundings of numbers below 6
}

TEST(Cube, IsPositiveDefinite) {
  const auto A = generate("cube", 4);
  for (double pivot : diagonal_pivots(dense(A), A.rows)) EXPECT_GT(pivot, 0);
}

TEST(Convection, IsAnUnsymmetricMMatrix) {
  const auto A = generate("convection", 6);
  EXPECT_EQ(detect_symmetry(A), Symmetry::general);
  EXPECT_EQ(pattern_symmetry(A), 1.0);
  std::vector<double> row_sum(A.rows);
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      EXPECT_EQ(A.value[p] > 0, A.row[p] == j);
      row_sum[A.row[p]] += A.value[p];
    }
  for (double sum : row_sum) EXPECT_GT(sum, -7 * 2.3e-16 * 100);  // 7 roundings of numbers below 100
  EXPECT_GT(*std::max_element(row_sum.begin(), row_sum.end()), 0.5);
}

TEST(Elasticity, ElementHasSixRigidMotionsAndNoMore) {
  const ElementStiffness K = cube_stiffness({210e9, 0.3}, 0.01);
  std::vector<double> a;
  for (const auto& row : K) a.insert(a.end(), row.begin(), row.end());
  auto pivots = complete_pivots(a, 24);
  const double largest = std::fabs(pivots.front());
  const auto regular =
      std::count_if(pivots.begin(), pivots.end(), [&](double p) { return std::fabs(p) > 1e-6 * largest; });
  EXPECT_EQ(regular, 18);
  for (int d = 0; d < 3; ++d)  // translations give no force: 24 roundings of the largest entry
    for (int i = 0; i < 24; ++i) {
      double force = 0;
      for (int k = 0; k < 8; ++k) force += K[i][3 * k + d];
      EXPECT_NEAR(force, 0, 24 * 2.3e-16 * largest + 24e-12 * largest);
    }
}

/// A bar of one cube pulled along x with E = 1 and nu = 0 lengthens by force / E / edge.
TEST(Elasticity, ElementPullsLikeABar) {
  const ElementStiffness K = cube_stiffness({1.0, 0.0}, 2.0);
  for (int i = 0; i < 8; ++i) {
    double force = 0;
    for (int k = 0; k < 8; ++k)
      if (corner_x(k) == 1) force += K[3 * i][3 * k];
    EXPECT_NEAR(force, (corner_x(i) == 1 ? 1 : -1) * 2.0 / 4, 1e-12);  // area 4, strain 1/2, on four corners
  }
}

TEST(Elasticity, IsPositiveDefinite) {
  for (Index size : {1, 3}) {
    const auto A = generate("elasticity", size);
    EXPECT_EQ(detect_symmetry(A), Symmetry::symmetric);
    for (double pivot : diagonal_pivots(dense(A), A.rows)) EXPECT_GT(pivot, 0);
  }
}

TEST(Elasticity, ReachesTensOfThousandsOfUnknowns) {
  const auto A = generate("elasticity", 20);
  EXPECT_GT(A.rows, 20000);
  EXPECT_LT(A.rows, 100000);
}

TEST(Saddle, HasAZeroBlockAndBothSigns) {
  const auto A = generate("saddle", 2);
  const Index velocities = 3 * 2 * 9;
  EXPECT_EQ(A.rows, velocities + 26);
  const auto a = dense(A);
  for (Index j = velocities; j < A.cols; ++j)
    for (Index i = velocities; i < A.rows; ++i) EXPECT_EQ(a[i + j * A.rows], 0.0);
  const auto pivots = diagonal_pivots(a, A.rows);  // inertia: as many negative as pressures
  EXPECT_EQ(std::count_if(pivots.begin(), pivots.end(), [](double p) { return p < 0; }), 26);
}

TEST(Bordered, EachBlockHidesOneTinyPivotThatScalingDoesNotSee) {
  for (const char* kind : {"bordered", "bordered-symmetric"}) {
    const auto A = generate(kind, 10, 3);
    const Matching m = maximum_product_matching(A);
    const auto a = dense(A);
    for (Index block = 0; block < 10; ++block) {
      std::vector<double> b(24 * 24);
      double coupling = 0;
      for (Index j = 0; j < 24; ++j) {
        const Index col = block * 24 + j;
        for (Index i = 0; i < 24; ++i) {
          const Index row = block * 24 + i;
          b[i + 24 * j] = a[row + col * A.rows] * m.row_scale[row] * m.col_scale[col];
        }
        for (Index border = 240; border < A.rows; ++border)
          coupling = std::max(coupling,
                              std::fabs(a[border + col * A.rows]) * m.row_scale[border] * m.col_scale[col]);
      }
      const auto pivots = complete_pivots(b, 24);
      EXPECT_LT(std::fabs(pivots[23]), 1e-7);  // far below u = 0.01 times the coupling
      EXPECT_GT(std::fabs(pivots[22]), 1e-4);
      EXPECT_GT(coupling, 1e-2);
    }
  }
}

}  // namespace
}  // namespace overlapack::sparse
