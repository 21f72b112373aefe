#include "problems.hpp"

#include <functional>

/// Fronts that are done in one go beside the same fronts done as large ones are.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class SmallFrontsOf : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SmallFrontsOf, Scalars);

AnalysisPlan natural_order(FactorKind kind) {
  AnalysisPlan plan = without_matching(kind);
  plan.ordering = Ordering::natural;
  return plan;
}

AnalysisPlan amd_order(FactorKind kind) {
  AnalysisPlan plan;
  plan.kind = kind;
  plan.ordering = Ordering::amd;
  return plan;
}

/// What was seen over all plans and teams.
struct Seen {
  Index small = 0, large = 0, delayed = 0, two_by_two = 0;
};

/// All fronts large, all small, and both among each other; one task, several, several ranks; pivots that fail.
template <class T>
Seen expect_same(const SparseMatrix<T>& A, const AnalysisPlan& analysis) {
  const std::vector<T> b = multiply(A, random_vector<T>(A.rows * 2, 7), 2);
  Seen seen;
  for (const double leaf_flops : {4e6, 2e3})
    for (const Real<T> threshold : {Real<T>(0.01), Real<T>(0.5)})
      each_team({}, [&](comm::Team& team) {
        Outcome<T> large;
        for (const Index order : {0, 5, 12, 64}) {
          FactorPlan plan;
          plan.fronts.leaf_flops = leaf_flops;
          plan.fronts.small_order = order;
          plan.fronts.mapping = {.subtree_share = 0.3, .message_s = 0, .least_gain = -1};
          plan.pivot_threshold = threshold;
          const Outcome<T> outcome = run(team, A, analysis, plan, b, 2);
          if (order == 0) large = outcome;
          const FactorStats counts = outcome.stats;
          if (team.first_local() == 0) {
            EXPECT_LE(backward_error(A, outcome.x, b, 2), tolerance<T>(A.rows)) << "small_order " << order;
          }
          EXPECT_EQ(outcome.stats.pivots.negative, large.stats.pivots.negative) << "small_order " << order;
          EXPECT_EQ(counts.fronts, large.stats.fronts);
          if (order == 0) {
            EXPECT_EQ(counts.small_fronts, 0);
          }
          seen.small += counts.small_fronts;
          seen.large += order == 12 ? counts.fronts - counts.small_fronts : 0;
          seen.delayed += counts.pivots.delayed;
          seen.two_by_two += outcome.stats.pivots.two_by_two;
        }
      });
  return seen;
}

TYPED_TEST(SmallFrontsOf, LdltOfIndefiniteMatrices) {
  Seen all;
  for (const Index n : {1, 2, 6, 40, 150}) {
    const Seen seen = n % 2 == 0
                          ? expect_same(zero_diagonal<TypeParam>(n, 23 + n), amd_order(FactorKind::ldlt))
                          : expect_same(random_matrix<TypeParam>(n, 2, Symmetry::symmetric, false, 3),
                                        amd_order(FactorKind::ldlt));
    all.two_by_two += seen.two_by_two;
    all.large += seen.large;
    all.small += seen.small;
  }
  EXPECT_GT(all.two_by_two, 0);
  EXPECT_GT(all.large, 0);
  EXPECT_GT(all.small, 0);
}

TYPED_TEST(SmallFrontsOf, PivotsThatFailGoOnToLargerFronts) {
  const Seen cube = expect_same(weak_cube<TypeParam>(4), natural_order(FactorKind::ldlt)),
             arrow = expect_same(zero_arrow<TypeParam>(12), natural_order(FactorKind::ldlt));
  EXPECT_GT(cube.delayed, 0);
  EXPECT_GT(arrow.delayed, 0);
  EXPECT_GT(cube.small + arrow.small, 0);
}

TYPED_TEST(SmallFrontsOf, HermitianMatrices) {
  const auto A = random_matrix<TypeParam>(400, 2, Symmetry::hermitian, true, 3);
  EXPECT_GT(expect_same(A, amd_order(FactorKind::ldlt)).small, 0);
}

TYPED_TEST(SmallFrontsOf, Cholesky) {
  EXPECT_GT(expect_same(cube_of<TypeParam>(5), amd_order(FactorKind::cholesky)).small, 0);
}

TEST(SmallFronts, LuHasNone) {
  const auto A = random_matrix<double>(60, 2, Symmetry::general, false, 3);
  const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 7), 1);
  each_team({}, [&](comm::Team& team) {
    EXPECT_EQ(run(team, A, amd_order(FactorKind::lu), FactorPlan{}, b, 1).stats.small_fronts, 0);
  });
}

/// Again and again in the memory that there is, with other numbers.
TYPED_TEST(SmallFrontsOf, Refactorize) {
  using T = TypeParam;
  const auto A = zero_diagonal<T>(80, 5);
  const Analysis analysis = analyse(A, amd_order(FactorKind::ldlt));
  each_team({}, [&](comm::Team& team) {
    std::vector<Multifrontal<T>> factors(static_cast<std::size_t>(team.size()));
    team.run([&](comm::Rank& rank) {
      auto& mine = factors[static_cast<std::size_t>(rank.rank())];
      mine.factorize(rank, &analysis, &A, FactorPlan{});
      auto other = A;
      for (int step = 0; step < 3; ++step) {
        for (std::size_t k = 0; k < other.value.size(); ++k) other.value[k] *= T(-2);
        mine.refactorize(rank, &analysis, &other, FactorPlan{});
        const std::vector<T> b = multiply(other, random_vector<T>(A.rows, 7), 1);
        std::vector<T> x = b;
        mine.solve(rank, kernels::Op::none, x.data(), x.data(), 1);
        if (rank.rank() != 0) continue;
        EXPECT_LE(backward_error(other, x, b, 1), tolerance<T>(A.rows)) << step;
        if (rank.size() == 1) {
          EXPECT_GT(mine.stats().small_fronts, 0);
        }
      }
    });
  });
}

}  // namespace
}  // namespace overlapack::sparse::testing
