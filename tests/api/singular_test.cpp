#include "overlapack/dense.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/overlapack.hpp"
#include "random_values.hpp"
#include "sparse/matrix/triplets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>

/// A pivot that is rounding: A is proved singular, and right-hand sides have a solution or none, or it is regular and they have an answer.
namespace overlapack {
namespace {

/// `weight` x the Laplacian of a ring on the variables first .. first + length - 1, nothing elsewhere.
template <class T>
void add_ring(Triplets<T>& entries, Index first, Index length, Real<T> weight) {
  for (Index k = 0; k < length; ++k) {
    const Index i = first + k, j = first + (k + 1) % length;
    for (const Index at : {i, j}) entries.add(at, at, T(weight));
    entries.add(i, j, T(-weight));
    entries.add(j, i, T(-weight));
  }
}

/// A ring that hangs on nothing, 20 variables from `first` on, among others that are held.
template <class T>
SparseMatrix<T> with_loose_ring(Index n, Index first) {
  Triplets<T> entries;
  entries.rows = entries.cols = n;
  for (Index k = 0; k < n; ++k)
    if (k < first || k >= first + 20) entries.add(k, k, T(3));
  for (Index k = 0; k + 1 < first; ++k) entries.add(k, k + 1, T(1)), entries.add(k + 1, k, T(1));
  add_ring<T>(entries, first, 20, Real<T>(0.3));
  SparseMatrix<T> A = sparse::compress(std::move(entries)).matrix;
  return A;
}

/// The last of its columns is the sum of the others.
SparseMatrix<double> with_dependent_column(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(static_cast<std::size_t>(n * n));
  for (Index j = 0; j + 1 < n; ++j)
    for (Index i = 0; i < n; ++i) {
      values[i + j * n] = random_value<double>(random);
      values[i + (n - 1) * n] += values[i + j * n];
    }
  SparseMatrix<double> A{n, n, {0}, {}, std::move(values), Symmetry::general};
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) A.row.push_back(i);
    A.start.push_back(A.nnz());
  }
  return A;
}

template <class T>
std::vector<T> product(const SparseMatrix<T>& A, const std::vector<T>& x) {
  std::vector<T> y(x.size());
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) y[A.row[k]] += A.value[k] * x[j];
  return y;
}

std::string singular_sentence(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::singular) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

constexpr Index first = 31;  ///< unknown of the ring

/// A singular matrix, with a right-hand side that has a solution and one that has none.
template <class T>
struct LooseRingProblem {
  SparseMatrix<T> A;
  std::vector<T> b, inconsistent;
};

template <class T>
LooseRingProblem<T> loose_ring_problem() {
  SparseMatrix<T> A = with_loose_ring<T>(90, first);
  std::vector<T> b = product(A, random_vector<T>(90, 4)), inconsistent = b;
  inconsistent[static_cast<std::size_t>(first)] += T(1);
  return {std::move(A), std::move(b), std::move(inconsistent)};
}

template <class T>
class SingularOf : public testing::Test {};
using SingularTypes = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SingularOf, SingularTypes);

TYPED_TEST(SingularOf, ConsistentSystemsHaveAnAnswerAndAWarning) {
  using T = TypeParam;
  const auto [A, b, inconsistent] = loose_ring_problem<T>();
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
    for (const int ranks : {1, 3}) {
      Options options{.method = Method::multifrontal, .factorization = kind, .ranks = ranks};
      auto factors = factorize(A, options);
      EXPECT_EQ(factors.report().numerical_rank, -1);
      for (const Transpose op : {Transpose::none, Transpose::conj_trans}) {
        const auto solution = factors.solve(b, 1, op);
        const Report& report = solution.report;
        EXPECT_EQ(report.status, Status::ill_conditioned) << report.message;
        EXPECT_EQ(report.pivots.rounding, 1);
        EXPECT_GE(report.weak_unknown, first);
        EXPECT_LT(report.weak_unknown, first + 20);
        EXPECT_LT(report.weak_equation, first + 20);
        EXPECT_NE(report.message.find("(column) " + std::to_string(report.weak_unknown)), std::string::npos)
            << report.message;
        EXPECT_GT(report.condition_estimate, 0.01 / std::numeric_limits<Real<T>>::epsilon());
        EXPECT_LE(report.backward_error, 45 * std::numeric_limits<Real<T>>::epsilon());
        EXPECT_LE(report.null_share, 2 * std::numeric_limits<Real<T>>::epsilon());
        EXPECT_EQ(report.null_vector.size(), 90u * (ScalarTraits<T>::is_complex ? 2 : 1));
      }
      EXPECT_NE(singular_sentence([&] { factors.solve(inconsistent); }).find("no solution"),
                std::string::npos);
      EXPECT_EQ(factors.solve(b).report.status, Status::ill_conditioned);  // usable after it
      singular_sentence([&] { factors.null_space(); });
      singular_sentence([&] { factors.inverse_entries(std::vector<Index>{0}, std::vector<Index>{0}); });
      if (kind == FactorKind::ldlt && !ScalarTraits<T>::is_complex)
        singular_sentence([&] { factors.inertia(); });
      options.singular = SingularMatrix::refuse;
      EXPECT_NE(singular_sentence([&] { factorize(A, options); }).find("without effect on A x"),
                std::string::npos);
    }
}

