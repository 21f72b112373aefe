#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "engine.hpp"
#include "iterative/driver/iterate.hpp"
#include "iterative/multisplitting/block_group.hpp"
#include "iterative/multisplitting/conjugate_gradients.hpp"
#include "iterative/multisplitting/schwarz_block.hpp"
#include "schwarz_twin.hpp"

#include <algorithm>
#include <complex>
#include <limits>
#include <set>

namespace overlapack::comm::conformance {
namespace {

using iterative::IterationPlan;
using iterative::SchwarzBlock;
using iterative::Variant;

template <class T>
class EliminationInner final : public iterative::InnerSolver<T> {
 public:
  explicit EliminationInner(const SparseMatrix<T>& B) : b_(dense(B)) {}
  void solve(Rank& rank, const T* r, T* z) override {
    rank.compute({.kind = "eliminate"}, [&] {
      const std::vector<T> x = eliminate(b_, std::vector<T>(r, r + b_.size()));
      std::copy(x.begin(), x.end(), z);
    });
    ++solves;
  }
  bool is_direct() const override { return true; }
  Index steps() const override { return solves; }

 private:
  Dense<T> b_;
  Index solves = 0;
};

template <class T>
iterative::InnerFactory<T> by_elimination() {
  return [](Rank&, SparseMatrix<T> B) { return std::make_unique<EliminationInner<T>>(B); };
}
/// Conjugate gradients of a rank alone.
template <class T>
class GradientsAlone final : public iterative::InnerSolver<T> {
 public:
  GradientsAlone(Rank& rank, const SparseMatrix<T>& B, double tolerance)
      : alone_(rank, 1),
        gradients_(iterative::conjugate_gradients<T>(alone_.ranks(), &B,
                                                     std::vector<int>(static_cast<std::size_t>(B.rows)),
                                                     {.tolerance = tolerance})) {}
  void solve(Rank&, const T* r, T* z) override { gradients_->solve(alone_.ranks(), r, z); }
  Index steps() const override { return gradients_->steps(); }

