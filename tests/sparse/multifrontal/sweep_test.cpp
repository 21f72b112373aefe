#include "problems.hpp"

#include <tuple>

/// Substitutions in one front by several threads (src/sparse/multifrontal/solve/front_sweep.hpp).
namespace overlapack::sparse::testing {
namespace {

template <class T>
class SweepOf : public ::testing::Test {};
using SweepScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SweepOf, SweepScalars);

/// x of op(A) x = b by fronts of which each is a task, and the tasks that its substitutions had.
template <class T>
std::pair<std::vector<T>, std::int64_t> solved(comm::Team& team, const SparseMatrix<T>& A, FactorKind kind,
                                               const SweepPlan& sweep, kernels::Op op,
                                               const std::vector<T>& b, Index nrhs) {
  FactorPlan plan;
  plan.fronts.leaf_flops = 0;
  plan.fronts.mapping = {.subtree_share = 0.05, .message_s = 0, .least_gain = -1};
  plan.fronts.sweep = sweep;
  plan.rhs_block = 5;
  const Analysis analysis = analyse(A, without_matching(kind));
  std::vector<Multifrontal<T>> factors(static_cast<std::size_t>(team.size()));
  std::vector<T> x(b.size());
  std::atomic<std::int64_t> tasks{0};
  team.run([&](comm::Rank& rank) {
    auto& mine = factors[static_cast<std::size_t>(rank.rank())];
    mine.factorize(rank, &analysis, &A, plan);
    const std::int64_t before = rank.counters().slices;
    for (int times = 0; times < 2; ++times)  // sums are zero again after the first
      mine.solve(rank, op, b.data(), x.data(), nrhs);
    tasks += rank.counters().slices - before;
  });
  return {x, tasks};
}

/// In any order of tasks the same bits, and as good an answer as one thread's.
template <class T>
void solve_in_random_orders(const SparseMatrix<T>& A, FactorKind kind) {
  const SweepPlan none{.least_entries = std::numeric_limits<Index>::max()};
  for (const auto& [ranks, workers] : {std::pair{1, 2}, std::pair{2, 1}, std::pair{3, 0}}) {
    const auto team = comm::open({.ranks = ranks, .workers = workers});
    for (const auto op : {kernels::Op::none, kernels::Op::trans, kernels::Op::conj_trans})
      for (const Index nrhs : {1, 3, 12}) {
        const auto b = multiply(applied(A, op), random_vector<T>(nrhs * A.rows, 5), nrhs);
        const auto [first, tasks] = solved(*team, A, kind, tiny_sweep(1), op, b, nrhs);
        EXPECT_LE(backward_error(applied(A, op), first, b, nrhs), 30 * tolerance<T>(A.rows));
        EXPECT_GT(tasks, solved(*team, A, kind, none, op, b, nrhs).second);
        for (const std::uint64_t shuffle : {0, 2, 3})
          EXPECT_EQ(first, std::get<0>(solved(*team, A, kind, tiny_sweep(shuffle), op, b, nrhs)));
      }
  }
}

TYPED_TEST(SweepOf, LuAndItsTranspose) {
  solve_in_random_orders(random_matrix<TypeParam>(90, 4, Symmetry::general, true, 3), FactorKind::lu);
}

TYPED_TEST(SweepOf, LdltWithPairs) {
  solve_in_random_orders(random_matrix<TypeParam>(90, 3, Symmetry::symmetric, true, 4), FactorKind::ldlt);
}

TYPED_TEST(SweepOf, HermitianLdlt) {
  solve_in_random_orders(random_matrix<TypeParam>(90, 3, Symmetry::hermitian, true, 5), FactorKind::ldlt);
}

TYPED_TEST(SweepOf, CholeskyOfACube) { solve_in_random_orders(cube_of<TypeParam>(5), FactorKind::cholesky); }

TEST(Sweep, TwoThreadsShareNoFrontThatHoldsUpNobody) {
  const auto A = cube_of<double>(6);
  const auto b = multiply(A, random_vector<double>(A.rows, 5), 1);
  const auto team = comm::open({.ranks = 2});
  const auto tasks_with = [&](double share) {
    SweepPlan sweep = tiny_sweep(0);
    sweep.least_share = share;
    return solved(*team, A, FactorKind::cholesky, sweep, kernels::Op::none, b, 1).second;
  };
  EXPECT_GT(tasks_with(0.1), tasks_with(2.5));  // of an even part there are two
}

}  // namespace
}  // namespace overlapack::sparse::testing