/// Pivots that are replaced are none that tell of a singular matrix, however small a replacement is asked for: x is judged, by its
/// residual and by what last digits make of it.
TYPED_TEST(SingularOf, ReplacedPivotsAreNoErrorButLeaveXInDoubt) {
  using T = TypeParam;
  const auto [A, b, inconsistent] = loose_ring_problem<T>();
  for (const auto& [method, kind] : {std::pair{Method::multifrontal, FactorKind::lu},
                                     {Method::multifrontal, FactorKind::ldlt},
                                     {Method::block_triangular, FactorKind::lu}})
    for (const double perturbation : {1e-20, 1e-13, 1e-8, 1e-3}) {
      Options options{.method = method, .factorization = kind, .ranks = 1};
      options.sparse.perturbation = perturbation;
      auto factors = factorize(A, options);
      EXPECT_EQ(factors.report().pivots.perturbed, 1);
      EXPECT_EQ(factors.report().pivots.rounding, 0);
      EXPECT_EQ(factors.report().numerical_rank, -1);
      const Report good = factors.solve(b).report, bad = factors.solve(inconsistent).report;
      EXPECT_EQ(good.status, Status::ill_conditioned) << to_string(method) << " " << perturbation;
      EXPECT_NE(good.message.find("without effect on A x"), std::string::npos) << good.message;
      EXPECT_EQ(bad.status, Status::inaccurate) << to_string(method) << " " << perturbation;
    }
}

/// [a, b; b, a] with a = size + gap, b = -size; x of b = (rhs, 0) is exact in more than double.
SparseMatrix<double> conductances(double size, double gap) {
  return {2, 2, {0, 2, 4}, {0, 1, 0, 1}, {size + gap, -size, -size, size + gap}, Symmetry::symmetric};
}

/// No solution of them leaves less of the residual than condition x epsilon, which was taken for a proof that there is none.
TEST(Singular, IllConditionedMatricesHaveAnAnswer) {
  for (const double size : {1.0, 10.0, 100.0, 300.0, 1000.0})
    for (const Method method :
         {Method::multifrontal, Method::block_triangular, Method::supernodal, Method::dense})
      for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky})
        for (const SingularMatrix singular :
             {SingularMatrix::answer, SingularMatrix::always, SingularMatrix::refuse}) {
          const bool is_lu_only = method == Method::supernodal || method == Method::dense;
          if (kind != FactorKind::lu &&
              (is_lu_only || (method == Method::block_triangular && kind == FactorKind::cholesky)))
            continue;
          const SparseMatrix<double> A = conductances(size, 1e-12);
          const std::vector<double> b{1e-3, 0};
          const long double a = A.value[0], c = A.value[1], det = (a - c) * (a + c);
          const Options options{.method = method, .factorization = kind, .singular = singular};
          const Solution<double> solution = method == Method::dense
                                                ? dense::solve<double>({A.value.data(), 2, 2, 2}, b, options)
                                                : solve(A, std::span<const double>(b), options);
          const Report& report = solution.report;
          const double exact = static_cast<double>(a * 1e-3L / det);
          const double error = std::abs(solution.x[0] - exact) / exact;
          EXPECT_LE(report.backward_error, 1e-15);
          if (size < 100) {
            EXPECT_LT(error, 1e-2);
            continue;
          }
          EXPECT_EQ(report.status, Status::ill_conditioned) << to_string(method) << " " << report.message;
          EXPECT_EQ(report.message.find("no solution"), std::string::npos) << report.message;
          EXPECT_GT(report.condition_estimate, 1e13);
          EXPECT_LE(error, report.forward_error_bound) << to_string(method) << " " << size;
          EXPECT_LT(report.forward_error_bound, 1) << to_string(method) << " " << size;
          EXPECT_GT(report.null_share, 2 * std::numeric_limits<double>::epsilon());
          EXPECT_TRUE(report.null_vector.empty());
        }
}

