#include "problems.hpp"

#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>

/// Entries of the inverse by fronts, against a dense inverse.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class InverseOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(InverseOf, Types);

template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Real<T>>, double, std::complex<double>>;

/// A^{-1} by Gauss and Jordan with partial pivoting, n x n by columns, the obvious way.
template <class T>
std::vector<Wide<T>> dense_inverse(const SparseMatrix<T>& A) {
  const auto n = static_cast<std::size_t>(A.rows);
  std::vector<std::vector<Wide<T>>> row(n, std::vector<Wide<T>>(2 * n));
  for (std::size_t j = 0; j < n; ++j) {
    row[j][n + j] = 1;
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
      row[static_cast<std::size_t>(A.row[k])][j] += Wide<T>(A.value[k]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(row[i][k]) > std::abs(row[pivot][k])) pivot = i;
    std::swap(row[k], row[pivot]);
    const Wide<T> scale = Wide<T>(1) / row[k][k];
    for (auto& x : row[k]) x *= scale;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Wide<T> l = row[i][k];
      for (std::size_t j = k; j < 2 * n; ++j) row[i][j] -= l * row[k][j];
    }
  }
  std::vector<Wide<T>> inverse(n * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) inverse[i + j * n] = row[i][n + j];
  return inverse;
}

struct Places {
  std::vector<Index> rows, cols;
};

/// All n^2 of them.
Places every_place(Index n) {
  Places places;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      places.rows.push_back(i);
      places.cols.push_back(j);
    }
  return places;
}

/// (j, i) for each entry (i, j) of A.
template <class T>
Places places_of(const SparseMatrix<T>& A) {
  Places places{{}, A.row};
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) places.rows.push_back(j);
  return places;
}

constexpr double dear = 1e300;  ///< flops of a solve, so that nobody would rather solve

/// All entries that fronts hold, on every team by these plans, against the dense inverse; those of the pattern must be among them.
/// look: at figures on each process, and on rank 0's at how many are known
template <class T>
void expect_inverse(const SparseMatrix<T>& A, const AnalysisPlan& analysis_plan, double growth,
                    const std::vector<FactorPlan>& plans,
                    const std::function<void(const FactorStats&, std::optional<Index> known)>& look = {}) {
  const auto expected = dense_inverse(A);
  const auto largest =
      std::abs(*std::ranges::max_element(expected, {}, [](const Wide<T>& z) { return std::abs(z); }));
  const Analysis analysis = analyse(A, analysis_plan);
  for (const FactorPlan& plan : plans)
    each_team({}, [&](comm::Team& team) {
      std::vector<Multifrontal<T>> factors(static_cast<std::size_t>(team.size()));
      team.run([&](comm::Rank& rank) {
        auto& mine = factors[static_cast<std::size_t>(rank.rank())];
        mine.factorize(rank, &analysis, &A, plan);
        const Places pattern = places_of(A), all = every_place(A.rows);
        const auto held = mine.inverse_entries(rank, pattern.rows, pattern.cols, dear);
        const auto found = [&](const Places& places, const InverseEntries<T>& entries) {
          Index known = 0;
          double worst = 0;
          for (std::size_t k = 0; k < places.rows.size(); ++k) {
            if (!entries.is_known[k]) continue;
            ++known;
            const auto at = static_cast<std::size_t>(places.rows[k] + places.cols[k] * A.rows);
            worst = std::max(worst, std::abs(Wide<T>(entries.value[k]) - expected[at]));
          }
          EXPECT_LE(worst / largest, growth * tolerance<T>(A.rows)) << "n = " << A.rows;
          return known;
        };
        std::optional<Index> known;
        if (rank.rank() == 0) known = found(pattern, held);
        if (rank.rank() == team.first_local() && look) look(mine.stats(), known);
        for (Index j = 0; j < A.cols;
             ++j) {  // a column at a time: one that is not held costs the others theirs
          for (Index i = 0; i < A.rows; i += std::max<Index>(1, A.rows / 7)) {
            const std::vector<Index> row{i}, col{j};
            const auto one = mine.inverse_entries(rank, row, col, dear);
            if (rank.rank() == 0) found({row, col}, one);
          }
          j += A.cols / 9;
        }
      });
    });
}

std::vector<FactorPlan> some_plans() {
  return {FactorPlan{}, stress_plan(comm::ReceiveMode::immediate, 1),
          stress_plan(comm::ReceiveMode::probe, 2)};
}

/// All entries of the pattern are known.
template <class T>
void expect_pattern(const SparseMatrix<T>& A, const AnalysisPlan& analysis, double growth = 10) {
  expect_inverse<T>(A, analysis, growth, some_plans(), [&](const FactorStats&, std::optional<Index> known) {
    EXPECT_EQ(known.value_or(A.nnz()), A.nnz());
  });
}

