#include "comm/wrap/checked.hpp"
#include "dense/cholesky/cholesky.hpp"
#include "dense/multiply/multiply.hpp"
#include "distributed.hpp"
#include "engine.hpp"

#include <algorithm>
#include <string>

/// Distributed products and Cholesky against plain loops, on whichever engine the test was started with.
namespace overlapack::dense::testing {
namespace {

using comm::conformance::on_each_team;
using dist::GridOrder;

template <class T>
class ProductOf : public ::testing::Test {};
using ProductTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ProductOf, ProductTypes);

template <class T>
void expect_product(comm::Rank& rank, const dist::ProcessGrid& grid, Index m, Index n, Index k,
                    const MultiplyPlan& plan) {
  const int P = grid.rows(), Q = grid.cols();
  auto A = make<T>(grid, rank.rank(), {m, 3, P, 1 % P}, {k, 5, Q},
                   [](Index i, Index j) { return entry<T>(1, i, j); });
  auto B = make<T>(grid, rank.rank(), {k, 5, P}, {n, 4, Q, 1 % Q},
                   [](Index i, Index j) { return entry<T>(2, i, j); });
  auto C = make<T>(grid, rank.rank(), {m, 3, P, 1 % P}, {n, 4, Q, 1 % Q},
                   [](Index i, Index j) { return entry<T>(3, i, j); });
  multiply(rank, T(2), A.A, B.A, C.A, plan);
  const std::vector<T> got = collected(rank, C.A);
  if (!grid.holds(rank.rank())) return;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      std::complex<double> sum(entry<T>(3, i, j));
      for (Index l = 0; l < k; ++l)
        sum += 2.0 * std::complex<double>(entry<T>(1, i, l)) * std::complex<double>(entry<T>(2, l, j));
      // |error| <= (k + 2) eps (|C| + 2 |A| |B|), entries are below sqrt(2)
      EXPECT_LE(std::abs(sum - std::complex<double>(got[static_cast<std::size_t>(i + j * m)])),
                (static_cast<double>(k) + 2) * eps<T>() * (2 + 4 * static_cast<double>(k)))
          << m << " x " << n << " x " << k << " on " << P << " x " << Q;
    }
}

TYPED_TEST(ProductOf, PanelsOnAllGrids) {
  on_each_team([](comm::Rank& rank) {
    for (int p = 1; p <= rank.size(); ++p)
      for (const Index depth : {0, 1, 3}) {
        if (rank.size() % p != 0) continue;
        const dist::ProcessGrid grid(p, rank.size() / p, GridOrder::column_major, rank.size());
        expect_product<TypeParam>(rank, grid, 14, 11, 17, {.depth = depth, .tile = 4});
        expect_product<TypeParam>(rank, grid, 1, 2, 3, {.depth = depth});
        expect_product<TypeParam>(rank, grid, 7, 5, 0, {.depth = depth});
      }
  });
}

TEST(Product, UnderDelaysAndReordering) {
  on_each_team([](comm::Rank& engine) {
    comm::CheckedRank rank(engine, {.seed = 4});
    expect_product<double>(rank, dist::squarest_grid(rank.size(), GridOrder::row_major), 20, 30, 40,
                           {.tile = 4});
  });
}

TEST(Product, ShapesThatDoNotFitAreRefused) {
  comm::conformance::each_team({}, [](comm::Team& team) {
    EXPECT_THROW(team.run([](comm::Rank& rank) {
      const dist::ProcessGrid grid(1, rank.size(), GridOrder::row_major, rank.size());
      const auto one = [](Index, Index) { return 1.0; };
      auto A = make<double>(grid, rank.rank(), {4, 2, 1}, {5, 2, rank.size()}, one);
      auto B = make<double>(grid, rank.rank(), {4, 2, 1}, {4, 2, rank.size()}, one);
      multiply(rank, 1.0, A.A, B.A, B.A, {});
    }),
                 Error);
    for (const auto& [block_of_A, block_of_B] :
         {std::pair{3, 2}, std::pair{2, 3}})  // rows or columns distributed otherwise than C's
      EXPECT_THROW(team.run([&](comm::Rank& rank) {
        const dist::ProcessGrid grid(1, rank.size(), GridOrder::row_major, rank.size());
        const auto one = [](Index, Index) { return 1.0; };
        auto A = make<double>(grid, rank.rank(), {4, block_of_A, 1}, {4, 2, rank.size()}, one);
        auto B = make<double>(grid, rank.rank(), {4, 2, 1}, {4, block_of_B, rank.size()}, one);
        auto C = make<double>(grid, rank.rank(), {4, 2, 1}, {4, 2, rank.size()}, one);
        multiply(rank, 1.0, A.A, B.A, C.A, {});
      }),
                   Error);
  });
}