/// The vector is checked as its reader would: in every row, in more than double, and nothing else is taken for a proof.
TEST(Singular, TheProofHoldsInEveryRow) {
  Options refuses{.singular = SingularMatrix::refuse};
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    SparseMatrix<double> A = with_dependent_column(30, seed);
    Random random(seed);
    for (Index j = 0; j < 30; ++j) {  // scaled, which changes nothing
      const int by = static_cast<int>(random.below(80)) - 40;
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
        A.value[static_cast<std::size_t>(k)] *= std::ldexp(1.0, by);
    }
    singular_sentence([&] { factorize(A, refuses); });
    auto factors = factorize(A);
    const std::vector<double>& v = factors.report().null_vector;
    ASSERT_EQ(v.size(), 30u);
    std::vector<long double> product(30), weight(30);
    for (Index j = 0; j < 30; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
        const long double term =
            static_cast<long double>(A.value[static_cast<std::size_t>(k)]) * v[static_cast<std::size_t>(j)];
        product[static_cast<std::size_t>(A.row[static_cast<std::size_t>(k)])] += term;
        weight[static_cast<std::size_t>(A.row[static_cast<std::size_t>(k)])] += std::abs(term);
      }
    for (std::size_t i = 0; i < 30; ++i) EXPECT_LE(std::abs(product[i]), 4.5e-16L * weight[i]) << i;
  }
}

/// A null vector of one part of a matrix whose other part is regular and has nothing to do with it, or hangs on it.
TEST(Singular, PartsThatAreRegularDoNotHideIt) {
  for (const bool hangs : {false, true}) {
    Triplets<double> entries;
    entries.rows = entries.cols = 120;
    add_ring<double>(entries, 0, 40, 0.7);
    for (Index k = 40; k < 120; ++k) {
      entries.add(k, k, 4);
      if (k + 1 < 120) entries.add(k, k + 1, 1), entries.add(k + 1, k, -1);
    }
    if (hangs) entries.add(40, 39, 1);
    const SparseMatrix<double> A = sparse::compress(std::move(entries)).matrix;
    for (const Method method : {Method::multifrontal, Method::block_triangular}) {
      auto factors = factorize(A, {.method = method});
      EXPECT_EQ(factors.report().null_vector.size(), 120u) << to_string(method) << hangs;
      singular_sentence([&] { factors.solve(random_vector<double>(120, 3)); });
      EXPECT_EQ(factors.solve(product(A, random_vector<double>(120, 4))).report.status,
                Status::ill_conditioned);
    }
  }
}

/// [H, J^T; J, 0] whose constraints depend on each other: entries of the null vector have to be zero where H is, and rows of J see nothing
/// else; callers of interior points correct the matrix until that is over.
TEST(Singular, DependentConstraintsAreProved) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const auto n = static_cast<Index>(5 + random.below(40)), m = static_cast<Index>(2 + random.below(5));
    Triplets<double> entries;
    entries.rows = entries.cols = n + m;
    for (Index i = 0; i < n; ++i)
      entries.add(i, i, random.uniform(1, 5) * std::pow(10.0, static_cast<double>(random.below(13)) - 6));
    const auto constrain = [&](Index c, Index i, double value) {
      entries.add(n + c, i, value), entries.add(i, n + c, value);
    };
    for (Index c = 0; c < m; ++c)
      for (Index k = 0; k < 3; ++k) {
        const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
        const double value = random.uniform(-1, 1);
        constrain(c, i, value);
        if (c == 0) constrain(m - 1, i, 3 * value);
      }
    for (Index i = 0; i < m; ++i) entries.add(n + i, n + i, 0);
    const SparseMatrix<double> A = sparse::compress(std::move(entries)).matrix;
    SparseMatrix<double> twice = A;  // its last constraint is 3 times its first, and nothing more
    for (Index j = 0; j < A.cols; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const bool is_last_row = A.row[at] == n + m - 1, is_last = j == n + m - 1;
        if (!is_last_row && !is_last) continue;
        const Index other = is_last ? A.row[at] : j;
        double first = 0;
        for (Index p = A.start[n]; p < A.start[n + 1]; ++p)
          if (A.row[static_cast<std::size_t>(p)] == other) first = A.value[static_cast<std::size_t>(p)];
        twice.value[at] = other < n ? 3 * first : 0;
      }
    for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
      singular_sentence(
          [&] { factorize(twice, {.factorization = kind, .singular = SingularMatrix::refuse}); });
  }
}

