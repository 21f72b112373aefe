#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "engine.hpp"
#include "iterative/driver/iterate.hpp"
#include "iterative/jacobi/matrix_block.hpp"
#include "random_system.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace overlapack::comm::conformance {
namespace {

using iterative::IterationPlan;
using iterative::MatrixBlock;
using iterative::Variant;

/// A and b on rank 0, rows distributed as `owner` says; the residual that is told is compared with that of the collected vector,
/// to 10 eps of the type times the size of the terms of a row (bounded by 1e4 here).
template <class T>
iterative::IterationResult<T> iterate_and_check(Rank& rank, const SparseMatrix<T>& A, const std::vector<T>& b,
                                                const std::vector<int>& owner, const IterationPlan& plan) {
  MatrixBlock<T> block(rank, rank.rank() == 0 ? &A : nullptr, owner);
  block.distribute_source(rank, rank.rank() == 0 ? b.data() : nullptr);
  auto result = iterative::iterate(rank, block, plan);
  const std::vector<T> x = block.gather_on_root(rank, result.x);
  if (rank.rank() == 0) {
    const double eps = std::numeric_limits<Real<T>>::epsilon();
    EXPECT_NEAR(result.residual, relative_residual(A, x, b), 1e5 * eps * (1 + result.residual));
  }
  return result;
}

template <class T>
void solve_random_systems() {
  on_each_team([](Rank& rank) {
    for (const Index n : {0, 1, 5, 60})
      for (const Variant variant : {Variant::sync, Variant::async, Variant::racy}) {
        if (variant == Variant::racy && ScalarTraits<T>::is_complex) continue;
        const SparseMatrix<T> A = random_matrix<T>(n, 1.5, 11);
        Random random(12);
        std::vector<T> b;
        for (Index i = 0; i < n; ++i) b.push_back(random_number<T>(random));
        const double tolerance = 1e3 * std::numeric_limits<Real<T>>::epsilon();
        const auto result = iterate_and_check(
            rank, A, b, distributed(n, rank.size(), 13),
            {.variant = variant, .in_flight = 2, .tolerance = tolerance, .residual_period = 4});
        EXPECT_TRUE(result.has_converged) << n;
        EXPECT_LE(result.residual, tolerance) << n;
      }
  });
}

TEST(MatrixJacobi, Float) { solve_random_systems<float>(); }
TEST(MatrixJacobi, Double) { solve_random_systems<double>(); }
TEST(MatrixJacobi, ComplexFloat) { solve_random_systems<std::complex<float>>(); }
TEST(MatrixJacobi, ComplexDouble) { solve_random_systems<std::complex<double>>(); }

// Side by side they get the same bits as one by one, and a residual that is that of all: the root of the sum of squares.
template <class T>
void sweep_columns() {
  constexpr Index n = 60;
  const SparseMatrix<T> A = random_matrix<T>(n, 1.5, 14);
  on_each_team([&](Rank& rank) {
    const bool is_root = rank.rank() == 0;
    MatrixBlock<T> block(rank, is_root ? &A : nullptr, distributed(n, rank.size(), 15));
    const IterationPlan plan{
        .variant = Variant::sync, .tolerance = 0, .max_iterations = 6, .residual_period = 6};
    for (const Index columns : {8, 2, 4}) {  // back and forth in width, too
      Random random(16);
      std::vector<T> b;
      for (Index i = 0; i < n * columns; ++i) b.push_back(random_number<T>(random));
      block.distribute_sources(
          rank, is_root ? b.data() : nullptr,
          is_root ? std::vector<double>(static_cast<std::size_t>(columns), 2.0) : std::vector<double>(),
          columns);
      const auto together = iterative::iterate(rank, block, plan);
      const std::vector<T> x = block.gather_on_root(rank, together.x);
      double squares = 0;
      for (Index c = 0; c < columns; ++c) {
        const std::vector<T> b_c(b.begin() + c * n, b.begin() + (c + 1) * n);
        block.distribute_source(rank, is_root ? b_c.data() : nullptr);
        const auto alone = iterative::iterate(rank, block, plan);
        EXPECT_EQ(alone.sends, together.sends);
        const std::vector<T> x_c = block.gather_on_root(rank, alone.x);
        if (!is_root) continue;
        EXPECT_TRUE(std::equal(x_c.begin(), x_c.end(), x.begin() + c * n)) << columns << ' ' << c;
        double norm = 0;
        for (const T& value : b_c) norm += std::norm(std::complex<double>(value));
        squares += alone.residual * alone.residual * norm / 4;
      }
      if (is_root) {
        EXPECT_NEAR(together.residual, std::sqrt(squares), 1e-5 * std::sqrt(squares));
      }
    }
  });
}

TEST(MatrixJacobi, FloatColumns) { sweep_columns<float>(); }
TEST(MatrixJacobi, DoubleColumns) { sweep_columns<double>(); }
TEST(MatrixJacobi, ComplexDoubleColumns) { sweep_columns<std::complex<double>>(); }

TEST(MatrixJacobi, UnderDelays) {
  const SparseMatrix<double> A = random_matrix<double>(30, 1.2, 21);
  const std::vector<double> b(30, 1.0);
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    on_each_team([&](Rank& engine) {
      CheckedRank rank(engine, {.seed = seed, .delay = 0.8});
      const auto result =
          iterate_and_check(rank, A, b, distributed(30, rank.size(), seed),
                            {.variant = Variant::async, .tolerance = 1e-10, .residual_period = 5});
      EXPECT_TRUE(result.has_converged);
      collective::barrier(rank);
    });
}

// The start vector, 0, has the residual 1; the iteration only makes it worse.
TEST(MatrixJacobi, DivergenceReturnsTheBestVector) {
  on_each_team([](Rank& rank) {
    const SparseMatrix<double> A = random_matrix<double>(40, 0.3, 31);
    const std::vector<double> b(40, 1.0);
    for (const Variant variant : {Variant::sync, Variant::async, Variant::racy}) {
      const auto result = iterate_and_check(rank, A, b, distributed(40, rank.size(), 32),
                                            {.variant = variant, .tolerance = 1e-10, .residual_period = 5});
      EXPECT_TRUE(result.has_diverged);
      EXPECT_FALSE(result.has_converged);
      EXPECT_LE(result.residual, 1);
    }
  });
}

TEST(MatrixJacobi, ASourceOfZeroIsSolvedAtOnce) {
  on_each_team([](Rank& rank) {
    const SparseMatrix<double> A = random_matrix<double>(20, 1.5, 41);
    for (const Variant variant : {Variant::sync, Variant::async}) {
      const auto result = iterate_and_check(rank, A, std::vector<double>(20, 0.0),
                                            distributed(20, rank.size(), 42), {.variant = variant});
      EXPECT_TRUE(result.has_converged);
      EXPECT_EQ(result.residual, 0);
    }
  });
}

// A residual of 0 is out of reach, so that the iteration ends where x stands still; rank 0 has all rows.
TEST(MatrixJacobi, RanksWithoutRowsEndWithTheOthers) {
  on_each_team([](Rank& rank) {
    const SparseMatrix<double> A = random_matrix<double>(20, 1.5, 61);
    for (const Variant variant : {Variant::sync, Variant::async}) {
      const auto result =
          iterate_and_check(rank, A, std::vector<double>(20, 1.0), std::vector<int>(20, 0),
                            {.variant = variant, .tolerance = 0, .residual_period = 1, .is_proven = true});
      EXPECT_TRUE(result.has_stagnated);
      EXPECT_LE(result.residual, 20 * std::numeric_limits<double>::epsilon());
    }
  });
}

TEST(MatrixJacobi, AZeroOnTheDiagonalIsAnErrorOnEveryRank) {
  each_team({}, [](Team& team) {
    try {
      team.run([&](Rank& rank) {
        SparseMatrix<double> A = random_matrix<double>(10, 1.5, 51);
        for (Index p = A.start[3]; p < A.start[4]; ++p)
          if (A.row[p] == 3) A.value[p] = 0;
        MatrixBlock<double>(rank, rank.rank() == 0 ? &A : nullptr, distributed(10, rank.size(), 52));
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::bad_input);
      EXPECT_NE(std::string(e.what()).find("row 3"), std::string::npos) << e.what();
    }
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
