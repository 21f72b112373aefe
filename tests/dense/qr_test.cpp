#include "dense/qr/qr.hpp"

#include "comm/wrap/checked.hpp"
#include "distributed.hpp"
#include "engine.hpp"

#include <algorithm>
#include <string>

/// Distributed QR against plain loops, on whichever engine the test was started with.
namespace overlapack::dense::testing {
namespace {

using comm::conformance::on_each_team;
using dist::GridOrder;
using kernels::Op;
using Wide = std::complex<double>;

template <class T>
class QrOf : public ::testing::Test {};
using QrTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(QrOf, QrTypes);

constexpr Index b = 4;

/// A whole matrix of wide numbers, by columns.
struct Plain {
  Index rows, cols;
  std::vector<Wide> values = std::vector<Wide>(static_cast<std::size_t>(rows * cols));
  Wide& operator()(Index i, Index j) { return values[static_cast<std::size_t>(i + j * rows)]; }
  Wide operator()(Index i, Index j) const { return values[static_cast<std::size_t>(i + j * rows)]; }
};

template <class T>
Plain plain(const std::vector<T>& values, Index rows) {
  Plain M{rows, static_cast<Index>(values.size()) / rows};
  std::ranges::copy(values, M.values.begin());
  return M;
}

/// Q = H_0 H_1 ... from the columns of V and the diagonal of S alone.
Plain explicit_q(const Plain& VR, const std::vector<Wide>& tau) {
  const Index m = VR.rows;
  Plain Q{m, m};
  for (Index i = 0; i < m; ++i) Q(i, i) = 1;
  for (auto j = static_cast<Index>(tau.size()); j-- > 0;)
    for (Index c = 0; c < m; ++c) {
      Wide product = Q(j, c);
      for (Index i = j + 1; i < m; ++i) product += std::conj(VR(i, j)) * Q(i, c);
      product *= tau[static_cast<std::size_t>(j)];
      Q(j, c) -= product;
      for (Index i = j + 1; i < m; ++i) Q(i, c) -= VR(i, j) * product;
    }
  return Q;
}

/// The largest |(X^H Y)(i, j) - (i == j)|.
double departure_from_identity(const Plain& X, const Plain& Y) {
  double most = 0;
  for (Index j = 0; j < Y.cols; ++j)
    for (Index i = 0; i < X.cols; ++i) {
      Wide sum = i == j ? -1 : 0;
      for (Index k = 0; k < X.rows; ++k) sum += std::conj(X(k, i)) * Y(k, j);
      most = std::max(most, std::abs(sum));
    }
  return most;
}

/// A matrix, what becomes of it, and S.
template <class T>
struct Factorized {
  Owned<T> A;
  std::vector<T> s;
  QrFactors<T> factors;
  FactorResult result;

  template <class Entry>
  Factorized(comm::Rank& rank, const dist::ProcessGrid& grid, Index m, Index n, const QrPlan& plan,
             Entry&& at)
      : A(make<T>(grid, rank.rank(), {m, b, grid.rows(), 1 % grid.rows()}, {n, b, grid.cols()}, at)),
        s(static_cast<std::size_t>(b * std::min(m, n))),
        factors{A.A, {s.data(), b, std::min(m, n), b}},
        result(qr_factor(rank, factors, plan)) {}