TEST(Singular, AlwaysGivesAnX) {
  const auto [A, b, inconsistent] = loose_ring_problem<double>();
  for (const int ranks : {1, 3}) {
    const Options options{.method = Method::multifrontal, .singular = SingularMatrix::always, .ranks = ranks};
    const auto solution = solve(A, std::span<const double>(inconsistent), options);
    EXPECT_EQ(solution.report.status, Status::ill_conditioned) << solution.report.message;
    for (const std::string part : {"can change together without effect on A x. This system has no solution: ",
                                   ". x is given nevertheless: "})
      EXPECT_NE(solution.report.message.find(part), std::string::npos) << solution.report.message;
    const double most =
        std::abs(*std::ranges::max_element(solution.x, {}, [](double x) { return std::abs(x); }));
    EXPECT_GT(most, 1e12);  // the null vector, as inverse iteration wants it
  }
}

/// Beside an x of 1e32, which the last pivot gives if it is rounding, b is lost in b - A x. That is no residual of zero.
TEST(Singular, AResidualThatRoundingHidesIsNoAnswer) {
  const SparseMatrix<double> A{
      3, 3, {0, 3, 6, 9}, {0, 1, 2, 0, 1, 2, 0, 1, 2}, {2, -1, -1, -1, 2, -1, -1, -1, 2}};
  for (const auto kind : {FactorKind::ldlt, FactorKind::lu})
    for (const std::vector<double>& b :
         {std::vector<double>{1, 2, 4}, {1, 0, 0}, {3, 1, 7}, {1, 2, 3.5}, {0, 0, 1e-8}}) {
      singular_sentence([&] { solve(A, b, {.factorization = kind}); });
      singular_sentence([&] { solve(A, b, {.factorization = kind, .sparse = {.matching = Switch::on}}); });
    }
  const std::vector<double> b{1, 2, 4};
  singular_sentence([&] { dense::lu_factor<double>({A.value.data(), 3, 3, 3}).solve(b); });
  EXPECT_EQ(solve(A, std::vector<double>{1, -3, 2}).report.status, Status::ill_conditioned);
}

TEST(Singular, OneBadColumnDoesNotRefuseTheOthers) {
  const auto [A, b, inconsistent] = loose_ring_problem<double>();
  for (const Transpose op : {Transpose::none, Transpose::trans})
    for (const int ranks : {1, 3}) {
      std::vector<double> B = b;
      B.insert(B.end(), inconsistent.begin(), inconsistent.end());
      B.insert(B.end(), b.begin(), b.end());
      auto factors = factorize(A, {.method = Method::multifrontal, .ranks = ranks});
      const auto solution = factors.solve(B, 3, op);
      EXPECT_EQ(solution.report.status, Status::singular);
      EXPECT_EQ(solution.report.unsolved_columns, 1);
      for (std::size_t i = 0; i < B.size(); ++i) EXPECT_EQ(std::isnan(solution.x[i]), i / 90 == 1) << i;
      EXPECT_EQ(factors.solve(b, 1, op).report.unsolved_columns, 0);
    }
}

/// Scalings of values that are gone.
TEST(Singular, RefactorizeAnalysesAnewBeforeItBlamesTheMatrix) {
  SparseMatrix<double> A{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {4, 1, 1, 4}, Symmetry::symmetric};
  SparseMatrix<double> B = A, C = A;
  B.value = {4e16, 5, 5, 5e-14};
  C.value = {4e16, 7, 5, 5e-14};
  C.symmetry = Symmetry::general;
  auto factors = factorize(A);
  factors.refactorize(B);
  EXPECT_EQ(factors.inertia().positive, 2);
  EXPECT_EQ(factors.report().analysed_again, 1);
  const std::string choice = factors.report().choice;
  for (int time = 0; time < 3; ++time) {
    factors.refactorize(A);
    EXPECT_EQ(factors.inertia().positive, 2);
    factors.refactorize(B);
    EXPECT_EQ(factors.inertia().positive, 2);
    EXPECT_LE(factors.report().choice.size(), choice.size() + 10);  // of the last analysis alone
  }
  auto nodes = factorize(A, {.method = Method::supernodal});
  nodes.refactorize(C);
  EXPECT_EQ(nodes.solve(std::vector<double>{1, 1}).report.status, Status::ok);
  EXPECT_EQ(nodes.report().analysed_again, 1);
}

