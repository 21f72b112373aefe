#include "base/each_figure.hpp"
#include "problems.hpp"
#include "sparse/multifrontal/tiles/front_tasks.hpp"

#include <limits>
#include <numeric>
#include <utility>

/// Large fronts by tiles with a posteriori pivoting (src/sparse/multifrontal/tiles).
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class TilesOf : public ::testing::Test {};
using TileScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(TilesOf, TileScalars);

/// Every front by tiles of a few rows and columns, in a random order of tasks.
FactorPlan tiled(Index pivots, std::uint64_t shuffle) {
  FactorPlan plan;
  plan.slice_flops = 0;
  plan.fronts.leaf_flops = 0;
  plan.fronts.small_order = 0;
  plan.fronts.tiles = tiny_tiles(pivots, shuffle);
  return plan;
}

/// What tiles came to in all runs of a test; simulated ranks have none, and processes see their own figures only.
FrontFigures seen;
bool sees_all() { return comm::conformance::is_thread(); }

template <class T>
std::vector<T> solve_by_tiles(comm::Team& team, const SparseMatrix<T>& A, FactorKind kind,
                              const FactorPlan& plan) {
  const std::vector<T> b = multiply(A, random_vector<T>(A.rows, 7), 1);
  const auto outcome = run(team, A, without_matching(kind), plan, b, 1);
  if (team.first_local() == 0) {
    EXPECT_LE(backward_error(A, outcome.x, b, 1), 30 * tolerance<T>(A.rows));
    overlapack::add<FrontFigures>(seen, outcome.stats);
  }
  return outcome.x;
}

/// Random systems that need pivoting, with thresholds at which many columns fail.
template <class T>
void solve_random(FactorKind kind, Symmetry symmetry, bool zero_diagonal) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    const Index n = 2 + 2 * static_cast<Index>(random.below(60));
    const auto A =
        random_matrix<T>(n, 1 + static_cast<double>(random.below(6)), symmetry, zero_diagonal, seed);
    FactorPlan plan = tiled(1 + static_cast<Index>(random.below(9)), seed);
    plan.pivot_threshold = seed % 3 == 0 ? 0.01 : seed % 3 == 1 ? 0.1 : 0.4;
    each_team({}, [&](comm::Team& team) { solve_by_tiles<T>(team, A, kind, plan); });
  }
}

TYPED_TEST(TilesOf, LuOfRandomMatrices) {
  seen = {};
  solve_random<TypeParam>(FactorKind::lu, Symmetry::general, true);
  if (!sees_all()) return;
  EXPECT_GT(seen.failed_columns, 0);
  EXPECT_GT(seen.restored_tiles, 0);
  EXPECT_GT(seen.searched_pivots, 0);
}

TYPED_TEST(TilesOf, LdltOfRandomMatrices) {
  seen = {};
  solve_random<TypeParam>(FactorKind::ldlt, Symmetry::symmetric, true);
  if (!sees_all()) return;
  EXPECT_GT(seen.failed_columns, 0);
  EXPECT_GT(seen.restored_tiles, 0);
  EXPECT_GT(seen.searched_pivots, 0);
}

TYPED_TEST(TilesOf, LdltOfHermitianMatrices) {
  solve_random<TypeParam>(FactorKind::ldlt, Symmetry::hermitian, true);
}

TYPED_TEST(TilesOf, CholeskyOfCubes) {
  seen = {};
  const auto A = cube_of<TypeParam>(6);
  each_team({}, [&](comm::Team& team) {
    for (const Index pivots : {1, 3, 8, 300})
      solve_by_tiles<TypeParam>(team, A, FactorKind::cholesky, tiled(pivots, 5));
  });
  if (!sees_all()) return;
  EXPECT_GT(seen.front_tasks, 0);
  EXPECT_EQ(seen.failed_columns, 0);
}