  std::vector<Wide> tau() const {
    std::vector<Wide> tau;
    for (Index j = 0; j < factors.S.cols; ++j) tau.push_back(Wide(factors.S(j % b, j)));
    return tau;
  }
};

template <class T, class Entry>
void expect_qr(comm::Rank& rank, const dist::ProcessGrid& grid, Index m, Index n, const QrPlan& plan,
               double size, Entry&& at) {
  Factorized<T> qr(rank, grid, m, n, plan, at);
  Owned<T> E = make<T>(grid, rank.rank(), qr.A.A.rows, {m, 5, grid.cols()},
                       [](Index i, Index j) { return T(i == j ? 1 : 0); });
  qr_multiply(rank, Op::none, qr.factors, E.A, plan);
  const Plain Q_applied = plain(collected(rank, E.A), m);
  qr_multiply(rank, Op::conj_trans, qr.factors, E.A, plan);
  const Plain back = plain(collected(rank, E.A), m), VR = plain(collected(rank, qr.A.A), m);
  if (!grid.holds(rank.rank())) return;

  const std::string what = std::to_string(m) + " x " + std::to_string(n) + " on " +
                           std::to_string(grid.rows()) + " x " + std::to_string(grid.cols());
  const Index panels = (std::min(m, n) + b - 1) / b;
  EXPECT_EQ(qr.result.panels, panels) << what;
  EXPECT_EQ(qr.result.panels_ahead, plan.depth == 0 ? 0 : panels - 1) << what;
  const Plain Q = explicit_q(VR, qr.tau());
  const double bound = 10 * static_cast<double>(m) * eps<T>();  // c m eps
  EXPECT_LE(departure_from_identity(Q, Q), bound) << what;
  EXPECT_LE(departure_from_identity(Q, Q_applied), bound) << what;  // S belongs to V and tau
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i < m; ++i) EXPECT_LE(std::abs(back(i, j) - Wide(i == j ? 1 : 0)), bound) << what;
  // |A - Q R| <= c m eps |A|, whose entries are below sqrt(2) size
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      Wide sum = -Wide(at(i, j));
      for (Index k = 0; k <= std::min(j, m - 1); ++k) sum += Q(i, k) * VR(k, j);
      EXPECT_LE(std::abs(sum), bound * size * std::sqrt(2.0 * static_cast<double>(m))) << what;
    }
}

template <class T>
void expect_random_qr(comm::Rank& rank, const dist::ProcessGrid& grid, Index m, Index n, const QrPlan& plan) {
  expect_qr<T>(rank, grid, m, n, plan, 1, [](Index i, Index j) { return entry<T>(1, i, j); });
}

TYPED_TEST(QrOf, AllGridsAndDepths) {
  on_each_team([](comm::Rank& rank) {
    struct Shape {
      Index m, n;
    };
    for (int p = 1; p <= rank.size(); ++p) {
      if (rank.size() % p != 0) continue;
      const dist::ProcessGrid grid(p, rank.size() / p, GridOrder::column_major, rank.size());
      for (const Shape& s : {Shape{1, 1}, {3, 3}, {4, 4}, {5, 4}, {4, 5}, {9, 1}, {22, 9}, {9, 22}, {26, 26}})
        for (const int depth : {0, 1, 3})
          expect_random_qr<TypeParam>(rank, grid, s.m, s.n, {.depth = depth, .smallest = 2, .tile = 5});
      expect_random_qr<TypeParam>(rank, grid, 30, 17, {.smallest = 1});
      expect_random_qr<TypeParam>(rank, grid, 30, 17, {.smallest = 100});
    }
  });
}

TEST(Qr, UnderDelaysAndReordering) {
  on_each_team([](comm::Rank& engine) {
    comm::CheckedRank rank(engine, {.seed = 11});
    for (const int depth : {0, 1, 2})
      expect_random_qr<double>(rank, dist::squarest_grid(rank.size(), GridOrder::row_major), 33, 29,
                               {.depth = depth, .smallest = 2, .tile = 4});
  });
}

TYPED_TEST(QrOf, ByPutsOnAllGrids) {
  on_each_team([](comm::Rank& rank) {
    for (int q = 1; q <= rank.size(); ++q)
      for (int p = 1; p * q <= rank.size(); ++p)  // also grids without some of the ranks
        for (const int depth : {0, 1})
          for (const Index m : {3, 9, 26})  // 3: less than a block
            expect_random_qr<TypeParam>(
                rank, dist::ProcessGrid(p, q, GridOrder::column_major, rank.size()), m, m > 3 ? 22 : 2,
                {.discipline = Discipline::onesided, .depth = depth, .smallest = 2, .tile = 5});
  });
}