/// A matching that takes 10 off-diagonal pivots for the 12 of a weakly grounded circuit: three unknowns of it.
TEST(Singular, WhatTheMatchingSpoilsIsTriedWithoutIt) {
  const SparseMatrix<double> A{
      3,
      3,
      {0, 3, 6, 9},
      {0, 1, 2, 0, 1, 2, 0, 1, 2},
      {2.01e-10, 9.9998e-6, -1e-5, -2e-10, 999.9999900002011, -999.99999, 0, -1000, 1000.000000000001}};
  const std::vector<double> b{0, 0, 1e-3};
  const auto solution = solve(A, std::span<const double>(b));
  // the last digit of 1000.000000000001 alone changes x by 0.035 of its largest entry
  EXPECT_EQ(to_string(solution.report.status), "ill_conditioned") << solution.report.message;
  EXPECT_GT(solution.report.forward_error_bound, 0.035);
  EXPECT_LT(solution.report.backward_error, 1e-15);
  EXPECT_EQ(solution.report.matching, "off");
  EXPECT_EQ(solution.report.analysed_again, 1);
  Options kept;  // what the caller chose stays
  kept.sparse.matching = Switch::on;
  kept.sparse.scaling = ScalingKind::off;
  EXPECT_EQ(factorize(A, kept).report().analysed_again, 0);
}

/// Reciprocals of subnormal pivots are no numbers.
TEST(Singular, SubnormalPivotsArePivots) {
  const double least = std::numeric_limits<double>::denorm_min();
  for (const double size : {least, 1e-310, 1e308}) {
    const SparseMatrix<double> A{1, 1, {0, 1}, {0}, {size}, Symmetry::symmetric};
    for (const Method method : {Method::multifrontal, Method::block_triangular, Method::supernodal})
      EXPECT_EQ(
          solve(A, std::span<const double>(&size, 1), {.method = method, .factorization = FactorKind::lu})
              .x[0],
          1)
          << to_string(method) << " " << size;
    EXPECT_EQ(dense::solve<double>({&size, 1, 1, 1}, std::span<const double>(&size, 1)).x[0], 1) << size;
  }
  const std::vector<double> D{1e-310, 0, 0, 0, 1, 0, 0, 0, 1e308}, d{1e-310, 1, 1e308};
  for (const int ranks : {1, 2}) {
    auto factors = dense::lu_factor<double>({D.data(), 3, 3, 3}, {.ranks = ranks});
    EXPECT_EQ(factors.solve(d).x, std::vector<double>(3, 1.0));
    EXPECT_EQ(factors.solve(d, 1, Transpose::trans).x, std::vector<double>(3, 1.0));
    const auto det = factors.determinant();
    EXPECT_NEAR(det.mantissa * std::ldexp(1.0, static_cast<int>(det.exponent)), 1e-2, 1e-12);
  }
}

/// Exactly zero: the determinant is known.
TEST(Singular, ZeroPivotsAreReplaced) {
  Triplets<double> entries;
  entries.rows = entries.cols = 16;
  for (Index k = 0; k < 16; k += 2)
    for (const auto& [i, j] : {std::pair<Index, Index>{0, 0}, {0, 1}, {1, 0}, {1, 1}})
      entries.add(k + i, k + j, 1);
  SparseMatrix<double> A = sparse::compress(std::move(entries)).matrix;
  const std::vector<double> b(16, 2);
  for (const auto& [method, kind] : {std::pair{Method::multifrontal, FactorKind::lu},
                                     {Method::multifrontal, FactorKind::ldlt},
                                     {Method::block_triangular, FactorKind::lu},
                                     {Method::block_triangular, FactorKind::ldlt}}) {
    auto factors = factorize(A, {.method = method, .factorization = kind});
    EXPECT_EQ(factors.report().pivots.zero, 8);
    EXPECT_EQ(factors.determinant().mantissa, 0);
    EXPECT_EQ(factors.solve(b).report.status, Status::ill_conditioned);
    std::vector<double> other = b;
    other[5] = 3;
    singular_sentence([&] { factors.solve(other); });
  }
}