/// One full front: sizes about the widths of tiles.
TYPED_TEST(TilesOf, FullMatrices) {
  using T = TypeParam;
  for (const Index n : {1, 2, 7, 8, 9, 16, 17, 40})
    for (const auto& [kind, symmetry] :
         {std::pair{FactorKind::lu, Symmetry::general}, std::pair{FactorKind::ldlt, Symmetry::hermitian}}) {
      const auto A = random_matrix<T>(n, 3 * static_cast<double>(n), symmetry, false, 5);
      FactorPlan plan = tiled(8, 3);
      plan.pivot_threshold = 0.3;
      plan.fronts.root.root = RootParallelism::sequential;
      each_team({}, [&, k = kind](comm::Team& team) { solve_by_tiles<T>(team, A, k, plan); });
    }
}

/// A front of random numbers with its factors, and what FrontTasks makes of it.
template <class T>
struct RandomFront {
  RandomFront(FactorKind kind, std::uint64_t seed) : random(seed) {
    structure.kind = kind;
    structure.hermitian = kind == FactorKind::ldlt && ScalarTraits<T>::is_complex && seed % 3 == 0;
    front.number = 0;
    front.summed = s = 1 + static_cast<Index>(random.below(34));
    front.border = m = static_cast<Index>(random.below(28));
    front.block_width = m;
    const Index f = front.order();
    A.resize(static_cast<std::size_t>(f * f));
    for (T& a : A) a = random_value<T>(random);
    for (Index i = 0; i < f; ++i) {
      if (random.below(2) == 0) at(i, i) *= T(0.01);
      for (Index j = 0; j <= i && is_symmetric(); ++j)
        at(j, i) = structure.hermitian ? i == j ? T(std::real(at(i, i))) : conjugate(at(i, j)) : at(i, j);
    }
    panel.resize(static_cast<std::size_t>(padded_ld(f) * s));
    lower.resize(static_cast<std::size_t>(padded_ld(m) * s));
    d.resize(static_cast<std::size_t>(s));
    d_off.resize(d.size());
    front.panel_data = panel.data();
    if (!is_symmetric()) front.lower_data = lower.data();
    front.d = d.data();
    front.d_off = d_off.data();
    front.block =
        HeldBlock(ledger, static_cast<std::size_t>(staircase_entries(m, std::max<Index>(m, 1))) * sizeof(T));
    for (std::vector<std::int32_t>* order : {&rows, &cols}) {
      order->resize(d.size());
      std::iota(order->begin(), order->end(), 0);
    }
  }
  bool is_symmetric() const { return structure.kind != FactorKind::lu; }
  T& at(Index i, Index j) { return A[static_cast<std::size_t>(i + j * front.order())]; }

  void fill() {
    for (Index j = 0; j < s; ++j) {
      for (Index i = is_symmetric() ? j : 0; i < front.order(); ++i)
        front.panel()(i, j) = is_symmetric() ? at(i, j) : at(j, i);
      for (Index i = 0; i < m && !is_symmetric(); ++i) front.L21()(i, j) = at(s + i, j);
    }
  }

  /// Some tasks are under way at any time, and each is run at once or only when it is to end.
  void eliminate(const PivotTest<T>& test) {
    struct UnderWay {
      comm::TaskSource::Task task;
      bool is_run;
    };
    fill();
    const TilePlan plan = tiny_tiles(1 + static_cast<Index>(random.below(5)), 1 + random.below(1000));
    const FrontCuts cuts = front_cuts(s, m, plan);
    TileSteps<T> steps(structure, test, front, cuts, rows, cols, backup);
    std::vector<ContributionCut> contribution;
    if (m > 0) contribution = contribution_cuts(m, m, is_symmetric(), is_symmetric() ? s : 0, plan);
    FrontTasks<T> tasks(
        steps, cuts, contribution, [](Index) {}, [](Index, Index) {}, plan.shuffle);
    std::vector<UnderWay> under_way;
    while (tasks.ready() > 0 || !under_way.empty()) {
      if (tasks.ready() > 0 && (under_way.empty() || (under_way.size() < 6 && random.below(2) == 0))) {
        const comm::TaskSource::Task task = tasks.take();
        const bool is_run = random.below(2) == 0;
        if (is_run) tasks.run(task);
        under_way.push_back({task, is_run});
        continue;
      }
      const auto next = under_way.begin() + static_cast<std::ptrdiff_t>(random.below(under_way.size()));
      if (!next->is_run) tasks.run(next->task);
      tasks.done(next->task);
      under_way.erase(next);
    }
    ASSERT_TRUE(tasks.is_over());
    e = front.eliminated = steps.compact();
    EXPECT_EQ(tasks.failed(), s - e);
    cut_pairs += steps.cut_pairs();
  }