TEST(Qr, ByPutsUnderDelaysAndReordering) {
  on_each_team([](comm::Rank& engine) {
    comm::CheckedRank rank(engine, {.seed = 12});
    const dist::ProcessGrid grid = dist::squarest_grid(rank.size(), GridOrder::row_major);
    const QrPlan plan{.discipline = Discipline::onesided, .smallest = 2, .tile = 4};
    expect_random_qr<double>(rank, grid, 33, 29, plan);
    Factorized<double> qr(rank, grid, 33, 29, plan, [](Index i, Index j) { return entry<double>(1, i, j); });
    EXPECT_EQ(qr.result.gets > 0, rank.size() > 1);
  });
}

TYPED_TEST(QrOf, GridsThatDoNotUseAllRanks) {
  on_each_team([](comm::Rank& rank) {
    expect_random_qr<TypeParam>(rank, dist::ProcessGrid(1, 1, GridOrder::row_major, rank.size()), 12, 7, {});
  });
}

/// Squares of the entries would overflow, or vanish; columns that differ by more than the range of squares; zeros.
TYPED_TEST(QrOf, EntriesNearTheEndsOfTheRange) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    const dist::ProcessGrid grid = dist::squarest_grid(rank.size(), GridOrder::row_major);
    const double most = std::sqrt(std::numeric_limits<Real<T>>::max());
    for (const double size : {64 * most, 1 / most / 64}) {
      const auto at = [&](Index i, Index j) { return entry<T>(1, i, j) * static_cast<Real<T>>(size); };
      expect_qr<T>(rank, grid, 14, 10, {}, size, at);
    }
    const auto graded = [&](Index i, Index j) {
      return entry<T>(1, i, j) * static_cast<Real<T>>(j % 3 == 0 ? 1 : 1 / most / 64);
    };
    expect_qr<T>(rank, grid, 14, 10, {}, 1, graded);
    expect_qr<T>(rank, grid, 9, 6, {}, 1, [](Index, Index) { return T(0); });
    expect_qr<T>(rank, grid, 9, 6, {}, 1, [](Index i, Index j) { return T(i == j ? -1 : 0); });
  });
}

/// A^H (B - A X) = 0, and what is left in B's last rows is as long as B - A X.
template <class T>
void expect_least_squares(comm::Rank& rank, const dist::ProcessGrid& grid, Index m, Index n,
                          Discipline discipline = Discipline::messages) {
  constexpr Index nrhs = 3;
  const QrPlan plan{.discipline = discipline, .smallest = 2, .rhs_block = 2};
  const auto at = [](Index i, Index j) { return entry<T>(3, i, j); };
  Factorized<T> qr(rank, grid, m, n, plan, at);
  Owned<T> B = make<T>(grid, rank.rank(), qr.A.A.rows, {nrhs, 2, grid.cols()},
                       [](Index i, Index j) { return entry<T>(4, i, j); });
  qr_least_squares(rank, qr.factors, B.A, plan);
  const Plain X = plain(collected(rank, B.A), m);
  const std::vector<double> ones(static_cast<std::size_t>(n), 1.0);
  const double share = smallest_diagonal_share<T>(rank, qr.factors, ones);
  const double condition = estimate_scaled_inverse_norm<T>(rank, qr.factors, ones, plan);
  EXPECT_GT(share, 0);
  EXPECT_GE(condition * share, 0.9);  // ||R^-1|| >= 1 / least |r_jj|
  if (!grid.holds(rank.rank())) return;
  // c m eps ||A|| (||A|| ||x|| + ||b||), entries are below sqrt(2)
  for (Index k = 0; k < nrhs; ++k) {
    double x_size = 0, rest = 0, length = 0;
    for (Index j = 0; j < n; ++j) x_size += std::abs(X(j, k));
    for (Index i = n; i < m; ++i) rest += std::norm(X(i, k));
    std::vector<Wide> r;
    for (Index i = 0; i < m; ++i) {
      Wide sum(entry<T>(4, i, k));
      for (Index j = 0; j < n; ++j) sum -= Wide(at(i, j)) * X(j, k);
      r.push_back(sum);
      length += std::norm(sum);
    }
    const double bound = 10 * static_cast<double>(m * m) * eps<T>() * (2 * x_size + 2);
    for (Index j = 0; j < n; ++j) {
      Wide sum = 0;
      for (Index i = 0; i < m; ++i) sum += std::conj(Wide(at(i, j))) * r[static_cast<std::size_t>(i)];
      EXPECT_LE(std::abs(sum), bound) << m << " x " << n;
    }
    EXPECT_NEAR(std::sqrt(rest), std::sqrt(length), bound) << m << " x " << n;
  }
}