TEST(Singular, RefactorizeGoesThereAndBack) {
  SparseMatrix<double> A = with_loose_ring<double>(60, 20);
  SparseMatrix<double> regular = A;
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
      if (A.row[k] == j) regular.value[static_cast<std::size_t>(k)] += 1;
  const std::vector<double> b = product(A, random_vector<double>(60, 5)), c = random_vector<double>(60, 6);
  for (const Method method : {Method::multifrontal, Method::block_triangular}) {
    auto factors = factorize(regular, {.method = method});
    EXPECT_EQ(factors.solve(c).report.status, Status::ok);
    factors.refactorize(A);
    EXPECT_EQ(factors.solve(b).report.status, Status::ill_conditioned);
    EXPECT_EQ(factors.report().null_vector.size(), 60u);
    std::vector<double> some = b;
    some.insert(some.end(), c.begin(), c.end());
    EXPECT_EQ(factors.solve(some, 2).report.unsolved_columns, 1);
    factors.refactorize(regular);
    EXPECT_TRUE(factors.report().null_vector.empty());
    EXPECT_TRUE(std::isnan(factors.report().null_share) && std::isnan(factors.report().null_distance));
    const auto solution = factors.solve(c);
    EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
    EXPECT_EQ(solution.report.weak_unknown, -1);
    EXPECT_EQ(solution.report.unsolved_columns, 0);
    EXPECT_TRUE(std::isnan(solution.report.condition_estimate));
    SparseMatrix<double> nothing = regular;
    nothing.value.assign(nothing.value.size(), 0.0);
    const std::string why = singular_sentence([&] { factors.refactorize(nothing); });
    EXPECT_EQ(factors.report().status, Status::singular);
    EXPECT_EQ(factors.report().message, why);
    factors.refactorize(regular);
    EXPECT_EQ(factors.report().status, Status::ok) << factors.report().message;
  }
}

TEST(Singular, SavedFactorsKnowIt) {
  const std::string path = testing::TempDir() + "overlapack_singular_factors";
  const SparseMatrix<double> A = with_loose_ring<double>(60, 20);
  const std::vector<double> b = product(A, random_vector<double>(60, 5));
  factorize(A, {.method = Method::multifrontal}).save(path);
  auto factors = load_factors<double>(path);
  std::filesystem::remove(path);
  const auto solution = factors.solve(b);
  EXPECT_EQ(solution.report.status, Status::ill_conditioned) << solution.report.message;
  EXPECT_GE(solution.report.weak_unknown, 20);
  EXPECT_LT(solution.report.weak_unknown, 40);
}

/// The root that all ranks factorise together, with a pivot that is rounding and with one that is zero.
TEST(Singular, RootsOnTheGrid) {
  Options options{.method = Method::multifrontal, .factorization = FactorKind::lu, .ranks = 4};
  options.fronts.sharing = NodeParallelism::strips;
  options.fronts.root = RootParallelism::grid;
  options.fronts.root_order = 1;
  options.fronts.root_block = 3;
  SparseMatrix<double> ones = with_dependent_column(8, 1);
  ones.value.assign(ones.value.size(), 1.0);
  for (const SparseMatrix<double>& A : {with_dependent_column(20, 3), ones}) {
    auto factors = factorize(A, options);
    EXPECT_EQ(factors.report().grid_roots, 1);
    EXPECT_GE(factors.report().pivots.rounding, 1);
    const auto x = random_vector<double>(A.cols, 2);
    const auto solution = factors.solve(product(A, x));
    EXPECT_EQ(solution.report.status, Status::ill_conditioned) << solution.report.message;
    singular_sentence([&] { factors.solve(x); });
  }
}

TEST(Singular, WhatIsNotRefinedIsRefused) {
  const SparseMatrix<double> A = with_loose_ring<double>(60, 20);
  const std::vector<Index> variables{1, 2};
  singular_sentence([&] { schur(A, variables); });
}