 private:
  iterative::BlockGroup alone_;
  std::unique_ptr<iterative::InnerSolver<T>> gradients_;
};

template <class T>
iterative::InnerFactory<T> by_gradients(double tolerance) {
  return
      [=](Rank& rank, SparseMatrix<T> B) { return std::make_unique<GradientsAlone<T>>(rank, B, tolerance); };
}

/// The obvious twin of extended_rows: a set that grows.
std::set<Index> grown(const SparseMatrix<double>& A, const std::vector<int>& owner, int r, int layers) {
  const Dense<double> a = dense(A);
  std::set<Index> rows;
  for (std::size_t i = 0; i < owner.size(); ++i)
    if (owner[i] == r) rows.insert(static_cast<Index>(i));
  for (int layer = 0; layer < layers; ++layer)
    for (const Index i : std::set<Index>(rows))
      for (std::size_t j = 0; j < owner.size(); ++j)
        if (a[i][j] != 0) rows.insert(static_cast<Index>(j));
  return rows;
}

TEST(Multisplitting, ExtendedRows) {
  const SparseMatrix<double> A = random_matrix<double>(50, 1.5, 1);
  for (const int ranks : {1, 3, 8}) {
    const std::vector<int> owner = distributed(50, ranks, 2);
    const iterative::RowDistribution<double> distribution(A, owner, ranks);
    for (int r = 0; r < ranks; ++r)
      for (int layers = 0; layers < 4; ++layers) {
        const RowNumbers rows = iterative::extended_rows(distribution, distribution.rows_of_rank[r], layers);
        const std::set<Index> expected = grown(A, owner, r, layers);
        EXPECT_EQ(std::set<Index>(rows.begin(), rows.end()), expected);
        EXPECT_EQ(rows.size(), expected.size());
        const auto own = std::ranges::count(owner, r);
        EXPECT_TRUE(std::all_of(rows.begin(), rows.begin() + own, [&](Index i) { return owner[i] == r; }));
      }
  }
}

/// A and b on rank 0; the residual that is told is compared with that of the collected vector.
template <class T>
struct Solved {
  iterative::IterationResult<T> result;
  std::vector<T> x;  ///< on rank 0
  Index inner_steps = 0;
};
template <class T>
Solved<T> split_and_check(Rank& rank, const SparseMatrix<T>& A, const std::vector<T>& b,
                          const std::vector<int>& owner, const SchwarzPlan& schwarz,
                          const iterative::InnerFactory<T>& inner, const IterationPlan& plan) {
  SchwarzBlock<T> block(rank, rank.rank() == 0 ? &A : nullptr, owner, schwarz, inner);
  block.distribute_source(rank, rank.rank() == 0 ? b.data() : nullptr);
  Solved<T> solved{iterate(rank, block, plan), {}, 0};
  solved.x = block.gather_on_root(rank, solved.result.x);
  solved.inner_steps = block.inner_steps();
  if (rank.rank() == 0) {
    const double eps = std::numeric_limits<Real<T>>::epsilon();
    EXPECT_NEAR(solved.result.residual, relative_residual(A, solved.x, b),
                1e5 * eps * (1 + solved.result.residual));
  }
  return solved;
}

// In step, k iterations are k steps of the twin; the residual falls in each, so that the last vector is the best.
TEST(Multisplitting, InStepItIsRestrictedAdditiveSchwarz) {
  const SparseMatrix<double> A = random_matrix<double>(40, 1.5, 5);
  Random random(6);
  std::vector<double> b;
  for (int i = 0; i < 40; ++i) b.push_back(random.uniform(-1, 1));
  on_each_team([&](Rank& rank) {
    const std::vector<int> owner = distributed(40, rank.size(), 7);
    for (const SchwarzPlan& plan : {SchwarzPlan{0, 1}, {1, 1}, {2, 1}, {1, 0.5}}) {
      const int steps = rank.size() == 1 && plan.damping == 1 ? 1 : 3;
      const auto solved = split_and_check<double>(
          rank, A, b, owner, plan, by_elimination<double>(),
          {.variant = Variant::sync, .tolerance = 0, .max_iterations = steps, .residual_period = 1});
      EXPECT_EQ(solved.result.iterations, steps);
      if (rank.rank() != 0) continue;
      const std::vector<double> x = schwarz_twin(A, b, owner, rank.size(), plan, steps);
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(solved.x[i], x[i], 1e-12) << plan.overlap;
    }
  });
}

template <class T>
void split_random_systems() {
  on_each_team([](Rank& rank) {
    for (const Index n : {0, 1, 5, 40})
      for (const Variant variant : {Variant::sync, Variant::async, Variant::racy})
        for (const int overlap : {0, 2}) {
          if (variant == Variant::racy && ScalarTraits<T>::is_complex) continue;
          const SparseMatrix<T> A = random_matrix<T>(n, 1.5, 11);
          Random random(12);
          std::vector<T> b;
          for (Index i = 0; i < n; ++i) b.push_back(random_number<T>(random));
          const double tolerance = 1e3 * std::numeric_limits<Real<T>>::epsilon();
          const auto solved = split_and_check<T>(
              rank, A, b, distributed(n, rank.size(), 13), {.overlap = overlap}, by_elimination<T>(),
              {.variant = variant, .tolerance = tolerance, .residual_period = 1});
          EXPECT_TRUE(solved.result.has_converged) << n;
          EXPECT_LE(solved.result.residual, tolerance) << n;
          if (n < 40) continue;
          EXPECT_GT(solved.inner_steps, 0);
          if (rank.size() > 1 && overlap == 0) {
            EXPECT_GT(solved.result.sends, 0);
          }
        }
  });
}

TEST(Multisplitting, Float) { split_random_systems<float>(); }
TEST(Multisplitting, Double) { split_random_systems<double>(); }
TEST(Multisplitting, ComplexFloat) { split_random_systems<std::complex<float>>(); }
TEST(Multisplitting, ComplexDouble) { split_random_systems<std::complex<double>>(); }

// Unknown i needs i - 1 alone: the first rank has no news after its first solve, and waits until the others are ready.
TEST(Multisplitting, ARankRestsUntilItsHaloChanges) {
  constexpr Index n = 24;
  SparseMatrix<double> A;
  A.rows = A.cols = n;
  for (Index j = 0; j < n; ++j) {
    A.row.push_back(j), A.value.push_back(1);
    if (j + 1 < n) A.row.push_back(j + 1), A.value.push_back(-0.5);
    A.start.push_back(A.nnz());
  }
  on_each_team([&](Rank& rank) {
    std::vector<int> owner;
    for (Index i = 0; i < n; ++i) owner.push_back(static_cast<int>(i * rank.size() / n));
    for (const double damping : {1.0, 0.5}) {
      const auto solved = split_and_check<double>(
          rank, A, std::vector<double>(n, 1.0), owner, {.overlap = 0, .damping = damping},
          by_elimination<double>(), {.variant = Variant::async, .tolerance = 1e-12, .residual_period = 1});
      EXPECT_TRUE(solved.result.has_converged);
      EXPECT_EQ(solved.inner_steps + solved.result.rests, solved.result.iterations);
      if (damping < 1) {
        EXPECT_EQ(solved.result.rests, 0);
      } else if (rank.rank() == 0) {
        EXPECT_EQ(solved.inner_steps, 1);
      }
    }
  });
}

template <class T>
void gradients_like_elimination() {
  on_each_team([](Rank& rank) {
    const bool is_root = rank.rank() == 0;
    const SparseMatrix<T> B = positive_matrix<T>(30, 21);
    Random random(22);
    std::vector<T> r, z(30, T(0));
    for (int i = 0; i < 30; ++i) r.push_back(random_number<T>(random));
    const double eps = std::numeric_limits<Real<T>>::epsilon();
    const auto cg = iterative::conjugate_gradients<T>(
        rank, is_root ? &B : nullptr, distributed(30, rank.size(), 24), {.tolerance = 100 * eps});
    cg->solve(rank, is_root ? r.data() : nullptr, is_root ? z.data() : nullptr);
    const Index steps = cg->steps();
    EXPECT_GT(steps, 0);
    if (is_root) {
      EXPECT_LE(relative_residual(B, z, r), 1000 * eps);
      const std::vector<T> x = eliminate(dense(B), r);
      // the diagonal exceeds the others' sum by 0.5: ||B^-1||_oo <= 2
      for (int i = 0; i < 30; ++i) EXPECT_LE(std::abs(z[i] - x[i]), 2e4 * eps);
    }
    cg->solve(rank, is_root ? r.data() : nullptr, is_root ? z.data() : nullptr);  // from the solution
    EXPECT_LE(cg->steps() - steps, 30);
  });
}
TEST(Gradients, Float) { gradients_like_elimination<float>(); }
TEST(Gradients, Double) { gradients_like_elimination<double>(); }
TEST(Gradients, ComplexDouble) { gradients_like_elimination<std::complex<double>>(); }

TEST(Gradients, WhatIsNotPositiveDefiniteIsAnErrorOnEveryRank) {
  each_team({}, [](Team& team) {
    try {
      team.run([&](Rank& rank) {
        SparseMatrix<double> A = positive_matrix<double>(20, 23);
        for (double& x : A.value) x = std::abs(x) * 2;  // off-diagonal 2x, diagonal as well: not dominant
        for (Index j = 0; j < 20; ++j)
          for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
            if (A.row[p] == j) A.value[p] = 0.01;
        split_and_check<double>(rank, A, std::vector<double>(20, 1.0), std::vector<int>(20, rank.size() - 1),
                                {}, by_gradients<double>(1e-12), {.variant = Variant::async});
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::bad_input);
      EXPECT_NE(std::string(e.what()).find("inner direct"), std::string::npos) << e.what();
    }
  });
}

TEST(Multisplitting, UnderDelays) {
  const SparseMatrix<double> A = positive_matrix<double>(40, 31);
  const std::vector<double> b(40, 1.0);
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    on_each_team([&](Rank& engine) {
      CheckedRank rank(engine, {.seed = seed, .delay = 0.8});
      const auto solved = split_and_check<double>(
          rank, A, b, distributed(40, rank.size(), seed), {.overlap = static_cast<int>(seed) - 1},
          by_gradients<double>(0.1), {.variant = Variant::async, .tolerance = 1e-10, .residual_period = 1});
      EXPECT_TRUE(solved.result.has_converged);
      collective::barrier(rank);
    });
}

TEST(Multisplitting, PlansThatCannotWork) {
  each_team({}, [](Team& team) {
    for (const SchwarzPlan& plan : {SchwarzPlan{-1, 1}, {1, 0}, {1, 1.5}}) {
      try {
        team.run([&](Rank& rank) {
          const SparseMatrix<double> A = positive_matrix<double>(10, 41);
          SchwarzBlock<double>(rank, rank.rank() == 0 ? &A : nullptr, distributed(10, rank.size(), 42), plan,
                               by_gradients<double>(0.1));
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const Error& e) {
        EXPECT_EQ(e.status(), Status::bad_plan) << e.what();
      }
    }
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