  /// L of the panel's rows; D L^T (^H), or U.
  T left(Index i, Index p) const {
    if (i == p) return T(1);
    return i < p || (is_symmetric() && i == p + 1 && d_off[p] != T(0)) ? T(0) : front.panel()(i, p);
  }
  T right(Index p, Index j) const {
    if (!is_symmetric()) return j >= p ? front.panel()(p, j) : T(0);
    const auto conj = [&](T x) { return structure.hermitian ? conjugate(x) : x; };
    T sum = d[p] * conj(left(j, p));
    if (p + 1 < e && d_off[p] != T(0)) sum += conj(d_off[p]) * conj(left(j, p + 1));
    if (p > 0 && d_off[p - 1] != T(0)) sum += d_off[p - 1] * conj(left(j, p - 1));
    return sum;
  }
  Index row(Index i) const { return i < s ? rows[i] : i; }
  Index column(Index j) const { return j >= s ? j : is_symmetric() ? rows[j] : cols[j]; }

  /// Largest difference between what the factors and the rest come to, and the numbers of before.
  double error() {
    double largest = 0;
    const auto compare = [&](T have, T want) { largest = std::max<double>(largest, std::abs(have - want)); };
    const MatrixView<T> P = front.panel(), L21 = front.L21();
    for (Index j = 0; j < s; ++j)
      for (Index i = is_symmetric() ? j : 0; i < front.order(); ++i) {
        T sum = i >= e && j >= e ? P(i, j) : T(0);
        for (Index p = 0; p < e; ++p) sum += left(i, p) * right(p, j);
        compare(sum, is_symmetric() ? at(row(i), row(j)) : at(column(j), row(i)));
      }
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < s && !is_symmetric(); ++j) {
        T sum = j >= e ? L21(i, j) : T(0);
        for (Index p = 0; p < e; ++p) sum += L21(i, p) * left(j, p);
        compare(sum, at(s + i, row(j)));
      }
    for (Index j = 0; j < m; ++j)
      for (Index i = is_symmetric() ? j : 0; i < m; ++i) {
        T sum = 0;
        for (Index p = 0; p < e; ++p)
          sum -= is_symmetric() ? left(s + i, p) * right(p, s + j) : L21(i, p) * P(s + j, p);
        compare(front.contribution().column(j)[i], sum);
      }
    return largest;
  }

  Random random;
  Structure structure;
  Ledger ledger;
  Front<T> front;
  Index s = 0, m = 0, e = 0, cut_pairs = 0;
  std::vector<T> A, panel, lower, d, d_off, backup;
  std::vector<std::int32_t> rows, cols;
};

TYPED_TEST(TilesOf, AnyOrderOfTasksIsRight) {
  using T = TypeParam;
  Index cut_pairs = 0;
  const PivotTest<T> test{.threshold = Real<T>(0.5)};
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    RandomFront<T> one(seed % 2 == 0 ? FactorKind::lu : FactorKind::ldlt, seed);
    one.eliminate(test);
    // entries of L are at most 2, so that rounding grows with the steps at most threefold, twice for complex ones
    EXPECT_LE(one.error(), std::pow(3.0, 12) * std::numeric_limits<Real<T>>::epsilon()) << seed;
    cut_pairs += one.cut_pairs;
  }
  EXPECT_GT(cut_pairs, 0);
}