TEST(Singular, WhatComesOfANearlySingularPartTellsItAsSolvesDo) {
  const double e = std::ldexp(1.0, -46);
  const SparseMatrix<double> A{3, 3, {0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, {1, 1, 1, 1 + e, 1, 1, 2}};
  const std::vector<double> b{2, 3 + e, 3};  // of ones
  for (const Index kept : {2, 0}) {
    auto S = schur(A, std::span<const Index>(&kept, 1));
    Solution<double> made = S.condense(b);
    for (const std::string about : {"the condensed right-hand side", "x"}) {
      EXPECT_EQ(made.report.status, kept == 2 ? Status::ill_conditioned : Status::ok) << made.report.message;
      EXPECT_EQ(made.report.message.find("so that " + about + " may be far off") != std::string::npos,
                kept == 2)
          << made.report.message;
      if (about != "x") made = S.expand(b, std::vector{made.x[0] / S.matrix()[0]});
    }
    for (Index i = 0; i < 3 && kept == 0; ++i) EXPECT_NEAR(made.x[static_cast<std::size_t>(i)], 1, 1e-14);
  }
}

TEST(Singular, SinglePrecisionLeavesItToDouble) {
  const SparseMatrix<double> A = with_loose_ring<double>(60, 20);
  const std::vector<double> b = product(A, random_vector<double>(60, 5));
  const auto solution = solve(A, std::span<const double>(b), {.precision = Precision::mixed});
  EXPECT_EQ(solution.report.precision, "float64");
  EXPECT_EQ(solution.report.status, Status::ill_conditioned);
}

/// Nothing keeps a pivot from being small where there is no threshold, and no matrix is singular for that.
TEST(Singular, SmallPivotsOfARegularMatrixAreNone) {
  Triplets<double> entries;
  entries.rows = entries.cols = 2;
  entries.row = {0, 0, 1, 1};
  entries.col = {0, 1, 0, 1};
  entries.value = {1e-16, 1, 1, 1};
  const SparseMatrix<double> A = sparse::compress(std::move(entries)).matrix;
  const std::vector<double> b{1, 3};
  Options options{.method = Method::block_triangular, .factorization = FactorKind::lu};
  options.sparse.matching = Switch::off;
  options.sparse.pivot_threshold = 0;
  const auto solution = solve(A, std::span<const double>(b), options);
  EXPECT_EQ(solution.report.pivots.rounding, 1);
  EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
  EXPECT_LT(solution.report.condition_estimate, 10);
  EXPECT_NEAR(solution.x[0], 2, 1e-15);
  EXPECT_NEAR(solution.x[1], 1, 1e-15);
}

/// No pivot of Hilbert's matrix is rounding, and the backward error is 1e-16: the bound that was asked for tells.
TEST(Singular, ErrorsThatAreLargeAreToldWhereTheyAreBounded) {
  for (const Index n : {4, 12}) {
    SparseMatrix<double> A{n, n, {0}, {}, {}, Symmetry::general};
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i)
        A.row.push_back(i), A.value.push_back(1.0 / static_cast<double>(i + j + 1));
      A.start.push_back(A.nnz());
    }
    const std::vector<double> b = product(A, std::vector<double>(static_cast<std::size_t>(n), 1.0));
    const auto solution = solve(A, std::span<const double>(b), {.refinement = {.error_analysis = true}});
    EXPECT_EQ(solution.report.pivots.rounding, 0);
    EXPECT_LT(solution.report.backward_error, 1e-15);
    const bool is_large = solution.report.forward_error_bound > 1e-3;
    EXPECT_EQ(is_large, n == 12);
    EXPECT_EQ(solution.report.status, is_large ? Status::ill_conditioned : Status::ok)
        << solution.report.message;
    EXPECT_EQ(solution.report.message.empty(), !is_large);
  }
}

/// Any multiple of the null vector may be added to an answer: there is no bound, whatever was asked for.
/// 1 on the diagonal and `next` beside it: all pivots are 1, and the inverse has next^(n - 1).
SparseMatrix<double> with_hidden_condition(Index n, double next) {
  Triplets<double> entries;
  entries.rows = entries.cols = n;
  for (Index k = 0; k < n; ++k) {
    entries.add(k, k, 1);
    if (k + 1 < n) entries.add(k, k + 1, next);
  }
  return sparse::compress(std::move(entries)).matrix;
}

