#include "problems.hpp"

#include <cmath>
#include <string>
#include <utility>

/// The same bits on any number of threads of one process: what is added to what, and in which order, follows from the tree alone.
namespace overlapack::sparse::testing {
namespace {

template <class T>
class SameBitsOf : public ::testing::Test {};
using BitScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SameBitsOf, BitScalars);

/// Tasks of one front and of several, fronts by tiles and not, substitutions by blocks and not, on each number of ranks.
FactorPlan mixed_plan() {
  FactorPlan plan;
  plan.slice_flops = 2e3;
  plan.rhs_block = 4;
  plan.fronts.leaf_flops = plan.fronts.least_leaf_flops = 500;
  plan.fronts.tiles = tiny_tiles(3, 0);
  plan.fronts.sweep = tiny_sweep(0);
  plan.fronts.sweep.least_entries = 60;
  plan.fronts.mapping = {.subtree_share = 0.05, .message_s = 0, .least_gain = -1};
  return plan;
}

struct Threads {
  int ranks, workers;
};

/// x of op(A) x = b for each op, and whether ranks gave each other contribution blocks.
template <class T>
std::pair<std::vector<T>, bool> solved(Threads threads, const SparseMatrix<T>& A,
                                       const AnalysisPlan& analysis_plan, const FactorPlan& plan,
                                       Index nrhs) {
  const auto team = comm::open({.ranks = threads.ranks, .workers = threads.workers});
  const Analysis analysis = analyse(A, analysis_plan);
  std::vector<Multifrontal<T>> factors(static_cast<std::size_t>(team->size()));
  const auto length = static_cast<std::size_t>(A.rows * nrhs);
  const std::vector<T> b = random_vector<T>(A.rows * nrhs, 5);
  std::vector<T> all;
  for (const auto op : {kernels::Op::none, kernels::Op::trans, kernels::Op::conj_trans}) {
    std::vector<T> x(length);
    team->run([&](comm::Rank& rank) {
      auto& mine = factors[static_cast<std::size_t>(rank.rank())];
      if (op == kernels::Op::none) mine.factorize(rank, &analysis, &A, plan);
      mine.solve(rank, op, b.data(), x.data(), nrhs);
    });
    EXPECT_LE(backward_error(applied(A, op), x, b, nrhs), 30 * tolerance<T>(A.rows));
    all.insert(all.end(), x.begin(), x.end());
  }
  return {all, factors[0].stats().sent_contributions > 0};
}

template <class T>
void compare(const SparseMatrix<T>& A, const AnalysisPlan& analysis, const FactorPlan& plan,
             const std::string& what) {
  for (const Index nrhs : {1, 6}) {
    const std::vector<T> alone = solved<T>({1, 0}, A, analysis, plan, nrhs).first;
    for (const Threads threads : {Threads{2, 0}, {3, 1}, {7, 0}, {16, 0}, {1, 3}}) {
      const auto [x, is_shared] = solved(threads, A, analysis, plan, nrhs);
      EXPECT_EQ(alone, x) << what << ", " << threads.ranks << " ranks, " << threads.workers << " workers";
      EXPECT_EQ(is_shared, threads.ranks > 1) << what;
    }
  }
}

template <class T>
void compare(const SparseMatrix<T>& A, FactorKind kind, const FactorPlan& plan, const std::string& what) {
  compare(A, without_matching(kind), plan, what);
}

TYPED_TEST(SameBitsOf, Lu) {
  compare(random_matrix<TypeParam>(150, 3, Symmetry::general, true, 3), FactorKind::lu, mixed_plan(), "lu");
}

TYPED_TEST(SameBitsOf, LdltWithPairsAndDelays) {
  compare(random_matrix<TypeParam>(150, 3, Symmetry::symmetric, true, 4), FactorKind::ldlt, mixed_plan(),
          "ldlt");
}

TYPED_TEST(SameBitsOf, HermitianLdlt) {
  compare(random_matrix<TypeParam>(150, 3, Symmetry::hermitian, true, 5), FactorKind::ldlt, mixed_plan(),
          "hermitian");
}

TYPED_TEST(SameBitsOf, CholeskyOfACube) {
  compare(cube_of<TypeParam>(6), FactorKind::cholesky, mixed_plan(), "cholesky");
}

TEST(SameBits, FactorsOnDisk) {
  FactorPlan plan = mixed_plan();
  plan.fronts.disk.is_used = true;
  plan.fronts.disk.scratch = ::testing::TempDir();
  compare(cube_of<double>(6), FactorKind::ldlt, plan, "disk");
}

TEST(SameBits, CompressedFronts) {
  FactorPlan plan = mixed_plan();
  plan.fronts.low_rank.is_used = true;
  plan.fronts.low_rank.order = 12;
  plan.fronts.low_rank.cluster = 4;
  plan.fronts.low_rank.tolerance = 1e-15;
  compare(cube_of<double>(6), FactorKind::cholesky, plan, "compressed");
  compare(cube_of<double>(6), FactorKind::lu, plan, "compressed, lu");
}

/// A path of small fronts, cut into tasks between ranks.
TYPED_TEST(SameBitsOf, BandOfSmallFronts) {
  const Index n = 1000, width = 6;
  SparseMatrix<TypeParam> A;
  A.rows = A.cols = n;
  A.symmetry = Symmetry::symmetric;
  for (Index j = 0; j < n; ++j) {
    for (Index i = std::max<Index>(0, j - width + 1); i < std::min(n, j + width); ++i) {
      A.row.push_back(i);
      A.value.push_back(
          TypeParam(static_cast<Real<TypeParam>>(i == j ? 4 : std::sin(double(i * j + i + j)))));
    }
    A.start.push_back(A.nnz());
  }
  AnalysisPlan natural = without_matching(FactorKind::ldlt);
  natural.ordering = Ordering::natural;
  FactorPlan plan = mixed_plan();
  plan.fronts.leaf_flops = plan.fronts.least_leaf_flops = 1e4;
  compare(A, natural, plan, "band");
}

/// Small enough for one rank, which has all fronts then.
TEST(SameBits, WhereOneRankDoesAll) {
  FactorPlan plan = mixed_plan();
  plan.slice_flops = 4e7;
  plan.fronts.mapping.least_gain = 1;
  const auto A = cube_of<double>(5);
  const auto [alone, none] = solved<double>({1, 0}, A, without_matching(FactorKind::ldlt), plan, 1);
  const auto [x, is_shared] = solved<double>({7, 0}, A, without_matching(FactorKind::ldlt), plan, 1);
  EXPECT_EQ(alone, x);
  EXPECT_FALSE(is_shared);
}

}  // namespace
}  // namespace overlapack::sparse::testing