/// C is covered once by tiles within their limits; all but the first of a strip begin with a line of the array that L is read from.
TEST(Tiles, ContributionsAreCutAtCacheLines) {
  for (const Index rows : {24, 128, 256, 384}) {
    TilePlan plan;
    plan.contribution_rows = rows;
    const Index tallest = std::max(rows, plan.contribution_columns + 24) + 7;
    for (const Index m : {1, 7, 90, 130, 255, 264, 300, 1476})
      for (const Index before : {0, 3, 8, 61})
        for (const bool is_lower : {false, true}) {
          const Index width = is_lower ? staircase_width(m) : m;
          std::vector<int> covered(static_cast<std::size_t>(m * m));
          for (const ContributionCut& cut : contribution_cuts(m, width, is_lower, before, plan)) {
            EXPECT_LE(cut.cols, plan.contribution_columns);
            EXPECT_LE(cut.rows, tallest);
            EXPECT_EQ(cut.left / width, (cut.left + cut.cols - 1) / width);
            if (cut.top > (is_lower ? cut.left : 0)) {
              EXPECT_EQ((before + cut.top) % 8, 0);
            }
            for (Index j = cut.left; j < cut.left + cut.cols; ++j)
              for (Index i = cut.top; i < cut.top + cut.rows; ++i)
                ++covered[static_cast<std::size_t>(i + j * m)];
          }
          for (Index j = 0; j < m; ++j)
            for (Index i = is_lower ? j : 0; i < m; ++i)
              ASSERT_EQ(covered[static_cast<std::size_t>(i + j * m)], 1) << m << ' ' << i << ' ' << j;
        }
  }
}

/// The same bits whoever takes the tasks, and in whatever order.
TYPED_TEST(TilesOf, BitsDoNotDependOnThreads) {
  using T = TypeParam;
  if (!comm::conformance::is_thread()) GTEST_SKIP() << "threads of one process";
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    const auto A =
        random_matrix<T>(160, 4, kind == FactorKind::lu ? Symmetry::general : Symmetry::hermitian, true, 3);
    std::vector<T> first;
    for (const int workers : {0, 1, 2, 6, 15})
      for (const std::uint64_t shuffle : {0, 1, 2, 3}) {
        FactorPlan plan = tiled(4, shuffle);
        plan.pivot_threshold = 0.2;
        const auto team = comm::open({.engine = "thread", .ranks = 1, .workers = workers});
        const std::vector<T> x = solve_by_tiles<T>(*team, A, kind, plan);
        if (first.empty()) first = x;
        EXPECT_EQ(x, first) << workers << " workers, shuffle " << shuffle;
      }
  }
}

/// Inertia by tiles is that of the search, and delayed pivots are about as many.
TEST(Tiles, FindTheInertiaOfKktMatrices) {
  each_team({}, [&](comm::Team& team) {
    Index by_search = 0, by_tiles = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto A = random_matrix<double>(300, 2, Symmetry::symmetric, true, seed);
      const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 7), 1);
      FactorPlan whole;
      whole.slice_flops = std::numeric_limits<double>::infinity();
      const auto expected = run(team, A, without_matching(FactorKind::ldlt), whole, b, 1).stats;
      const auto found = run(team, A, without_matching(FactorKind::ldlt), tiled(16, 0), b, 1).stats;
      EXPECT_EQ(found.pivots.negative, expected.pivots.negative) << seed;
      by_search += expected.pivots.delayed;
      by_tiles += found.pivots.delayed;
    }
    EXPECT_LE(by_tiles, 1.1 * static_cast<double>(by_search) + 5);
  });
}

TEST(Tiles, APivotThatIsNotPositiveIsRefused) {
  auto A = cube_of<double>(4);
  for (Index k = A.start[40]; k < A.start[41]; ++k)
    if (A.row[k] == 40) A.value[k] = -1;
  const std::vector<double> b(static_cast<std::size_t>(A.rows), 1);
  each_team({}, [&](comm::Team& team) {
    try {
      run(team, A, without_matching(FactorKind::cholesky), tiled(3, 1), b, 1);
      ADD_FAILURE() << "it was factorised";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_input) << error.what();
    }
  });
}

TEST(Tiles, NaNFailsTheVote) {
  auto A = random_matrix<double>(60, 4, Symmetry::general, false, 5);
  A.value[7] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> b(static_cast<std::size_t>(A.rows), 1);
  each_team({}, [&](comm::Team& team) {
    EXPECT_THROW(run(team, A, without_matching(FactorKind::lu), tiled(4, 1), b, 1), Error);
  });
}

}  // namespace
}  // namespace overlapack::sparse::testing
