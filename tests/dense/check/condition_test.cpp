#include "dense/lu/solve/condition.hpp"

#include "dense/distributed.hpp"
#include "dense/lu/lu.hpp"
#include "dense/lu/solve/determinant.hpp"
#include "dense/lu/solve/solve.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "engine.hpp"

#include <algorithm>

/// What is computed from factors: determinant, condition numbers, solves of vectors that every rank has; rank functions.
namespace overlapack::dense::testing {
namespace {

using comm::conformance::on_each_team;
using kernels::Op;

template <class T>
class FactorsOf : public ::testing::Test {};
using ConditionTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FactorsOf, ConditionTypes);

/// A matrix and its LU on a grid.
template <class T>
struct Problem {
  template <class Entry>
  Problem(comm::Rank& rank, const dist::ProcessGrid& grid, Index n, Index block, Entry&& at)
      : A(make<T>(grid, rank.rank(), {n, block, grid.rows()}, {n, block, grid.cols()}, at)),
        LU(make<T>(grid, rank.rank(), {n, block, grid.rows()}, {n, block, grid.cols()}, at)),
        pivots(static_cast<std::size_t>(n)) {
    result = lu_factor(rank, LU.A, std::span<Index>(pivots), {});
    sizes = entry_sizes<T>(rank, A.A, columns_of(A.A), {0}, {n});
  }
  double condition(comm::Rank& rank) const {
    const Index n = A.A.n();
    const auto solve = [&](kernels::Op op, std::span<T> x) {
      lu_solve<T>(rank, op, LU.A, pivots, MatrixView<T>{x.data(), n, 1, n}, {});
      const comm::Body all = comm::collective::broadcast(
          rank, 0, rank.rank() == 0 ? comm::Body::copy_of(std::span<const T>(x)) : comm::Body());
      std::ranges::copy(all.as<T>(), x.begin());
    };
    return scaled_condition<T>(rank, A.A, kernels::Op::none, sizes, solve);
  }
  PivotShare share(comm::Rank& rank) const {
    return smallest_pivot_share(rank, sizes, LU.A, std::span<const Index>(pivots));
  }

  Owned<T> A, LU;
  std::vector<Index> pivots;
  EntrySizes sizes;
  FactorResult result;
};

/// All ranks, as square as they go; and, where there are several, all but one.
std::vector<dist::ProcessGrid> grids_of_condition_tests(int ranks) {
  std::vector<dist::ProcessGrid> all{dist::squarest_grid(ranks, dist::GridOrder::row_major)};
  if (ranks > 1) all.emplace_back(1, ranks - 1, dist::GridOrder::row_major, ranks);
  return all;
}

template <class T>
T value_of(const ScaledNumber<T>& number) {
  return number.mantissa * static_cast<Real<T>>(std::ldexp(1.0, static_cast<int>(number.exponent)));
}

/// By expansion along the first row: the definition.
template <class T>
std::complex<double> slow_determinant(const std::vector<std::vector<T>>& A) {
  if (A.empty()) return 1;
  std::complex<double> sum = 0;
  for (std::size_t j = 0; j < A.size(); ++j) {
    std::vector<std::vector<T>> minor;
    for (std::size_t i = 1; i < A.size(); ++i) {
      minor.push_back(A[i]);
      minor.back().erase(minor.back().begin() + static_cast<std::ptrdiff_t>(j));
    }
    sum += (j % 2 == 0 ? 1.0 : -1.0) * std::complex<double>(A[0][j]) * slow_determinant(minor);
  }
  return sum;
}

TYPED_TEST(FactorsOf, DeterminantIsThatOfTheDefinition) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    for (const dist::ProcessGrid& grid : grids_of_condition_tests(rank.size()))
      for (const Index n : {1, 2, 5, 6}) {
        std::vector<std::vector<T>> A(n, std::vector<T>(n));
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) A[i][j] = entry<T>(9, i, j);
        const Problem<T> p(rank, grid, n, 2, [](Index i, Index j) { return entry<T>(9, i, j); });
        const std::complex<double> det(value_of(lu_determinant<T>(rank, p.LU.A, p.pivots)));
        // the determinant of A + E, |E| <= n eps |L||U|; its terms are at most n! 2^(n/2) <= 6e3
        EXPECT_LE(std::abs(det - slow_determinant(A)), 6e3 * 4 * n * eps<T>()) << n;
      }
  });
}

TYPED_TEST(FactorsOf, DeterminantOverflowsNowhereAndKnowsZero) {
  using T = TypeParam;
  const Index n = 300;
  const auto large = static_cast<Real<T>>(std::ldexp(1.0, 100));
  on_each_team([&](comm::Rank& rank) {
    for (const dist::ProcessGrid& grid : grids_of_condition_tests(rank.size())) {
      const Problem<T> diagonal(rank, grid, n, 16,
                                [&](Index i, Index j) { return i == j ? T(large) : T(0); });
      const auto det = lu_determinant<T>(rank, diagonal.LU.A, diagonal.pivots);
      EXPECT_EQ(det.mantissa, T(Real<T>(0.5)));
      EXPECT_EQ(det.exponent, 100 * n + 1);
      // a cycle of three rows is even, an exchange of two is odd
      const Problem<T> swapped(
          rank, grid, 4, 2, [](Index i, Index j) { return T((i ^ 1) == j && i < 2 ? 1 : i == j && i > 1); });
      EXPECT_EQ(value_of(lu_determinant<T>(rank, swapped.LU.A, swapped.pivots)), T(-1));
      const Problem<T> zero(rank, grid, 3, 2, [](Index, Index) { return T(0); });
      EXPECT_EQ(lu_determinant<T>(rank, zero.LU.A, zero.pivots).mantissa, T(0));
    }
  });
}