TYPED_TEST(QrOf, LeastSquares) {
  on_each_team([](comm::Rank& rank) {
    for (int p = 1; p <= rank.size(); ++p)
      if (rank.size() % p == 0)
        for (const Index n : {1, 4, 13}) {
          const dist::ProcessGrid grid(p, rank.size() / p, GridOrder::row_major, rank.size());
          expect_least_squares<TypeParam>(rank, grid, 19, n);
          expect_least_squares<TypeParam>(rank, grid, n, n);
          expect_least_squares<TypeParam>(rank, grid, 19, n, Discipline::onesided);
        }
  });
}

TEST(Qr, DependentColumnsAreSeen) {
  on_each_team([](comm::Rank& rank) {
    const dist::ProcessGrid grid = dist::squarest_grid(rank.size(), GridOrder::row_major);
    constexpr Index m = 20, n = 9;
    const auto at = [](Index i, Index j) {
      return j == 7 ? 2 * entry<double>(5, i, 0) - entry<double>(5, i, 6) : entry<double>(5, i, j);
    };
    Factorized<double> qr(rank, grid, m, n, {}, at);
    const std::vector<double> ones(n, 1.0);
    EXPECT_LE(smallest_diagonal_share<double>(rank, qr.factors, ones), 100 * eps<double>());
    EXPECT_GE(estimate_scaled_inverse_norm<double>(rank, qr.factors, ones, {}), 0.01 / eps<double>());
  });
}

TEST(Qr, WhatDoesNotFitIsRefused) {
  comm::conformance::each_team({}, [](comm::Team& team) {
    const auto factor = [&](Index m, Index n, Index columns_of_s, Index col_block = b, Index block_of_B = b) {
      team.run([&](comm::Rank& rank) {
        const dist::ProcessGrid grid(1, rank.size(), GridOrder::row_major, rank.size());
        auto A = make<double>(grid, rank.rank(), {m, b, 1}, {n, col_block, rank.size()},
                              [](Index i, Index j) { return entry<double>(1, i, j); });
        std::vector<double> s(static_cast<std::size_t>(b * columns_of_s));
        const QrFactors<double> factors{A.A, {s.data(), b, columns_of_s, b}};
        qr_factor(rank, factors, {});
        auto B = make<double>(grid, rank.rank(), {m, block_of_B, 1}, {1, 1, rank.size()},
                              [](Index, Index) { return 1.0; });
        qr_least_squares(rank, factors, B.A, {});
      });
    };
    EXPECT_NO_THROW(factor(7, 5, 5));
    EXPECT_THROW(factor(7, 5, 4), Error);        // no room for S
    EXPECT_THROW(factor(5, 7, 5), Error);        // fewer rows than columns
    EXPECT_THROW(factor(7, 5, 5, 2), Error);     // blocks of 4 x 2
    EXPECT_THROW(factor(7, 5, 5, b, 3), Error);  // rows of B that are distributed in other blocks
  });
}

}  // namespace
}  // namespace overlapack::dense::testing