/// Nothing but x itself shows it.
TEST(Singular, AnXThatIsNotKnownIsInDoubt) {
  const std::vector<double> b = product(with_hidden_condition(60, -10), random_vector<double>(60, 3));
  for (const int ranks : {1, 3})
    for (const Method method : {Method::multifrontal, Method::block_triangular, Method::supernodal}) {
      Options options{.method = method, .ranks = ranks};
      options.sparse.matching = Switch::off;
      Factorization<double> hidden = factorize(with_hidden_condition(60, -10), options);
      for (int solve = 0; solve < 2; ++solve) {
        const Report report = hidden.solve(b).report;
        EXPECT_EQ(to_string(report.status), "ill_conditioned") << to_string(method) << " " << report.message;
        EXPECT_LT(report.backward_error, 1e-14);
        EXPECT_GT(report.forward_error_bound, 1e-3);
      }
      EXPECT_EQ(to_string(factorize(with_hidden_condition(60, 0.1), options).solve(b).report.status), "ok");
      hidden.refactorize(with_hidden_condition(60, 0.1));
      EXPECT_EQ(to_string(hidden.solve(b).report.status), "ok");
    }
}

/// Two unknowns whose equations differ by `gap`, in the midst of others.
SparseMatrix<double> with_twins(double gap) {
  constexpr Index n = 30;
  Random random(5);
  Triplets<double> entries;
  entries.rows = entries.cols = n;
  std::vector<double> values(n * n);
  for (double& value : values) value = random.uniform(-1, 1);
  const auto like = [](Index k) { return static_cast<std::size_t>(k == n - 1 ? k - 1 : k); };
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const auto [low, high] = std::minmax({like(i), like(j)});
      entries.add(i, j, values[low * n + high] + (i == n - 1 && j == n - 1 ? gap : 0));
    }
  return sparse::compress(std::move(entries)).matrix;
}

/// x has a small backward error beside a replaced pivot, too; an answer that its last digits do not determine is told, with a bound.
TEST(Singular, ReplacedPivotsHideNoConditionNumber) {
  const std::vector<double> known = random_vector<double>(30, 3);
  for (const int ranks : {1, 3})
    for (const Method method : {Method::multifrontal, Method::block_triangular})
      for (const double gap : {0.1, 1e-6, 1e-13, 1e-14}) {
        Options options{.method = method, .ranks = ranks};
        options.sparse.perturbation = 1e-3;
        options.sparse.matching = Switch::off;
        const SparseMatrix<double> A = with_twins(gap);
        const auto solution = solve(A, std::span<const double>(product(A, known)), options);
        const Report& report = solution.report;
        double error = 0, size = 0;
        for (std::size_t i = 0; i < known.size(); ++i)
          error = std::max(error, std::abs(solution.x[i] - known[i])),
          size = std::max(size, std::abs(known[i]));
        const bool is_near = gap < 1e-10;
        EXPECT_EQ(report.pivots.perturbed, gap < 1e-3 ? 1 : 0) << gap;
        EXPECT_LT(report.backward_error, 1e-14) << gap;
        EXPECT_EQ(to_string(report.status), is_near ? "ill_conditioned" : "ok")
            << gap << " " << report.message;
        if (is_near)
          EXPECT_LE(error, report.forward_error_bound * size) << gap;
        else
          EXPECT_LE(error, 1e-7 * size) << gap;
      }
}

TEST(Singular, AnswersOfSingularMatricesHaveNoBound) {
  const SparseMatrix<double> A = with_loose_ring<double>(90, first);
  for (const double size : {0.0, 1.0}) {
    std::vector<double> b = product(A, random_vector<double>(90, 4));
    for (double& value : b) value *= size;
    const auto solution = solve(A, std::span<const double>(b), {.refinement = {.error_analysis = true}});
    EXPECT_EQ(solution.report.status, Status::ill_conditioned);
    EXPECT_TRUE(std::isnan(solution.report.forward_error_bound)) << solution.report.forward_error_bound;
  }
}

/// Nodes replace pivots: what does not solve the system is not called a solution.
TEST(Singular, NodesDoubtReplacedPivots) {
  Triplets<double> entries;
  entries.rows = entries.cols = 400;
  add_ring<double>(entries, 0, 400, 1);
  const SparseMatrix<double> A = sparse::compress(std::move(entries)).matrix;
  const auto solution = solve(A, std::span<const double>(random_vector<double>(400, 9)),
                              {.method = Method::supernodal, .ranks = 1});
  EXPECT_EQ(solution.report.status, Status::inaccurate) << solution.report.backward_error;
}

}  // namespace
}  // namespace overlapack
