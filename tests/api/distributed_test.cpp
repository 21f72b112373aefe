#include "comm/engine.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/overlapack.hpp"
#include "random_values.hpp"
#include "sparse/matrix/canonical.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

/// Entries, right-hand sides and solutions on any rank, against the same system on rank 0; on threads with 1, 2, 3, 4 and 7
/// ranks, and under mpirun.
namespace overlapack {
namespace {

using comm::conformance::is_thread;

/// The ranks of this process.
struct World {
  int ranks = 1;
  std::vector<int> local;
  bool has_root() const { return local.front() == 0; }
};

void each_world(const std::function<void(const World&)>& test) {
  for (const int size : comm::conformance::setup().sizes) {
    World world{size, {}};
    if (is_thread()) {
      world.local.resize(static_cast<std::size_t>(size));
      std::iota(world.local.begin(), world.local.end(), 0);
    } else {
      const auto team = comm::open({.engine = "mpi", .ranks = 0});
      world = {team->size(), {team->first_local()}};
    }
    SCOPED_TRACE(std::to_string(world.ranks) + " ranks");
    test(world);
  }
}

Options options_of(const World& world, Options options = {}) {
  options.run.engine = is_thread() ? Engine::thread : Engine::mpi;
  options.ranks = is_thread() ? world.ranks : 0;
  options.method = options.method.value_or(Method::multifrontal);  // of a matrix on one rank, too
  return options;
}

enum class Kind { general, symmetric, hermitian };

/// A random sparse matrix; diagonal 0: every third diagonal entry is missing, so that a matching and other pivots are needed.
template <class T>
SparseMatrix<T> random_matrix(Index n, Kind kind, double diagonal, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::set<Index>> rows(static_cast<std::size_t>(n));
  for (Index j = 0; j < n; ++j) {
    if (diagonal != 0 || j % 3 != 1) rows[j].insert(j);
    for (const Index i : {(j + 1) % n, static_cast<Index>(random.below(static_cast<std::uint64_t>(n)))}) {
      if (i == j) continue;
      rows[j].insert(i);
      if (kind != Kind::general || i == (j + 1) % n) rows[i].insert(j);
    }
  }
  SparseMatrix<T> A;
  A.rows = A.cols = n;
  const auto value_at = [&](Index i, Index j) {  // the same for (j, i)
    Random own(seed + static_cast<std::uint64_t>(std::min(i, j) * n + std::max(i, j)));
    T value = random_value<T>(own) + T(i == j ? static_cast<Real<T>>(diagonal) : 0);
    if (kind == Kind::hermitian) value = i == j ? T(std::real(value)) : i < j ? conjugate(value) : value;
    return value;
  };
  for (Index j = 0; j < n; ++j) {
    for (const Index i : rows[j]) {
      A.row.push_back(i);
      A.value.push_back(kind == Kind::general
                            ? random_value<T>(random) + T(i == j ? static_cast<Real<T>>(diagonal) : 0)
                            : value_at(i, j));
    }
    A.start.push_back(A.nnz());
  }
  return A;
}

/// The entries of A, each on a random rank; one in four as two halves on two ranks, the same half twice on one of them. From
/// three ranks on, rank 1 has none. Sums of halves are exact.
template <class T>
std::vector<Triplets<T>> distributed(const SparseMatrix<T>& A, const World& world, std::uint64_t seed) {
  Random random(seed);
  std::vector<Triplets<T>> parts(static_cast<std::size_t>(world.ranks),
                                 Triplets<T>{A.rows, A.cols, {}, {}, {}});
  const auto any_rank = [&] {
    const auto r = random.below(parts.size());
    return world.ranks >= 3 && r == 1 ? 2 : r;
  };
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
      const std::size_t r = any_rank();
      if (random.below(4) != 0) {
        parts[r].add(A.row[k], j, A.value[k]);
        continue;
      }
      const T half = A.value[k] / Real<T>(2), quarter = half / Real<T>(2);
      parts[any_rank()].add(A.row[k], j, half);
      parts[r].add(A.row[k], j, quarter);
      parts[r].add(A.row[k], j, quarter);
    }
  return parts;
}

template <class V>
std::vector<V> of_local_ranks(const std::vector<V>& parts, const World& world) {
  std::vector<V> mine;
  for (const int r : world.local) mine.push_back(parts[static_cast<std::size_t>(r)]);
  return mine;
}

/// Rows of B, each on a random rank.
template <class T>
std::vector<RowPart<T>> distributed_rows(const std::vector<T>& B, Index n, const World& world,
                                         std::uint64_t seed) {
  Random random(seed);
  std::vector<RowPart<T>> parts(static_cast<std::size_t>(world.ranks));
  for (Index i = n - 1; i >= 0; --i) parts[random.below(parts.size())].rows.push_back(i);
  for (auto& part : parts)
    for (std::size_t first = 0; first < B.size(); first += static_cast<std::size_t>(n))
      for (const Index i : part.rows) part.values.push_back(B[first + static_cast<std::size_t>(i)]);
  return parts;
}

template <class T>
void expect_rows(const RowPart<T>& part, const std::vector<T>& X, Index n) {
  std::size_t at = 0;
  for (std::size_t first = 0; first < X.size(); first += static_cast<std::size_t>(n))
    for (const Index i : part.rows)
      EXPECT_EQ(part.values.at(at++), X[first + static_cast<std::size_t>(i)]) << "row " << i;
  EXPECT_EQ(at, part.values.size());
}

void expect_error(Status kind, const std::string& words, const std::function<void()>& f) {
  try {
    f();
    ADD_FAILURE() << "no error of kind " << to_string(kind) << " with \"" << words << "\"";
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.status()), to_string(kind)) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

/// Factors of parts and of the whole matrix, and x of both to the last bit.
template <class T>
void expect_as_gathered(const World& world, const SparseMatrix<T>& A, const Options& given,
                        const std::function<void(const Report&, const Report&)>& look = {}) {
  const Options options = options_of(world, given);
  const Index n = A.rows, nrhs = 3;
  const std::vector<T> b = random_vector<T>(n * nrhs, 3);
  auto whole = factorize(world.has_root() ? A : SparseMatrix<T>{}, options);
  auto parts = factorize_distributed(of_local_ranks(distributed(A, world, 17), world), options);
  for (const Transpose op : {Transpose::none, Transpose::trans, Transpose::conj_trans}) {
    const Solution<T> one = whole.solve(b, nrhs, op), other = parts.solve(b, nrhs, op);
    EXPECT_EQ(one.x, other.x);
    EXPECT_EQ(one.report.backward_error, other.report.backward_error);
    const auto scattered = parts.solve_distributed(of_local_ranks(distributed_rows(b, n, world, 5), world),
                                                   {SolutionRows::Where::every_rank, {}}, op);
    for (const auto& part : scattered.x) expect_rows(part, one.x, n);
    if (!world.has_root()) continue;
    EXPECT_EQ(to_string(other.report.status), "ok") << other.report.message;
    EXPECT_EQ(one.report.symmetry, other.report.symmetry);
    EXPECT_EQ(one.report.omega1, scattered.report.omega1);
    if (look) look(one.report, other.report);
  }
}

template <class T>
class DistributedOf : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(DistributedOf, Types);

TYPED_TEST(DistributedOf, SolutionsAreThoseOfTheWholeMatrix) {
  each_world([](const World& world) {
    for (const Kind kind : {Kind::general, Kind::symmetric, Kind::hermitian})
      expect_as_gathered(world, random_matrix<TypeParam>(60, kind, 4, 7), {});
  });
}

TYPED_TEST(DistributedOf, MatchingAndEquilibrationSeeTheSameModuli) {
  each_world([](const World& world) {
    for (const Kind kind : {Kind::general, Kind::symmetric})
      expect_as_gathered<TypeParam>(world, random_matrix<TypeParam>(45, kind, 0, 9), {},
                                    [](const Report& one, const Report& other) {
                                      EXPECT_EQ(one.matching, "maximum product");
                                      EXPECT_EQ(other.matching, one.matching);
                                    });
    expect_as_gathered<TypeParam>(
        world, random_matrix<TypeParam>(45, Kind::general, 4, 9),
        {.sparse = {.matching = Switch::off, .scaling = ScalingKind::ruiz}},
        [](const Report&, const Report& other) { EXPECT_EQ(other.scaling, "ruiz"); });
  });
}

TEST(Distributed, ARootOnTheGridGetsItsValues) {
  each_world([](const World& world) {
    Index grids = 0;
    expect_as_gathered<double>(world, sparse::generate("convection", 6),
                               {.fronts = {.root = RootParallelism::grid, .root_block = 3}},
                               [&](const Report&, const Report& report) { grids += report.grid_roots; });
    if (world.ranks > 1 && world.has_root()) {
      EXPECT_GT(grids, 0);
    }
  });
}

TEST(Distributed, NoRankHoldsAllEntries) {
  each_world([](const World& world) {
    const SparseMatrix<double> A = sparse::generate("cube", 10);
    std::vector<Triplets<double>> parts(static_cast<std::size_t>(world.ranks),
                                        Triplets<double>{A.rows, A.cols, {}, {}, {}});
    for (Index j = 0; j < A.cols; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
        parts[static_cast<std::size_t>(k % world.ranks)].add(A.row[k], j, A.value[k]);
    const auto factors = factorize_distributed(of_local_ranks(parts, world), options_of(world));
    if (!world.has_root()) return;
    const double entries = static_cast<double>(factors.report().most_entries_of_rank),
                 nnz = static_cast<double>(A.nnz());
    EXPECT_GE(entries, nnz / world.ranks);
    EXPECT_LE(entries, nnz / world.ranks +
                           2 * 7);  // whole rows of 7; of the fronts' entries only the lower triangle is held
    EXPECT_EQ(factors.report().nnz, A.nnz());
  });
}

TEST(Distributed, EveryRankGetsTheRowsThatItNames) {
  each_world([](const World& world) {
    using Where = SolutionRows::Where;
    const Index n = 50, nrhs = 40;  // more than go through the tree together
    const SparseMatrix<double> A = random_matrix<double>(n, Kind::general, 4, 2);
    const std::vector<double> b = random_vector<double>(n * nrhs, 8);
    auto factors = factorize_distributed(of_local_ranks(distributed(A, world, 4), world), options_of(world));
    const std::vector<double> x = factors.solve(b, nrhs).x;
    const auto parts = of_local_ranks(distributed_rows(b, n, world, 6), world);

    const auto blocks = factors.solve_distributed(parts);
    const auto first = factors.solve_distributed(parts, {Where::first_rank, {}});
    std::vector<std::vector<Index>> chosen(static_cast<std::size_t>(world.ranks), {n - 1, 0, 7});
    chosen.back().clear();
    const auto named = factors.solve_distributed(parts, {Where::chosen, of_local_ranks(chosen, world)});
    for (std::size_t k = 0; k < world.local.size(); ++k) {
      const Index r = world.local[k];
      EXPECT_EQ(static_cast<Index>(blocks.x[k].rows.size()), (r + 1) * n / world.ranks - r * n / world.ranks);
      EXPECT_EQ(static_cast<Index>(first.x[k].rows.size()), r == 0 ? n : 0);
      EXPECT_EQ(named.x[k].rows, chosen[static_cast<std::size_t>(r)]);
      for (const auto* part : {&blocks.x[k], &first.x[k], &named.x[k]}) expect_rows(*part, x, n);
    }
  });
}

TEST(Distributed, AnswersBeyondSolutionsAreThoseOfTheWholeMatrix) {
  each_world([](const World& world) {
    const SparseMatrix<double> A = random_matrix<double>(40, Kind::symmetric, 4, 3);
    const Options options = options_of(world, {.refinement = {.error_analysis = true}});
    auto whole = factorize(world.has_root() ? A : SparseMatrix<double>{}, options);
    auto parts = factorize_distributed(of_local_ranks(distributed(A, world, 5), world), options);
    const std::vector<double> b = random_vector<double>(40, 4);
    const Report one = whole.solve(b).report, other = parts.solve(b).report;
    if (world.has_root()) {
      EXPECT_GT(other.forward_error_bound, 0);
      // residuals of rounding's size, one summed by rows, one by columns
      EXPECT_NEAR(other.forward_error_bound / one.forward_error_bound, 1, 1e-3);
    }
    // column sums are added in another order: n roundings
    EXPECT_NEAR(parts.reciprocal_condition() / whole.reciprocal_condition(), 1,
                40 * std::numeric_limits<double>::epsilon());
    EXPECT_EQ(whole.determinant().mantissa, parts.determinant().mantissa);
    EXPECT_EQ(whole.inertia().negative, parts.inertia().negative);
    expect_error(Status::bad_plan, "factorize_distributed", [&] { parts.save("unused"); });
    expect_error(Status::bad_plan, "refactorize_distributed", [&] { parts.refactorize(A); });
    expect_error(Status::bad_plan, "call refactorize", [&] { whole.refactorize_distributed({}); });
  });
}

TEST(Distributed, NullSpaceOfASingularMatrix) {
  each_world([](const World& world) {
    SparseMatrix<double> A = sparse::generate("cube", 4);
    for (Index j = 0; j < A.cols; ++j) {  // rows sum to 0
      double sum = 0;
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k) sum += A.row[k] == j ? 0 : A.value[k];
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
        if (A.row[k] == j) A.value[k] = -sum;
    }
    auto factors = factorize_distributed(of_local_ranks(distributed(A, world, 2), world),
                                         options_of(world, {.sparse = {.null_pivots = true}}));
    const std::vector<double> z = factors.null_space();
    ASSERT_EQ(z.size(), 64u);
    for (const double v : z) EXPECT_NEAR(std::abs(v), 1.0 / 8, 64 * std::numeric_limits<double>::epsilon());
  });
}

TEST(Kept, AnalysisOfRankZeroServesAllRanks) {
  const std::string path = testing::TempDir() + "/kept_analysis_of_ranks";
  each_world([&](const World& world) {
    const SparseMatrix<double> A = random_matrix<double>(50, Kind::general, 0, 2);
    const auto given = [&](const SparseMatrix<double>& B) {
      return world.has_root() ? B : SparseMatrix<double>();
    };
    const std::vector<double> b = random_vector<double>(50, 8);
    const Options shaping = options_of(world, {.sparse = {.ordering = Ordering::amd}});
    Options others = options_of(world);
    others.method = {};
    const PatternAnalysis analysis = analyse(given(A), shaping);
    EXPECT_EQ(analysis.report().n, world.has_root() ? 50 : 0);
    analysis.save(path);
    const std::vector<double> x = factorize(given(A), shaping).solve(b).x;
    EXPECT_EQ(factorize(given(A), analysis, others).solve(b).x, x);
    EXPECT_EQ(factorize(given(A), load_analysis(path, others), others).solve(b).x, x);
    const SparseMatrix<double> other = random_matrix<double>(50, Kind::general, 4, 77);
    SparseMatrix<double> weak = other;
    for (Index p = weak.start[3]; p < weak.start[4]; ++p)
      if (weak.row[p] == 3) weak.value[p] = 0;
    auto anew = factorize(given(weak), analyse(given(other), shaping), others);
    if (world.has_root()) {
      EXPECT_EQ(anew.report().analysed_again, 1);
    }
    EXPECT_EQ(anew.solve(b).x, factorize(given(weak), shaping).solve(b).x);
    expect_error(Status::bad_input, "other places", [&] { factorize(given(other), analysis, others); });
    others.sparse.ordering = Ordering::metis;
    expect_error(Status::bad_plan, "ordering", [&] { factorize(given(A), analysis, others); });
    expect_error(Status::bad_input, "cannot be read", [&] { load_analysis("/no/such/file", shaping); });
    expect_error(Status::singular, "structurally", [&] {
      SparseMatrix<double> zero = A;
      zero.value.assign(zero.value.size(), 0.0);
      analyse(given(zero), shaping);
    });
  });
}

TEST(Distributed, RefactorizesWithEntriesOnOtherRanks) {
  each_world([](const World& world) {
    SparseMatrix<double> A = random_matrix<double>(50, Kind::general, 4, 2);
    auto factors = factorize_distributed(of_local_ranks(distributed(A, world, 4), world),
                                         options_of(world, {.precision = Precision::mixed}));
    const std::vector<double> b = random_vector<double>(50, 8);
    const std::vector<double> before = factors.solve(b).x;
    SparseMatrix<double> other = random_matrix<double>(50, Kind::general, 4, 77);
    expect_error(Status::bad_input, "other places", [&] {
      factors.refactorize_distributed(of_local_ranks(distributed(other, world, 4), world));
    });
    expect_error(Status::bad_input, "of order 49, the factors of 50", [&] {
      factors.refactorize_distributed(
          of_local_ranks(distributed(random_matrix<double>(49, Kind::general, 4, 2), world, 4), world));
    });
    EXPECT_EQ(factors.solve(b).x, before);  // the factors stayed
    for (double& value : A.value) value *= 2;
    factors.refactorize_distributed(of_local_ranks(distributed(A, world, 5), world));
    std::vector<double> half = before;
    for (double& x : half) x /= 2;
    const auto after = factors.solve(b);
    for (std::size_t i = 0; i < half.size(); ++i)
      EXPECT_NEAR(after.x[i], half[i], 1e-11 * std::abs(half[i]) + 1e-13);
  });
}

TEST(Distributed, SymmetricFactorsTakeNoOtherSymmetry) {
  each_world([](const World& world) {
    const SparseMatrix<double> A = random_matrix<double>(30, Kind::symmetric, 4, 2);
    auto factors = factorize_distributed(of_local_ranks(distributed(A, world, 4), world),
                                         options_of(world, {.factorization = FactorKind::ldlt}));
    SparseMatrix<double> general = A;
    for (std::size_t k = 0; k < general.value.size(); ++k) general.value[k] += static_cast<double>(k);
    const auto others = [&] { return of_local_ranks(distributed(general, world, 4), world); };
    expect_error(Status::bad_input, "this one is general",
                 [&] { factors.refactorize_distributed(others()); });
    auto by_lu = factorize_distributed(of_local_ranks(distributed(A, world, 4), world),
                                       options_of(world, {.factorization = FactorKind::lu}));
    by_lu.refactorize_distributed(others());
    if (world.has_root()) {
      EXPECT_EQ(by_lu.report().symmetry, "general");
    }
  });
}

/// Without imaginary parts a matrix is both, and what one rank says of it decides.
TEST(Distributed, HermitianMatricesMayBeginWithoutImaginaryParts) {
  each_world([](const World& world) {
    using Complex = std::complex<double>;
    const Index n = 40;
    const auto A = random_matrix<Complex>(n, Kind::hermitian, 4, 3);
    SparseMatrix<Complex> real = A;
    for (Complex& value : real.value) value = std::real(value);
    const auto parts_of = [&](const SparseMatrix<Complex>& matrix, Symmetry claimed) {
      auto parts = distributed(matrix, world, 5);
      parts.back().symmetry = claimed;
      return of_local_ranks(parts, world);
    };
    const Options options = options_of(world, {.factorization = FactorKind::ldlt});
    auto factors = factorize_distributed(parts_of(real, Symmetry::hermitian), options);
    if (world.has_root()) {
      EXPECT_EQ(factors.report().symmetry, "hermitian");
    }
    factors.refactorize_distributed(parts_of(A, Symmetry::general));
    const std::vector<Complex> b = random_vector<Complex>(n, 8);
    EXPECT_EQ(to_string(factors.solve(b).report.status), "ok");
    auto others = factorize_distributed(parts_of(real, Symmetry::general), options);
    if (world.has_root()) {
      EXPECT_EQ(others.report().symmetry, "symmetric");
    }
    expect_error(Status::bad_input, "this one is hermitian",
                 [&] { others.refactorize_distributed(parts_of(A, Symmetry::general)); });
  });
}

/// Bit for bit: refinement of no steps adds the same x to zero.
TEST(Distributed, SubstitutesInPlaceAsASolveWithoutRefinement) {
  each_world([](const World& world) {
    for (const Kind kind : {Kind::general, Kind::hermitian}) {
      using Complex = std::complex<double>;
      const auto A = random_matrix<Complex>(60, kind, 0, 3);
      auto factors = factorize(world.has_root() ? A : SparseMatrix<Complex>{},
                               options_of(world, {.refinement = {.steps = 0}}));
      const std::vector<Complex> b = random_vector<Complex>(3 * 60, 4);
      for (const Transpose op : {Transpose::none, Transpose::trans, Transpose::conj_trans}) {
        const std::vector<Complex> wanted = factors.solve(b, 3, op).x;
        EXPECT_GT(factors.report().backward_error, 0);
        std::vector<Complex> x = world.has_root() ? b : std::vector<Complex>(b.size());
        factors.substitute(x, 3, op);
        EXPECT_EQ(x, wanted);
        EXPECT_TRUE(std::isnan(factors.report().backward_error));
        EXPECT_EQ(factors.report().right_hand_sides, 3);
      }
      factors.substitute({}, 0);
      std::vector<Complex> x(59);
      expect_error(Status::bad_input, "has 59 entries", [&] { factors.substitute(x); });
      x.assign(60, std::numeric_limits<double>::infinity());
      expect_error(Status::bad_input, "entry 0", [&] { factors.substitute(x); });
    }
  });
}

TEST(Distributed, RefactorizesByValuesAlone) {
  each_world([](const World& world) {
    for (const Kind kind : {Kind::general, Kind::symmetric}) {
      const auto A = random_matrix<double>(60, kind, 4, 3);
      SparseMatrix<double> other = A;
      for (double& value : other.value) value = 1 / (value + 1);
      const auto on_root = [&](const auto& given) { return world.has_root() ? given : decltype(A){}; };
      auto by_values = factorize(on_root(A), options_of(world)),
           by_matrix = factorize(on_root(A), options_of(world));
      by_values.refactorize_values(on_root(other).value);
      by_matrix.refactorize(on_root(other));
      const std::vector<double> b = random_vector<double>(60, 8), x = by_matrix.solve(b).x;
      EXPECT_EQ(by_values.solve(b).x, x);
      const auto refuse = [&](const std::string& words, std::vector<double> values) {
        expect_error(Status::bad_input, words, [&] { by_values.refactorize_values(values); });
        EXPECT_EQ(by_values.solve(b).x, x) << words;  // the factors stayed
      };
      refuse("give one for each", {1, 2});
      std::vector<double> spoilt = other.value;
      spoilt.back() = std::numeric_limits<double>::quiet_NaN();
      refuse("is not a finite number", spoilt);
      spoilt.back() = other.value.back();
      const auto first_beside = std::ranges::find_if(A.row, [](Index i) { return i != 0; }) - A.row.begin();
      spoilt[first_beside] += 1;
      if (kind == Kind::symmetric)
        refuse("the matrix that was analysed is symmetric, this one is not", spoilt);
    }
    const auto A = random_matrix<double>(20, Kind::symmetric, 4, 2);
    auto parts = factorize_distributed(of_local_ranks(distributed(A, world, 5), world), options_of(world));
    expect_error(Status::bad_plan, "refactorize_distributed", [&] { parts.refactorize_values(A.value); });
  });
}

TEST(Distributed, WrongEntriesAreOneErrorOnAllRanks) {
  each_world([](const World& world) {
    const SparseMatrix<double> A = random_matrix<double>(20, Kind::general, 4, 2);
    const int last = world.ranks - 1;
    const auto expect = [&](const std::string& words,
                            const std::function<void(std::vector<Triplets<double>>&)>& spoil) {
      auto parts = distributed(A, world, 4);
      spoil(parts);
      expect_error(Status::bad_input, words,
                   [&] { factorize_distributed(of_local_ranks(parts, world), options_of(world)); });
    };
    const std::string by_last = "rank " + std::to_string(last) + " gives";
    expect(by_last, [&](auto& parts) { parts[last].add(20, 0, 1); });
    expect("outside a matrix of 20 x 20", [&](auto& parts) { parts[last].add(3, -1, 1); });
    expect("not a finite number", [&](auto& parts) { parts[last].add(3, 4, std::nan("")); });
    expect(by_last, [&](auto& parts) {
      parts[last].row.pop_back();
      parts[last].row.resize(parts[last].row.size() + 3);
    });
    expect("add up to more", [&](auto& parts) {
      for (int k = 0; k < 2; ++k) parts[last].add(3, 4, 1.5e308);
    });
    if (world.ranks > 1) {
      expect("shape of the whole matrix", [&](auto& parts) { parts[last].rows = parts[last].cols = 21; });
    }
    expect("empty", [&](auto& parts) {
      for (auto& part : parts) part = {};
    });
  });
}

TEST(Distributed, RowsThatNobodyOrTwoRanksGiveAreErrors) {
  each_world([](const World& world) {
    const SparseMatrix<double> A = random_matrix<double>(20, Kind::general, 4, 2);
    auto factors = factorize_distributed(of_local_ranks(distributed(A, world, 4), world), options_of(world));
    const std::vector<double> b = random_vector<double>(20, 8);
    const auto expect = [&](const std::string& words, const std::function<void(RowPart<double>&)>& spoil) {
      auto parts = distributed_rows(b, 20, world, 4);
      for (auto& part : parts)
        if (!part.rows.empty()) {  // the first rank that has any
          spoil(part);
          break;
        }
      expect_error(Status::bad_input, words,
                   [&] { factors.solve_distributed(of_local_ranks(parts, world)); });
    };
    expect("is given by no rank", [](auto& part) { part.rows.pop_back(), part.values.pop_back(); });
    expect("give each row once",
           [](auto& part) { part.rows.push_back(part.rows[0]), part.values.push_back(1); });
    expect("gives row 20", [](auto& part) { part.rows[0] = 20; });
    expect("one value for each row", [](auto& part) { part.rows.push_back(3), part.rows.push_back(4); });
    expect("not a finite number", [](auto& part) { part.values[0] = std::nan(""); });
    expect_error(Status::bad_input, "asks for row -1", [&] {
      const std::vector<std::vector<Index>> chosen(world.local.size(), {-1});
      factors.solve_distributed(of_local_ranks(distributed_rows(b, 20, world, 4), world),
                                {SolutionRows::Where::chosen, chosen});
    });
    EXPECT_EQ(factors.solve(b).x.size(), 20u);  // and the factors are still there
  });
}

}  // namespace
}  // namespace overlapack