TEST(Cholesky, WhatDoesNotFitIsRefused) {
  comm::conformance::each_team({}, [](comm::Team& team) {
    const auto factor_and_solve = [&](Index n, Index col_block, Index rows_of_B, const CholeskyPlan& plan) {
      team.run([&](comm::Rank& rank) {
        const dist::ProcessGrid grid(1, rank.size(), GridOrder::row_major, rank.size());
        auto A = make<double>(grid, rank.rank(), {6, 4, 1}, {n, col_block, rank.size()},
                              [](Index i, Index j) { return i == j ? 2.0 : 0.0; });
        auto B = make<double>(grid, rank.rank(), {rows_of_B, 4, 1}, {1, 1, rank.size()},
                              [](Index, Index) { return 1.0; });
        cholesky_factor(rank, A.A, plan);
        cholesky_solve(rank, A.A, B.A, plan);
      });
    };
    EXPECT_NO_THROW(factor_and_solve(6, 4, 6, {}));
    EXPECT_THROW(factor_and_solve(5, 4, 6, {}), Error);  // not square
    EXPECT_THROW(factor_and_solve(6, 3, 6, {}), Error);  // blocks of 4 x 3
    EXPECT_THROW(factor_and_solve(6, 4, 5, {}), Error);  // a right-hand side with fewer rows
  });
}

/// Hermitian and positive definite: |entries| <= sqrt(2), so the diagonal n + ... dominates.
template <class T>
T definite(Index i, Index j, Index n) {
  if (i == j) return T(static_cast<Real<T>>(2 * n));
  return i > j ? entry<T>(7, i, j) : conjugate(entry<T>(7, j, i));
}

/// A = L L^H or U^H U: entry (i, k) of L, or of U^H, from the stored triangle.
template <class T>
std::complex<double> factor_entry(const std::vector<T>& stored, Index n, bool is_upper, Index i, Index k) {
  const auto at = [&](Index r, Index c) {
    return std::complex<double>(stored[static_cast<std::size_t>(r + c * n)]);
  };
  return is_upper ? std::conj(at(k, i)) : at(i, k);
}

template <class T>
void expect_cholesky(comm::Rank& rank, const dist::ProcessGrid& grid, Index n, const CholeskyPlan& plan) {
  const int P = grid.rows(), Q = grid.cols();
  constexpr Index b = 4, nrhs = 3;
  // The other triangle has numbers of its own, which are not read.
  auto A = make<T>(grid, rank.rank(), {n, b, P, 1 % P}, {n, b, Q}, [&](Index i, Index j) {
    return i == j || (i < j) == plan.is_upper ? definite<T>(i, j, n) : entry<T>(9, i, j);
  });
  auto B = make<T>(grid, rank.rank(), {n, b, P, 1 % P}, {nrhs, 2, Q},
                   [](Index i, Index j) { return entry<T>(8, i, j); });
  const FactorResult result = cholesky_factor(rank, A.A, plan);
  const std::vector<T> F = collected(rank, A.A);
  cholesky_solve(rank, A.A, B.A, plan);
  const std::vector<T> X = collected(rank, B.A);
  if (!grid.holds(rank.rank())) return;
  const std::string what =
      "n = " + std::to_string(n) + " on " + std::to_string(P) + " x " + std::to_string(Q);
  EXPECT_EQ(result.info, 0) << what;
  EXPECT_EQ(result.panels_ahead, result.panels - 1) << what;
  // c n eps |A|
  const double bound = 10 * static_cast<double>(n + 1) * eps<T>() * 2 * static_cast<double>(n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) {
      std::complex<double> sum = 0;
      for (Index k = 0; k <= j; ++k)
        sum += factor_entry(F, n, plan.is_upper, i, k) * std::conj(factor_entry(F, n, plan.is_upper, j, k));
      EXPECT_LE(std::abs(sum - std::complex<double>(definite<T>(i, j, n))), bound) << what;
      if (plan.is_upper && i > j) {
        EXPECT_EQ(F[static_cast<std::size_t>(i + j * n)], entry<T>(9, i, j)) << what << ": below U";
      }
    }
  for (Index k = 0; k < nrhs; ++k)
    for (Index i = 0; i < n; ++i) {
      std::complex<double> r(entry<T>(8, i, k));
      for (Index j = 0; j < n; ++j)
        r -= std::complex<double>(definite<T>(i, j, n)) *
             std::complex<double>(X[static_cast<std::size_t>(j + k * n)]);
      EXPECT_LE(std::abs(r), bound) << what;  // |x| < 2 / n |b|: the matrix dominates
    }
}

