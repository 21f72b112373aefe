#include "dense/check/entry_sizes.hpp"
#include "dense/check/random_matrix.hpp"
#include "dense/check/residual.hpp"
#include "dense/check/residual_norms.hpp"
#include "dense/distributed.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "engine.hpp"

#include <algorithm>

/// Random matrices, residuals and norms on grids that leave ranks out, with blocks that do not divide; rank functions.
namespace overlapack::dense::testing {
namespace {

using comm::conformance::on_each_team;
using kernels::Op;

template <class T>
class CheckOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CheckOf, Types);

/// 1 x 1, all in a row, all in a column, and as square as they go.
std::vector<dist::ProcessGrid> grids(int ranks) {
  using enum dist::GridOrder;
  return {{1, 1, row_major, ranks},
          {1, ranks, row_major, ranks},
          {ranks, 1, column_major, ranks},
          dist::squarest_grid(ranks, row_major)};
}

template <class T>
dist::OwnedMatrix<T> random_matrix(const dist::ProcessGrid& grid, int rank, Index m, Index n, Index block) {
  dist::OwnedMatrix<T> A(grid, rank, {.size = m, .block = block, .processes = grid.rows()},
                         {.size = n, .block = block, .processes = grid.cols()});
  random_columns<T>(7, A.view(), 0, A.view().local);
  return A;
}

/// The whole random matrix by columns, made on one process.
template <class T>
std::vector<T> whole_random(Index m, Index n) {
  const dist::ProcessGrid alone(1, 1, {0}, 1);
  const auto A = random_matrix<T>(alone, 0, m, n, 5);
  std::vector<T> values;
  for (Index j = 0; j < n; ++j)
    values.insert(values.end(), A.view().local.column(j), A.view().local.column(j) + m);
  return values;
}

TYPED_TEST(CheckOf, TheRandomMatrixIsTheSameOnEveryGrid) {
  using T = TypeParam;
  const Index m = 23, n = 17;
  const std::vector<T> expected = whole_random<T>(m, n);
  for (const T& value : expected) {
    EXPECT_LE(std::abs(std::real(value)), 0.5);
    EXPECT_LE(std::abs(std::imag(value)), 0.5);
  }
  on_each_team([&](comm::Rank& rank) {
    for (const dist::ProcessGrid& grid : grids(rank.size()))
      for (const Index block : {1, 4, 30}) {
        const auto A = random_matrix<T>(grid, rank.rank(), m, n, block);
        EXPECT_EQ(collected(rank, A.view()), expected)
            << grid.rows() << " x " << grid.cols() << ", block " << block;
        RandomColumns<T> again(7, A.view());
        for (Index j = 0; j < A.view().local.cols; ++j) {
          const MatrixView<const T> column = again(j, 1);
          EXPECT_TRUE(std::equal(column.data, column.data + column.rows, A.view().local.column(j)));
        }
      }
  });
}

TYPED_TEST(CheckOf, EntriesOfDifferentPositionsDiffer) {
  using T = TypeParam;
  std::vector<T> values = whole_random<T>(40, 40);
  const auto by_parts = [](const T& a, const T& b) {
    return std::pair(std::real(a), std::imag(a)) < std::pair(std::real(b), std::imag(b));
  };
  std::ranges::sort(values, by_parts);
  EXPECT_EQ(std::ranges::adjacent_find(values), values.end());  // 1600 draws of 24 bits and more
}

TYPED_TEST(CheckOf, SumsAndMaximaOfARangeOfColumns) {
  using T = TypeParam;
  const Index m = 19, n = 21, begin = 3, end = 20;
  const std::vector<T> A = whole_random<T>(m, n);
  std::vector<double> row_sum(m), row_max(m), col_sum(n), col_max(n);
  for (Index j = begin; j < end; ++j)
    for (Index i = 0; i < m; ++i) {
      const double size = std::abs(A[i + j * m]);
      row_sum[i] += size, col_sum[j] += size;
      row_max[i] = std::max(row_max[i], size), col_max[j] = std::max(col_max[j], size);
    }
  on_each_team([&](comm::Rank& rank) {
    for (const dist::ProcessGrid& grid : grids(rank.size())) {
      const auto part = random_matrix<T>(grid, rank.rank(), m, n, 4);
      const EntrySizes sizes = entry_sizes<T>(rank, part.view(), columns_of(part.view()), {begin}, {end});
      EXPECT_EQ(sizes.row_max, row_max);
      EXPECT_EQ(sizes.col_max, col_max);
      for (Index i = 0; i < m; ++i) EXPECT_NEAR(sizes.row_sum[i], row_sum[i], n * eps<double>() * n);
      for (Index j = 0; j < n; ++j) EXPECT_NEAR(sizes.col_sum[j], col_sum[j], m * eps<double>() * m);
      EXPECT_NEAR(sizes.norm_one(), *std::ranges::max_element(col_sum), m * eps<double>() * m);
    }
  });
}

TYPED_TEST(CheckOf, ResidualsOfAAndItsTransposes) {
  using T = TypeParam;
  const Index m = 26, n = 33, nrhs = 3;
  const std::vector<T> A = whole_random<T>(m, n);
  on_each_team([&](comm::Rank& rank) {
    for (const dist::ProcessGrid& grid : grids(rank.size()))
      for (const Op op : {Op::none, Op::trans, Op::conj_trans}) {
        const Index rows = op == Op::none ? m : n, cols = op == Op::none ? n : m;
        std::vector<T> X;
        for (Index k = 0; k < nrhs; ++k)
          for (Index j = 0; j < cols; ++j) X.push_back(entry<T>(3, j, k));
        std::vector<kernels::WideScalar<T>> R(rows * nrhs, kernels::WideScalar<T>(1));
        std::vector<Real<T>> W(rows * nrhs, Real<T>(1));
        const auto part = random_matrix<T>(grid, rank.rank(), m, n, 4);
        residual<T>(rank, op, part.view(), columns_of(part.view()), {X.data(), cols, nrhs, cols},
                    {R.data(), rows, nrhs, rows}, {W.data(), rows, nrhs, rows});
        if (rank.rank() != 0) continue;
        for (Index k = 0; k < nrhs; ++k)
          for (Index i = 0; i < rows; ++i) {
            std::complex<long double> r = 1;
            double w = 1;
            for (Index j = 0; j < cols; ++j) {
              const T a = op == Op::none    ? A[i + j * m]
                          : op == Op::trans ? A[j + i * m]
                                            : conjugate(A[j + i * m]);
              r -= std::complex<long double>(a) * std::complex<long double>(X[j + k * cols]);
              w += std::abs(a) * std::abs(X[j + k * cols]);
            }
            // sums of at most 34 terms, in the longer format: 34 roundings of it, and one of the comparison
            const double wide = std::numeric_limits<kernels::Wide<T>>::epsilon();
            EXPECT_LE(std::abs(std::complex<long double>(R[i + k * rows]) - r), 4 * cols * wide * w);
            EXPECT_NEAR(W[i + k * rows], w, 4 * cols * eps<T>() * w);
          }
      }
  });
}

/// x = 0 leaves b as the residual, and the norms are those of A and b.
TYPED_TEST(CheckOf, NormsOfAnAugmentedMatrix) {
  using T = TypeParam;
  const Index n = 15;
  const std::vector<T> A = whole_random<T>(n, n + 1);
  on_each_team([&](comm::Rank& rank) {
    const dist::ProcessGrid grid = dist::squarest_grid(rank.size(), dist::GridOrder::row_major);
    const auto Ab = random_matrix<T>(grid, rank.rank(), n, n + 1, 4);
    RandomColumns<T> again(7, Ab.view());
    std::vector<T> x(n, T(0));
    ResidualNorms norms = residual_norms<T>(rank, Ab.view(), again, x);
    if (rank.rank() == 0) {
      double b = 0;
      for (Index i = 0; i < n; ++i) b = std::max<double>(b, std::abs(A[i + n * n]));
      EXPECT_EQ(norms.b_inf, b);
      EXPECT_EQ(norms.x_inf, 0);
      EXPECT_NEAR(norms.residual, b, eps<T>());
      EXPECT_NEAR(norms.backward_error, 1, eps<T>());
      EXPECT_NEAR(norms.scaled(n, 0.5), norms.residual / (0.5 * b * n), 4 * eps<T>());
    }
    x[2] = T(4);  // r = b - 4 a_2
    norms = residual_norms<T>(rank, Ab.view(), again, x);
    if (rank.rank() == 0) {
      double most = 0;
      for (Index i = 0; i < n; ++i)
        most = std::max<double>(most, std::abs(A[i + n * n] - T(4) * A[i + 2 * n]));
      EXPECT_NEAR(norms.residual, most, 8 * eps<T>());
      EXPECT_EQ(norms.x_one, 4);
    }
  });
}

TEST(ResidualNorms, OfNoEquations) { EXPECT_EQ(ResidualNorms{}.scaled(0, 1e-16), 0); }

}  // namespace
}  // namespace overlapack::dense::testing