/// || |C A^{-1}| |A C^{-1}| ||_oo from the columns of the inverse.
template <class T>
struct SlowCondition {
  double scaled = 0;
  SlowCondition(const std::vector<T>& inverse, const std::vector<T>& A, const std::vector<double>& C) {
    const std::size_t n = C.size();
    std::vector<double> rows(n);
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += std::abs(A[j + k * n]) / C[k];
      for (std::size_t i = 0; i < n; ++i) rows[i] += C[i] * std::abs(inverse[i + j * n]) * sum;
    }
    scaled = *std::ranges::max_element(rows);
  }
};

TYPED_TEST(FactorsOf, ScaledConditionNumbersAreThoseOfTheInverseOrALittleBelow) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    for (const dist::ProcessGrid& grid : grids_of_condition_tests(rank.size()))
      for (const Index n : {1, 2, 20}) {
        const Problem<T> p(rank, grid, n, 4,
                           [](Index i, Index j) { return entry<T>(4, i, j) + T(i == j ? 2 : 0); });
        std::vector<T> inverse(n * n, T(0));
        for (Index i = 0; i < n; ++i) inverse[i + i * n] = T(1);
        lu_solve<T>(rank, Op::none, p.LU.A, p.pivots, MatrixView<T>{inverse.data(), n, n, n}, {});
        const std::vector<T> A = collected(rank, p.A.A);
        const double scaled = p.condition(rank);
        if (!grid.holds(rank.rank())) continue;
        const SlowCondition<T> slow(inverse, A, p.sizes.col_max);
        const double slack = 1 + 100 * static_cast<double>(n) * eps<T>();
        EXPECT_LE(scaled, slow.scaled * slack) << n;  // estimated from below
        EXPECT_GE(scaled, slow.scaled / 3) << n;
      }
  });
}

/// Scaling rows and columns by powers of two changes neither the share of a pivot nor the scaled condition.
TYPED_TEST(FactorsOf, ScalingDoesNotMakeAMatrixSuspicious) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    const dist::ProcessGrid grid = grids_of_condition_tests(rank.size()).back();
    const auto plain = [](Index i, Index j) { return entry<T>(6, i, j) + T(i == j ? 3 : 0); };
    const auto scaled = [&](Index i, Index j) {
      return plain(i, j) *
             static_cast<Real<T>>(std::ldexp(1.0, static_cast<int>(10 * (j % 3) - 10 * (i % 2))));
    };
    const Problem<T> p(rank, grid, 12, 4, plain), q(rank, grid, 12, 4, scaled);
    EXPECT_GT(p.share(rank).share, 0.1);
    EXPECT_GT(q.share(rank).share, 1e-3);
    const double a = p.condition(rank), b = q.condition(rank);
    EXPECT_LE(b, 3 * a);
    EXPECT_GE(b, a / 3);
    // a row that is the sum of the others, but for rounding
    const auto dependent = [&](Index i, Index j) {
      T sum(0);
      for (Index k = 0; i == 5 && k < 12; ++k) sum += k == 5 ? T(0) : plain(k, j);
      return i == 5 ? sum : plain(i, j);
    };
    const Problem<T> s(rank, grid, 12, 4, dependent);
    EXPECT_LT(s.share(rank).share, 1000 * 12 * eps<T>());
    const Index info =
        comm::collective::all_reduce(rank, s.result.info, [](Index x, Index y) { return std::max(x, y); });
    if (info == 0) {
      EXPECT_GT(s.condition(rank), 0.1 / eps<T>() / 12);
    }
  });
}

TYPED_TEST(FactorsOf, SolveVectorsThatEveryRankHas) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    for (const dist::ProcessGrid& grid : grids_of_condition_tests(rank.size()))
      for (const Op op : {Op::none, Op::trans, Op::conj_trans}) {
        const Index n = 21, nrhs = 5;
        const Problem<T> p(rank, grid, n, 4,
                           [](Index i, Index j) { return entry<T>(8, i, j) + T(i == j ? 4 : 0); });
        const std::vector<T> A = collected(rank, p.A.A);
        std::vector<T> X;
        for (Index k = 0; k < n * nrhs; ++k) X.push_back(entry<T>(2, k, 0));
        const std::vector<T> B = X;
        lu_solve<T>(rank, op, p.LU.A, p.pivots, MatrixView<T>{X.data(), n, nrhs, n}, {.rhs_block = 2});
        if (!grid.holds(rank.rank())) continue;
        for (Index k = 0; k < nrhs; ++k)
          for (Index i = 0; i < n; ++i) {
            T r = B[i + k * n];
            double w = std::abs(r);
            for (Index j = 0; j < n; ++j) {
              const T a = op == Op::none    ? A[i + j * n]
                          : op == Op::trans ? A[j + i * n]
                                            : conjugate(A[j + i * n]);
              r -= a * X[j + k * n];
              w += std::abs(a) * std::abs(X[j + k * n]);
            }
            // |r| <= 3 n eps |L||U||x| (Higham 2002, theorem 9.4), |L||U| <= n |A| here
            EXPECT_LE(std::abs(r), 3 * n * n * eps<T>() * w);
          }
      }
  });
}

}  // namespace
}  // namespace overlapack::dense::testing
