#include "iterative/multisplitting/schwarz_operator.hpp"

#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "engine.hpp"
#include "iterative/driver/iterate.hpp"
#include "schwarz_twin.hpp"

#include <algorithm>
#include <complex>
#include <limits>

/// Schwarz as a linear operator beside its dense matrix.
namespace overlapack::comm::conformance {
namespace {

using iterative::CoarseBasis;
using iterative::InnerFactory;
using iterative::SchwarzOperator;

template <class T>
T conj_of(const T& x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return std::conj(x);
  else
    return x;
}

template <class T>
Dense<T> adjoint(const Dense<T>& a) {
  Dense<T> b(a.empty() ? 0 : a[0].size(), std::vector<T>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[i].size(); ++j) b[j][i] = conj_of(a[i][j]);
  return b;
}
template <class T>
std::vector<T> times(const Dense<T>& a, const std::vector<T>& x) {
  std::vector<T> y(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += a[i][j] * x[j];
  return y;
}
template <class T>
std::vector<T> plus(std::vector<T> x, const std::vector<T>& y, Real<T> factor = 1) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * y[i];
  return x;
}

template <class T>
class DenseInner final : public iterative::InnerSolver<T> {
 public:
  explicit DenseInner(const SparseMatrix<T>& B) : b_(dense(B)), adjoint_(adjoint(b_)) {}
  void solve(Rank&, const T* r, T* z) override { solve_with(b_, r, z); }
  void solve_adjoint(Rank&, const T* r, T* z) override { solve_with(adjoint_, r, z); }

 private:
  void solve_with(const Dense<T>& a, const T* r, T* z) {
    std::ranges::copy(eliminate(a, std::vector<T>(r, r + a.size())), z);
  }
  Dense<T> b_, adjoint_;
};
template <class T>
InnerFactory<T> dense_inner() {
  return [](Rank&, SparseMatrix<T> B) { return std::make_unique<DenseInner<T>>(B); };
}

/// What an operator is made of.
struct Form {
  OverlapWeights weights = OverlapWeights::owner;
  bool is_coarse = false;
  int overlap = 1, blocks = 3, sweeps = 1;
  double damping = 1;
};

/// The obvious twin: every step written down with dense matrices.
template <class T>
class Twin {
 public:
  Twin(const SparseMatrix<T>& A, const std::vector<int>& block, const Form& form, const CoarseBasis<T>& basis)
      : a_(dense(A)), form_(form) {
    const iterative::RowDistribution<T> deal(A, block, form.blocks);
    std::vector<int> shared(block.size());
    for (int b = 0; b < form.blocks; ++b) {
      const RowNumbers& own = deal.rows_of_rank[static_cast<std::size_t>(b)];
      rows_.push_back(iterative::extended_rows(deal, own, form.overlap));
      for (const Index i : rows_.back()) ++shared[static_cast<std::size_t>(i)];
    }
    for (int b = 0; b < form.blocks; ++b) {
      in_.emplace_back(), out_.emplace_back();
      for (const Index i : rows_[static_cast<std::size_t>(b)]) {
        const double root = 1 / std::sqrt(double(shared[static_cast<std::size_t>(i)]));
        const bool is_own = block[static_cast<std::size_t>(i)] == b;
        in_.back().push_back(Real<T>(form.weights == OverlapWeights::both ? root : 1));
        out_.back().push_back(Real<T>(form.weights == OverlapWeights::both    ? root
                                      : form.weights == OverlapWeights::owner ? is_own
                                                                              : 1));
      }
    }
    for (Index c = 0; c < basis.columns(); ++c) {
      std::vector<T>& column = basis_.emplace_back(block.size());
      for (std::size_t i = 0; i < block.size(); ++i) {
        const Index at = c - basis.start[static_cast<std::size_t>(block[i])];
        if (at >= 0 && c < basis.start[static_cast<std::size_t>(block[i]) + 1])
          column[i] = basis.value[i * static_cast<std::size_t>(basis.most) + static_cast<std::size_t>(at)];
      }
    }
  }