TYPED_TEST(ProductOf, CholeskyOnAllGrids) {
  on_each_team([](comm::Rank& rank) {
    for (int p = 1; p <= rank.size(); ++p)
      for (const Index n : {1, 3, 4, 5, 22, 37})
        if (rank.size() % p == 0)
          for (const bool is_upper : {false, true})
            expect_cholesky<TypeParam>(
                rank, dist::ProcessGrid(p, rank.size() / p, GridOrder::row_major, rank.size()), n,
                {.is_upper = is_upper, .tile = 4});
  });
}

TEST(Cholesky, OfTheUpperTriangleInSupersteps) {
  on_each_team([](comm::Rank& rank) {
    // A grid without one of the ranks.
    const int q = rank.size() > 2 ? rank.size() - 1 : rank.size();
    expect_cholesky<std::complex<double>>(rank, dist::ProcessGrid(1, q, GridOrder::row_major, rank.size()),
                                          22, {.discipline = Discipline::superstep, .is_upper = true});
  });
}

TYPED_TEST(ProductOf, CholeskyByPutsOnAllGrids) {
  on_each_team([](comm::Rank& rank) {
    for (int q = 1; q <= rank.size(); ++q)
      for (int p = 1; p * q <= rank.size(); ++p)  // also grids without some of the ranks
        for (const Index n : {3, 22})
          for (const bool is_upper : {false, true})
            expect_cholesky<TypeParam>(rank, dist::ProcessGrid(p, q, GridOrder::row_major, rank.size()), n,
                                       {.discipline = Discipline::onesided, .is_upper = is_upper});
  });
}

TEST(Cholesky, ByPutsMakesTheSameBits) {
  on_each_team([](comm::Rank& rank) {
    const dist::ProcessGrid grid = dist::squarest_grid(rank.size(), GridOrder::row_major);
    const auto factors = [&](Discipline discipline) {
      auto A = make<double>(grid, rank.rank(), {30, 4, grid.rows()}, {30, 4, grid.cols()},
                            [](Index i, Index j) { return definite<double>(i, j, 30); });
      const FactorResult result = cholesky_factor(rank, A.A, {.discipline = discipline});
      const bool uses_windows = discipline == Discipline::onesided && rank.size() > 1;
      EXPECT_EQ(result.gets > 0, uses_windows);
      EXPECT_EQ(result.signals > 0, uses_windows);
      return collected(rank, A.A);
    };
    EXPECT_EQ(factors(Discipline::onesided), factors(Discipline::messages));
  });
}

TEST(Cholesky, UnderDelaysAndReordering) {
  on_each_team([](comm::Rank& engine) {
    for (const Discipline discipline : {Discipline::messages, Discipline::onesided}) {
      comm::CheckedRank rank(engine, {.seed = 9});
      expect_cholesky<double>(rank, dist::squarest_grid(rank.size(), GridOrder::row_major), 33,
                              {.discipline = discipline});
    }
  });
}

TEST(Cholesky, TheFirstMinorThatIsNotDefiniteIsReported) {
  on_each_team([](comm::Rank& rank) {
    const dist::ProcessGrid grid = dist::squarest_grid(rank.size(), GridOrder::row_major);
    constexpr Index n = 25, bad = 14;
    for (const bool is_upper : {false, true}) {
      auto A = make<double>(
          grid, rank.rank(), {n, 4, grid.rows()}, {n, 4, grid.cols()},
          [](Index i, Index j) { return i == j && i == bad ? -1.0 : definite<double>(i, j, n); });
      const Index info = cholesky_factor(rank, A.A, {.is_upper = is_upper}).info;
      if (grid.holds(rank.rank())) {
        EXPECT_EQ(info, bad + 1);
      }
    }
  });
}

}  // namespace
}  // namespace overlapack::dense::testing