TYPED_TEST(InverseOf, RandomMatricesOfAllKinds) {
  for (const Index n : {1, 2, 3, 10, 60}) {
    const auto seed = static_cast<std::uint64_t>(n);
    expect_pattern(random_matrix<TypeParam>(n, 1.5, Symmetry::general, false, 11 + seed),
                   plan_of(FactorKind::lu));
    expect_pattern(random_matrix<TypeParam>(n, 1, Symmetry::symmetric, false, 12 + seed),
                   plan_of(FactorKind::ldlt));
    expect_pattern(random_matrix<TypeParam>(n, 1, Symmetry::hermitian, false, 13 + seed),
                   plan_of(FactorKind::ldlt));
  }
}

TYPED_TEST(InverseOf, CholeskyOfCubes) {
  for (const int points : {1, 2, 4})
    expect_pattern(cube_of<TypeParam>(points), plan_of(FactorKind::cholesky));
}

TYPED_TEST(InverseOf, PairsOfPivots) {
  Index pairs = 0;
  for (const Index n : {2, 6, 40}) {
    const auto A = zero_diagonal<TypeParam>(n, 23 + static_cast<std::uint64_t>(n));
    expect_inverse<TypeParam>(A, plan_of(FactorKind::ldlt), 100, some_plans(),
                              [&](const FactorStats& stats, std::optional<Index> known) {
                                EXPECT_EQ(known.value_or(A.nnz()), A.nnz());
                                pairs += stats.pivots.two_by_two;
                              });
  }
  EXPECT_GT(pairs, 0);
}

TYPED_TEST(InverseOf, DelayedPivots) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    Index delayed = 0;
    AnalysisPlan plan = without_matching(kind);
    plan.ordering = Ordering::natural;
    const auto count = [&](const FactorStats& stats, std::optional<Index>) {
      delayed += stats.pivots.delayed;
    };
    expect_inverse<TypeParam>(zero_arrow<TypeParam>(20), plan, 100, some_plans(), count);
    const auto symmetry = kind == FactorKind::lu ? Symmetry::general : Symmetry::symmetric;
    expect_inverse<TypeParam>(random_matrix<TypeParam>(60, 1, symmetry, true, 5), without_matching(kind),
                              1000, some_plans(), count);
    EXPECT_GT(delayed, 0);
  }
}

TEST(Inverse, StripsOfSymmetricFrontsAndNoneOfLu) {
  const std::vector<FactorPlan> plans{strips_plan(comm::ReceiveMode::immediate, 4)};
  const auto A = cube_of<double>(4);
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky})
    expect_inverse<double>(A, without_matching(kind), 10, plans,
                           [&](const FactorStats& stats, std::optional<Index> known) {
                             const bool is_here = kind != FactorKind::lu || stats.strips == 0;
                             const Index expected = is_here ? A.nnz() : 0;
                             EXPECT_EQ(known.value_or(expected), expected);
                           });
}

TEST(Inverse, OnDisk) {
  std::string name = ::testing::TempDir() + "overlapack-inverse-XXXXXX";
  const std::string folder = mkdtemp(name.data());
  FactorPlan plan = stress_plan(comm::ReceiveMode::immediate, 1);
  plan.fronts.disk = {.is_used = true,
                      .scratch = folder,
                      .segment_bytes = 2048,
                      .budget_bytes = 4096,
                      .window_bytes = 4096,
                      .rhs_pass = 64,
                      .fault = {}};
  const auto A = cube_of<double>(4);
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
    expect_inverse<double>(A, without_matching(kind), 10, {plan},
                           [&](const FactorStats& stats, std::optional<Index> known) {
                             EXPECT_EQ(known.value_or(A.nnz()), A.nnz());
                             EXPECT_GT(stats.fronts_on_disk, 0);
                           });
  std::filesystem::remove_all(folder);
}

TEST(Inverse, FewColumnsAreLeftToSolves) {
  const auto A = cube_of<double>(4);
  const Analysis analysis = analyse(A, plan_of(FactorKind::cholesky));
  each_team({}, [&](comm::Team& team) {
    std::vector<Multifrontal<double>> factors(static_cast<std::size_t>(team.size()));
    team.run([&](comm::Rank& rank) {
      auto& mine = factors[static_cast<std::size_t>(rank.rank())];
      mine.factorize(rank, &analysis, &A, FactorPlan{});
      const auto count = [&](const Places& places, double solve_flops) {
        const auto entries = mine.inverse_entries(rank, places.rows, places.cols, solve_flops);
        return rank.rank() == 0 ? std::ranges::count(entries.is_known, 1) : 0;
      };
      const Places pattern = places_of(A), all = every_place(A.rows);
      const bool is_root = rank.rank() == 0;
      EXPECT_EQ(count(pattern, 1), 0);
      EXPECT_EQ(count(pattern, dear), is_root ? A.nnz() : 0);
      EXPECT_EQ(count({}, dear), 0);
      const auto known = count(all, dear);  // only columns that are held whole
      EXPECT_TRUE(!is_root || known < A.rows * A.rows);
    });
  });
}

}  // namespace
}  // namespace overlapack::sparse::testing