  std::vector<T> apply(const std::vector<T>& b, bool is_adjoint) const {
    const Dense<T> a = is_adjoint ? adjoint(a_) : a_;
    std::vector<T> x(b.size());
    for (int k = 0; k < form_.sweeps; ++k) {
      const std::vector<T> r = plus(b, times(a, x), -1);
      const bool is_restricted = form_.weights == OverlapWeights::owner;
      std::vector<T> z(b.size());
      if (!is_restricted || is_adjoint) z = coarse(a, r);
      z = plus(z, blocks(a, plus(r, times(a, z), -1), is_adjoint));
      if (!is_restricted || !is_adjoint) z = plus(z, coarse(a, plus(r, times(a, z), -1)));
      x = plus(x, z, Real<T>(form_.damping));
    }
    return x;
  }

 private:
  std::vector<T> blocks(const Dense<T>& a, const std::vector<T>& r, bool is_adjoint) const {
    std::vector<T> z(r.size());
    for (std::size_t b = 0; b < rows_.size(); ++b) {
      const RowNumbers& S = rows_[b];
      const auto &in = is_adjoint ? out_[b] : in_[b], &out = is_adjoint ? in_[b] : out_[b];
      Dense<T> inside(S.size(), std::vector<T>(S.size()));
      std::vector<T> right;
      for (std::size_t i = 0; i < S.size(); ++i) {
        right.push_back(in[i] * r[static_cast<std::size_t>(S[i])]);
        for (std::size_t j = 0; j < S.size(); ++j)
          inside[i][j] = a[static_cast<std::size_t>(S[i])][static_cast<std::size_t>(S[j])];
      }
      const std::vector<T> y = eliminate(inside, right);
      for (std::size_t i = 0; i < S.size(); ++i) z[static_cast<std::size_t>(S[i])] += out[i] * y[i];
    }
    return z;
  }
  std::vector<T> coarse(const Dense<T>& a, const std::vector<T>& r) const {
    std::vector<T> z(r.size());
    if (basis_.empty()) return z;
    const auto along = [](const std::vector<T>& p, const std::vector<T>& v) {
      T sum = T(0);
      for (std::size_t i = 0; i < v.size(); ++i) sum += conj_of(p[i]) * v[i];
      return sum;
    };
    Dense<T> C(basis_.size(), std::vector<T>(basis_.size()));
    std::vector<T> right;
    for (std::size_t p = 0; p < basis_.size(); ++p) {
      right.push_back(along(basis_[p], r));
      for (std::size_t q = 0; q < basis_.size(); ++q) C[p][q] = along(basis_[p], times(a, basis_[q]));
    }
    const std::vector<T> y = eliminate(C, right);
    for (std::size_t p = 0; p < basis_.size(); ++p)
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += basis_[p][i] * y[p];
    return z;
  }

