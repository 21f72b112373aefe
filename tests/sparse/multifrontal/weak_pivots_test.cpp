#include "problems.hpp"

/// Pivots that are rounding, zero, or no numbers.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class WeakPivotsOf : public ::testing::Test {};
using WeakPivotTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(WeakPivotsOf, WeakPivotTypes);

/// Laplacians of `rings` rings, side by side: vectors that are constant on each are its null space.
template <class T>
SparseMatrix<T> laplacians(Index rings) {
  constexpr Index n = 20;
  Triplets<T> entries;
  entries.rows = entries.cols = rings * n;
  for (Index j = 0; j < rings * n; ++j) {
    const Index next = j / n * n + (j + 1) % n;
    entries.add(j, j, T(2));
    entries.add(next, j, T(-1));
    entries.add(j, next, T(-1));
  }
  auto A = compress(std::move(entries)).matrix;
  A.symmetry = Symmetry::symmetric;
  return A;
}

/// A dense matrix by its columns.
template <class T>
SparseMatrix<T> dense_matrix(Index n, const std::vector<T>& values) {
  Triplets<T> entries;
  entries.rows = entries.cols = n;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      if (values[i + j * n] != T(0)) entries.add(i, j, values[i + j * n]);
  return compress(std::move(entries)).matrix;
}

/// The kind of the error with which factorising ends, on every team.
template <class T>
void expect_refused(const SparseMatrix<T>& A, const AnalysisPlan& analysis, const FactorPlan& plan,
                    Status kind, const char* word) {
  each_team({}, [&](comm::Team& team) {
    try {
      run(team, A, analysis, plan, random_vector<T>(A.rows, 1), 1);
      ADD_FAILURE() << "it was factorised";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), kind) << error.what();
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  });
}

TEST(WeakPivots, SingularMatrixIsReportedOnEveryRank) {
  auto ones = dense_matrix<double>(
      3, std::vector<double>(9, 1));  // nothing is left after a pivot; of a ring, rounding
  ones.symmetry = Symmetry::symmetric;
  for (const SparseMatrix<double>& A : {laplacians<double>(2), ones})
    for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
      for (auto plan : {FactorPlan(), strips_plan(comm::ReceiveMode::immediate, 4)}) {
        plan.refuses_rounding = true;
        expect_refused(A, without_matching(kind), plan, Status::singular, "singular");
      }
}

/// It is no zero, which would be replaced, and no pivot either.
TEST(WeakPivots, APivotBelowTheNormalNumbersIsRefused) {
  auto A = dense_matrix<double>(2, {1, 0, 0, 1e-310});
  A.symmetry = Symmetry::symmetric;
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    AnalysisPlan analysis = without_matching(kind);
    analysis.scaling = ScalingKind::off;  // else it is brought to 1
    expect_refused(A, analysis, FactorPlan(), Status::singular, "singular");
  }
}

TYPED_TEST(WeakPivotsOf, NullPivotsGiveTheNullSpaceAndConsistentSolutions) {
  using T = TypeParam;
  for (const Index rings : {1, 3})
    for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
      for (FactorPlan plan : {FactorPlan(), strips_plan(comm::ReceiveMode::immediate, 4)}) {
        const SparseMatrix<T> A = laplacians<T>(rings);
        plan.keeps_null_pivots = true;
        const Analysis analysis = analyse(A, without_matching(kind));
        each_team({}, [&](comm::Team& team) {
          std::vector<Multifrontal<T>> factors(static_cast<std::size_t>(team.size()));
          team.run([&](comm::Rank& rank) {
            auto& mine = factors[static_cast<std::size_t>(rank.rank())];
            mine.factorize(rank, &analysis, &A, plan);
            EXPECT_EQ(mine.stats().pivots.null, rings);
            EXPECT_EQ(mine.determinant(rank).mantissa, T(0));
            for (const auto op : {kernels::Op::none, kernels::Op::trans, kernels::Op::conj_trans}) {
              std::vector<T> Z(static_cast<std::size_t>(rings * A.rows)), x;
              mine.null_space(rank, op, Z.data());
              const auto b = multiply(applied(A, op), random_vector<T>(A.rows, 5), 1);
              x = b;
              mine.solve(rank, op, x.data(), x.data(), 1);
              if (rank.rank() != 0) continue;
              EXPECT_LE(backward_error(applied(A, op), x, b, 1), tolerance<T>(A.rows));
              for (const T& image : multiply(applied(A, op), Z, rings))
                EXPECT_LE(std::abs(image), tolerance<T>(A.rows));
              for (Index k = 0; k < rings; ++k) {
                double largest = 0;
                for (Index i = 0; i < A.rows; ++i)
                  largest = std::max<double>(largest, std::abs(Z[i + k * A.rows]));
                EXPECT_GE(largest, 0.5);
              }
            }
          });
        });
      }
}

TYPED_TEST(WeakPivotsOf, NullPivotsMayBeZero) {
  using T = TypeParam;
  auto A = dense_matrix<T>(3, std::vector<T>(9, T(1)));
  A.symmetry = Symmetry::symmetric;
  FactorPlan plan;
  plan.keeps_null_pivots = true;
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
    each_team({}, [&](comm::Team& team) {
      const auto outcome = run(team, A, without_matching(kind), plan, std::vector<T>(3, T(1)), 1);
      if (team.first_local() != 0) return;
      EXPECT_EQ(outcome.stats.pivots.null, 2);
      EXPECT_EQ(outcome.stats.pivots.zero, 0);
    });
}

/// The diagonal of a 2x2 pivot may be anything.
TYPED_TEST(WeakPivotsOf, APairIsNoWeakPivot) {
  using T = TypeParam;
  const auto A = zero_diagonal<T>(40, 3);
  const auto b = multiply(A, random_vector<T>(40, 7), 1);
  each_team({}, [&](comm::Team& team) {
    const auto outcome = run(team, A, without_matching(FactorKind::ldlt), FactorPlan(), b, 1);
    if (team.first_local() != 0) return;
    EXPECT_GT(outcome.stats.pivots.two_by_two, 0);
    EXPECT_EQ(outcome.stats.pivots.rounding, 0);
  });
}

TEST(WeakPivots, OverflowNamesItsFront) {
  // [a -a; a a]: the second pivot is 2 a
  constexpr float a = 3e38f;
  Triplets<float> entries;
  entries.rows = entries.cols = 40;
  for (Index j = 0; j < 40; ++j) {
    entries.add(j, j, a);
    if (j + 1 < 40) entries.add(j, j + 1, -a), entries.add(j + 1, j, a);
  }
  const auto A = compress(std::move(entries)).matrix;
  const AnalysisPlan analysis = without_matching(FactorKind::lu);
  const FactorPlan plan;
  expect_refused(A, analysis, plan, Status::bad_input, "front");
}

/// a^2 / d - a^2 / d, both out of range and each from a front of its own, where the last pivot should be.
TEST(WeakPivots, OverflowThatCancelsIsNoZero) {
  constexpr double d = 3e306, a = 1.5e308;
  auto A = dense_matrix<double>(3, {d, 0, a, 0, -d, a, a, a, 1});
  A.symmetry = Symmetry::symmetric;
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    AnalysisPlan analysis = without_matching(kind);
    analysis.scaling = ScalingKind::off;
    analysis.ordering = Ordering::natural;
    analysis.amalgamation_zeros = {0, 0, 0};
    expect_refused(A, analysis, FactorPlan(), Status::bad_input, "front");
  }
}

}  // namespace
}  // namespace overlapack::sparse::testing