  Dense<T> a_;
  Form form_;
  std::vector<RowNumbers> rows_;
  std::vector<std::vector<Real<T>>> in_, out_;
  std::vector<std::vector<T>> basis_;
};

template <class T>
CoarseBasis<T> basis_of(const std::vector<int>& block, const Form& form) {
  if (!form.is_coarse) return {};
  std::vector<T> vectors(2 * block.size(), T(1));  // the second is a ramp; blocks of one row have one column
  for (std::size_t i = 0; i < block.size(); ++i) vectors[block.size() + i] = T(Real<T>(i));
  return iterative::coarse_basis<T>(block, form.blocks, vectors, 2);
}

template <class T>
std::vector<T> random_numbers(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> x;
  for (Index i = 0; i < n; ++i) x.push_back(random_number<T>(random));
  return x;
}

template <class T>
SchwarzOperator<T> made(Rank& rank, const SparseMatrix<T>& A, const std::vector<int>& block, const Form& form,
                        const CoarseBasis<T>& basis) {
  const bool is_root = rank.rank() == 0;
  return SchwarzOperator<T>(rank, is_root ? &A : nullptr, is_root ? block : std::vector<int>(),
                            {.overlap = form.overlap, .damping = form.damping, .blocks = form.blocks},
                            form.weights, dense_inner<T>(), dense_inner<T>(),
                            is_root ? basis : CoarseBasis<T>());
}

template <class T>
double distance(const std::vector<T>& x, const std::vector<T>& y) {
  double most = 0, size = 1e-300;
  for (std::size_t i = 0; i < x.size(); ++i) {
    most = std::max(most, double(std::abs(x[i] - y[i])));
    size = std::max(size, double(std::abs(y[i])));
  }
  return most / size;
}

template <class T>
void compare_with_twin(std::uint64_t seed) {
  on_each_team([&](Rank& rank) {
    const Index n = 45;
    const SparseMatrix<T> A = random_matrix<T>(n, 1.3, seed);
    for (const OverlapWeights weights : {OverlapWeights::owner, OverlapWeights::both, OverlapWeights::none})
      for (const bool is_coarse : {false, true})
        for (const int per_rank : {1, 2, 5}) {
          const Form form{weights, is_coarse, per_rank, per_rank * rank.size(), 1 + per_rank % 3, 0.75};
          const std::vector<int> block = distributed(n, form.blocks, seed);
          const CoarseBasis<T> basis = basis_of<T>(block, form);
          SchwarzOperator<T> M = made(rank, A, block, form, basis);
          const Twin<T> twin(A, block, form, basis);
          const std::vector<T> b = random_numbers<T>(n, seed + 1);
          for (const bool is_adjoint : {false, true}) {
            std::vector<T> x(b.size());
            M.apply(rank, b.data(), x.data(), form.sweeps, is_adjoint);
            if (rank.rank() == 0) {
              EXPECT_LE(distance(x, twin.apply(b, is_adjoint)),
                        1e4 * std::numeric_limits<Real<T>>::epsilon());
            }
          }
        }
  });
}

TEST(SchwarzOperator, IsItsDenseMatrix) {
  compare_with_twin<double>(3);
  compare_with_twin<std::complex<double>>(4);
  compare_with_twin<float>(5);
}

/// Re <x, y>
template <class T>
double product(const std::vector<T>& x, const std::vector<T>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::real(std::complex<double>(conj_of(x[i]) * y[i]));
  return sum;
}

// <M x, y> = <x, M y> to rounding, and <M x, x> > 0; restricted weights have no such symmetry, but <M x, y> = <x, M^H y>.
template <class T>
void test_symmetry() {
  on_each_team([](Rank& rank) {
    const Index n = 40;
    const SparseMatrix<T> A = positive_matrix<T>(n, 7);
    for (const OverlapWeights weights : {OverlapWeights::owner, OverlapWeights::both, OverlapWeights::none})
      for (const bool is_coarse : {false, true})
        for (const int sweeps : {1, 2, 3}) {
          const Form form{weights,         is_coarse, 2,
                          2 * rank.size(), sweeps,    0.5 / rank.size()};  // 1 over the blocks
          const std::vector<int> block = distributed(n, form.blocks, 8);
          SchwarzOperator<T> M = made(rank, A, block, form, basis_of<T>(block, form));
          for (std::uint64_t seed = 0; seed < 3; ++seed) {
            const std::vector<T> x = random_numbers<T>(n, 20 + seed), y = random_numbers<T>(n, 30 + seed);
            std::vector<T> Mx(x.size()), My(x.size()), MHy(x.size());
            M.apply(rank, x.data(), Mx.data(), sweeps, false);
            M.apply(rank, y.data(), My.data(), sweeps, false);
            M.apply(rank, y.data(), MHy.data(), sweeps, true);
            if (rank.rank() != 0) continue;
            const double size = std::abs(product(Mx, y)) + 1e-3;
            EXPECT_NEAR(product(Mx, y), product(x, MHy), 1e-12 * size);
            if (weights == OverlapWeights::owner) continue;
            EXPECT_NEAR(product(Mx, y), product(x, My), 1e-12 * size) << sweeps << is_coarse;
            EXPECT_GT(product(Mx, x), 0);
          }
        }
  });
}

TEST(SchwarzOperator, IsHermitianAndPositiveWhereItSaysSo) {
  test_symmetry<double>();
  test_symmetry<std::complex<double>>();
}

/// A residual behind start() has no part in the coarse level: a product and a coarse solve less, and the same result. Of other
/// right-hand sides a small part counts as any.
template <class T>
void test_shorter_sweeps() {
  using Right = typename SchwarzOperator<T>::Right;
  constexpr double eps = std::numeric_limits<Real<T>>::epsilon();
  on_each_team([](Rank& rank) {
    const Index n = 40;
    const SparseMatrix<T> A = positive_matrix<T>(n, 7);
    const std::vector<T> b = random_numbers<T>(n, 12);
    for (const OverlapWeights weights : {OverlapWeights::owner, OverlapWeights::both, OverlapWeights::none}) {
      const Form form{.weights = weights, .is_coarse = true, .blocks = 2 * rank.size()};
      const std::vector<int> block = distributed(n, form.blocks, 8);
      const CoarseBasis<T> basis = basis_of<T>(block, form);
      SchwarzOperator<T> M = made(rank, A, block, form, basis);
      std::vector<T> x(b.size()), z(b.size());
      M.apply(rank, b.data(), x.data(), 1, false, Right::behind_start);
      EXPECT_EQ(M.sweeps_without_coarse(), 0);  // b is not behind the start
      EXPECT_EQ(M.is_balanced(), weights != OverlapWeights::owner);
      if (!M.is_balanced()) continue;
      M.start(rank, b.data(), x.data());
      const std::vector<T> r = plus(b, times(dense(A), x), -1);
      M.apply(rank, r.data(), z.data(), 1, false, Right::behind_start);
      EXPECT_EQ(M.sweeps_without_coarse(), 1);
      const Twin<T> twin(A, block, form, basis);
      if (rank.rank() == 0) {
        EXPECT_LE(distance(z, twin.apply(r, false)), 1e5 * eps);
      }
      // a part of the coarse level of 1000 roundings, which M makes a thousand times as large
      const std::vector<T> little = plus(r, std::vector<T>(b.size(), T(1)), Real<T>(1000 * eps));
      for (const bool is_adjoint : {false, true}) M.apply(rank, little.data(), z.data(), 2, is_adjoint);
      EXPECT_EQ(M.sweeps_without_coarse(), 1);
    }
  });
}

TEST(SchwarzOperator, SweepsOfResidualsBehindItsStartAreShorter) {
  test_shorter_sweeps<float>();
  test_shorter_sweeps<double>();
  test_shorter_sweeps<std::complex<double>>();
}

// As many steps of the asynchronous driver in step: blocks of a rank and blocks of ranks are the same.
TEST(SchwarzOperator, SeveralBlocksARankIterateAsSoManyRanks) {
  on_each_team([](Rank& rank) {
    const SparseMatrix<double> A = random_matrix<double>(50, 1.5, 9);
    const std::vector<double> b = random_numbers<double>(50, 10);
    const int blocks = 3 * rank.size();
    const SchwarzPlan plan{.overlap = 2, .damping = 0.9, .blocks = blocks};
    const std::vector<int> block = distributed(50, blocks, 11);
    const bool is_root = rank.rank() == 0;
    iterative::SchwarzBlock<double> rows(rank, is_root ? &A : nullptr, block, plan, dense_inner<double>());
    rows.distribute_source(rank, is_root ? b.data() : nullptr);
    const auto result = iterate(
        rank, rows,
        {.variant = iterative::Variant::sync, .tolerance = 0, .max_iterations = 4, .residual_period = 1});
    const std::vector<double> x = rows.gather_on_root(rank, result.x);
    if (is_root) {
      EXPECT_LE(distance(x, schwarz_twin(A, b, block, blocks, plan, 4)), 1e-12);
    }
    const auto async = iterate(rank, rows, {.tolerance = 1e-10, .residual_period = 1});
    EXPECT_TRUE(async.has_converged);
  });
}

TEST(SchwarzOperator, FewerBlocksThanRanksAreRefused) {
  on_each_team([](Rank& rank) {
    if (rank.size() == 1) GTEST_SKIP() << "a single rank";
    EXPECT_THROW(iterative::require_plan(SchwarzPlan{.blocks = 1}, rank.size()), Error);
  });
}

TEST(CoarseBasis, IsOrthonormalAndLeavesOutWhatDepends) {
  const std::vector<int> block{0, 0, 0, 1, 2, 2};  // block 3 has no rows
  std::vector<double> vectors;
  for (const double v : {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 2.0, 5.0, 7.0, 7.0}) vectors.push_back(v);
  const auto basis = iterative::coarse_basis<double>(block, 4, vectors, 2);
  EXPECT_EQ(basis.start,
            (std::vector<Index>{0, 2, 3, 4, 4}));  // one row: one column; a constant twice: one column
  for (Index c = 0; c < 2; ++c)
    for (Index d = 0; d < 2; ++d) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i)
        sum += basis.value[2 * i + static_cast<std::size_t>(c)] *
               basis.value[2 * i + static_cast<std::size_t>(d)];
      EXPECT_NEAR(sum, c == d, 1e-15);
    }
}

}  // namespace
}  // namespace overlapack::comm::conformance
