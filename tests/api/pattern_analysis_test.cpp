#include "overlapack/generate.hpp"
#include "overlapack/overlapack.hpp"
#include "random_values.hpp"
#include "sparse/matrix/triplets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

/// Analyses that are kept: the same bits as without them, and what they refuse.
namespace overlapack {
namespace {

/// Entries (j, j), (j + 1, j) and (7 j + 3, j) mod n. In column j the one in row j + shift is 1, the others are below 1/8.
template <class T>
SparseMatrix<T> shifted(Index n, Index shift, std::uint64_t seed) {
  Random random(seed);
  Triplets<T> entries{n, n, {}, {}, {}};
  for (Index j = 0; j < n; ++j)
    for (const Index i : {j, (j + 1) % n, (j * 7 + 3) % n})
      entries.add(i, j, i == (j + shift) % n ? T(1) : random_value<T>(random) / Real<T>(16));
  return sparse::compress(entries).matrix;
}

/// A symmetric matrix of pairs: |a(j, j + 1)| of even j is 1, or with is_other that of odd j; the rest is below 1/8.
SparseMatrix<double> paired(Index n, bool is_other, std::uint64_t seed) {
  Random random(seed);
  Triplets<double> entries{n, n, {}, {}, {}};
  for (Index j = 0; j < n; ++j) {
    entries.add(j, j, 1e-12 * random_value<double>(random));
    const Index i = (j + 1) % n;
    const double value = (j % 2 == 1) == is_other ? 1 : 1e-6 * random_value<double>(random);
    entries.add(i, j, value);
    entries.add(j, i, value);
  }
  return sparse::compress(entries).matrix;
}

void expect_refused_as(Status status, const std::string& words, const std::function<void()>& f) {
  try {
    f();
    ADD_FAILURE() << "no refusal with the words " << words;
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.status()), to_string(status)) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

/// Two reports say the same of analyses and factors.
void expect_alike(const Report& one, const Report& other) {
  for (const auto member : {&Report::n, &Report::nnz, &Report::predicted_factor_nnz, &Report::structural_rank,
                            &Report::variable_block})
    EXPECT_EQ(one.*member, other.*member);
  for (const auto member : {&Report::type, &Report::symmetry, &Report::method, &Report::factorization,
                            &Report::ordering, &Report::matching, &Report::scaling, &Report::choice})
    EXPECT_EQ(one.*member, other.*member);
  for (const auto member : {&Report::predicted_flops, &Report::shared_flops, &Report::predicted_bytes,
                            &Report::predicted_scratch_bytes})
    EXPECT_EQ(one.*member, other.*member);
}

template <class T>
void expect_same_bits(const SparseMatrix<T>& A, const PatternAnalysis& analysis, const Options& shaping,
                      const Options& others) {
  const auto b = random_vector<T>(A.rows, 5);
  Options both = shaping;
  both.ranks = others.ranks;
  auto fresh = factorize(A, both), reused = factorize(A, analysis, others);
  expect_alike(fresh.report(), reused.report());
  EXPECT_EQ(fresh.report().factor_nnz, reused.report().factor_nnz);
  EXPECT_EQ(reused.report().analysed_again, 0);
  EXPECT_EQ(fresh.solve(b).x, reused.solve(b).x);
  EXPECT_EQ(fresh.solve(b).report.backward_error, reused.solve(b).report.backward_error);
}

template <class T>
class KeptOfType : public testing::Test {};
using KeptTypes = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(KeptOfType, KeptTypes);

TYPED_TEST(KeptOfType, GivesTheSameBitsByEveryMethodAlsoFromAFile) {
  using T = TypeParam;
  const std::string path = testing::TempDir() + "/kept_analysis_" + std::to_string(sizeof(T));
  for (const Index n : {1, 2, 3, 40, 300})
    for (const std::optional<Method> method :
         {std::optional<Method>(), std::optional(Method::multifrontal), std::optional(Method::supernodal),
          std::optional(Method::block_triangular)})
      for (const int ranks : {1, 2}) {
        SCOPED_TRACE("n " + std::to_string(n) + ", ranks " + std::to_string(ranks) + ", method " +
                     std::string(to_string(method)));
        const Options shaping{.method = method, .ranks = ranks};
        const auto A = shifted<T>(n, 1, 3);
        const PatternAnalysis analysis = analyse(A, shaping);
        expect_same_bits(A, analysis, shaping, {.ranks = ranks});
        analysis.save(path);
        const PatternAnalysis loaded = load_analysis(path, {.ranks = ranks});
        expect_alike(analysis.report(), loaded.report());
        EXPECT_EQ(analysis.report().analysis_s, loaded.report().analysis_s);
        EXPECT_EQ(analysis.report().ranks, loaded.report().ranks);
        expect_same_bits(A, loaded, shaping, {.ranks = ranks});
      }
  std::remove(path.c_str());
}

TEST(Kept, GivesTheSameBitsOfModelProblems) {
  const std::string path = testing::TempDir() + "/kept_analysis_of_models";
  for (const char* kind : {"cube", "convection", "elasticity", "saddle"})
    for (const Options& shaping :
         {Options{}, Options{.factorization = FactorKind::lu, .sparse = {.ordering = Ordering::amd}},
          Options{.sparse = {.matching = Switch::on, .scaling = ScalingKind::ruiz}},
          Options{.factorization = FactorKind::ldlt}}) {
      SCOPED_TRACE(std::string(kind) + " " + to_json(shaping));
      const auto A = sparse::generate(kind, 6);
      if (shaping.factorization == FactorKind::ldlt && std::string(kind) == "convection") continue;
      const PatternAnalysis analysis = analyse(A, shaping);
      expect_alike(analysis.report(), plan(A, shaping));
      expect_same_bits(A, analysis, shaping, {});
      analysis.save(path);
      expect_same_bits(A, load_analysis(path), shaping, {.ranks = 3});
    }
  std::remove(path.c_str());
}

TEST(Kept, ServesOtherValues) {
  const double bound = 45 * std::numeric_limits<double>::epsilon();
  const auto A = shifted<double>(80, 1, 3);
  const PatternAnalysis analysis = analyse(A);
  for (const std::uint64_t seed : {4, 5, 6}) {
    auto B = shifted<double>(80, 1, seed);
    for (double& v : B.value) v *= 1e5;
    const auto b = random_vector<double>(80, seed);
    const Solution<double> solution = solve(B, b, analysis);
    EXPECT_LE(solution.report.backward_error, bound);
    EXPECT_EQ(solution.report.analysed_again, 0);
    EXPECT_EQ(solution.report.ordering, analysis.report().ordering);
  }
}

TEST(Kept, IsOfOneMatrixAndManyFactorsAtOnce) {
  const auto A = shifted<double>(30, 1, 3);
  const auto b = random_vector<double>(30, 1);
  std::vector<Factorization<double>> all;
  {
    const PatternAnalysis analysis = analyse(A);
    const PatternAnalysis copy = analysis;  // NOLINT: the same one
    for (int k = 0; k < 3; ++k) all.push_back(factorize(A, copy));
  }
  for (auto& factors : all) EXPECT_EQ(factors.solve(b).x, all.front().solve(b).x);
  all.front().refactorize(shifted<double>(30, 1, 9));
  EXPECT_NE(all.front().solve(b).x, all.back().solve(b).x);
}

TEST(Kept, IsMadeAnewWhereItsMatchingDoesNotFit) {
  const double bound = 45 * std::numeric_limits<double>::epsilon();
  const std::size_t n = 60;
  const auto A = shifted<double>(n, 1, 3);
  auto other = shifted<double>(n, 0, 3);
  auto zero = A;
  for (std::size_t p = 0; p < zero.row.size(); ++p)
    if (zero.value[p] == 1) {
      zero.value[p] = 0;
      break;
    }
  const auto b = random_vector<double>(n, 1);
  const PatternAnalysis analysis = analyse(A, {.sparse = {.ordering = Ordering::amd}});
  EXPECT_EQ(analysis.report().matching, "maximum product");
  const std::vector<double> before = factorize(A, analysis).solve(b).x;
  for (const auto& B : {other, zero}) {
    auto factors = factorize(B, analysis);
    EXPECT_EQ(factors.report().analysed_again, 1);
    EXPECT_NE(factors.report().choice.find("analysed again by its own values"), std::string::npos)
        << factors.report().choice;
    EXPECT_EQ(factors.report().ordering, "amd");
    EXPECT_LE(factors.solve(b).report.backward_error, bound);
    EXPECT_EQ(factors.solve(b).x, factorize(B, {.sparse = {.ordering = Ordering::amd}}).solve(b).x);
  }
  EXPECT_EQ(factorize(A, analysis).solve(b).x, before);  // it stayed as it was
  const PatternAnalysis unmatched = analyse(A, {.sparse = {.matching = Switch::off}});
  EXPECT_EQ(factorize(other, unmatched).report().analysed_again, 0);
}

TEST(Kept, DiagonalThatWasLargeIsAMatchingToo) {
  const auto A = shifted<double>(60, 0, 3);
  const PatternAnalysis analysis = analyse(A);
  EXPECT_EQ(analysis.report().matching, "off");
  EXPECT_EQ(factorize(shifted<double>(60, 0, 4), analysis).report().analysed_again, 0);
  const auto factors = factorize(shifted<double>(60, 1, 3), analysis);
  EXPECT_EQ(factors.report().analysed_again, 1);
  EXPECT_EQ(factors.report().matching, "maximum product");
}

TEST(Kept, MatchingOfSymmetricMatricesIsLookedAt) {
  const auto A = paired(40, false, 3);
  const PatternAnalysis analysis = analyse(A);
  EXPECT_EQ(analysis.report().factorization, "ldlt");
  EXPECT_EQ(analysis.report().matching, "maximum product");
  const std::string path = testing::TempDir() + "/kept_analysis_of_pairs";
  analysis.save(path);
  for (const PatternAnalysis& kept : {analysis, load_analysis(path)}) {
    EXPECT_EQ(factorize(paired(40, false, 4), kept).report().analysed_again, 0);
    EXPECT_EQ(factorize(paired(40, true, 4), kept).report().analysed_again, 1);
  }
  std::remove(path.c_str());
}

TEST(Kept, RefusesMatricesOfAnotherPattern) {
  const auto A = shifted<double>(30, 1, 3);
  const PatternAnalysis analysis = analyse(A);
  expect_refused_as(Status::bad_input, "of order 31",
                    [&] { factorize(shifted<double>(31, 1, 3), analysis); });
  auto more = A;
  more.value.pop_back();
  more.row.pop_back();
  --more.start.back();
  expect_refused_as(Status::bad_input,
                    "other places than the one that was analysed, " + std::to_string(A.nnz() - 1) +
                        " instead of " + std::to_string(A.nnz()),
                    [&] { factorize(more, analysis); });
  auto moved = A;
  for (Index i = 29; i >= 0; --i) {
    const auto first = moved.row.begin() + moved.start[4], end = moved.row.begin() + moved.start[5];
    if (std::find(first, end, i) != end) continue;
    *first = i;
    break;
  }
  expect_refused_as(Status::bad_input, "its " + std::to_string(A.nnz()) + " entries at other places",
                    [&] { factorize(moved, analysis); });
  expect_refused_as(Status::bad_input, "of type float32",
                    [&] { factorize(shifted<float>(30, 1, 3), analysis); });
  const auto B = sparse::generate("cube", 3);
  auto unsymmetric = B;
  unsymmetric.value[1] *= 2;
  unsymmetric.symmetry = Symmetry::general;
  const PatternAnalysis symmetric = analyse(B);
  expect_refused_as(Status::bad_input, "the matrix that was analysed is symmetric, this one is not: A(",
                    [&] { factorize(unsymmetric, symmetric); });
  EXPECT_NO_THROW(factorize(unsymmetric, analyse(B, {.factorization = FactorKind::lu})));
  EXPECT_NO_THROW(factorize(B, analyse(unsymmetric)));
  auto infinite = A;
  infinite.value[7] = INFINITY;
  expect_refused_as(Status::bad_input, "", [&] { factorize(infinite, analysis); });
  expect_refused_as(Status::bad_input, "", [&] { analyse(SparseMatrix<double>{}); });
  auto singular = A;
  singular.value.assign(singular.value.size(), 0.0);
  expect_refused_as(Status::singular, "structurally", [&] { analyse(singular); });
  expect_refused_as(Status::singular, "structurally", [&] { factorize(singular, analysis); });
}

TEST(Kept, OptionsThatShapeItAreItsOwn) {
  const auto A = shifted<double>(30, 1, 3);
  const PatternAnalysis analysis = analyse(A, {.sparse = {.ordering = Ordering::amd}});
  EXPECT_EQ(factorize(A, analysis, {.sparse = {.ordering = Ordering::amd}}).report().ordering, "amd");
  expect_refused_as(Status::bad_plan, "option ordering is metis, but the analysis was made with amd",
                    [&] { factorize(A, analysis, {.sparse = {.ordering = Ordering::metis}}); });
  expect_refused_as(Status::bad_plan, "option method is jacobi",
                    [&] { factorize(A, analysis, {.method = Method::jacobi}); });
  expect_refused_as(Status::bad_plan, "option null_pivots",
                    [&] { factorize(A, analysis, {.sparse = {.null_pivots = true}}); });
  std::vector<Index> order(30);
  for (Index k = 0; k < 30; ++k) order[static_cast<std::size_t>(k)] = 29 - k;
  const Options by_user{.sparse = {.ordering = Ordering::user, .user_order = order}};
  const std::string path = testing::TempDir() + "/kept_analysis_of_options";
  analyse(A, by_user).save(path);
  const PatternAnalysis loaded = load_analysis(path);
  expect_same_bits(A, loaded, by_user, {});
  EXPECT_EQ(factorize(shifted<double>(30, 0, 3), loaded).report().ordering, "user");  // analysed again
  std::swap(order[0], order[1]);
  expect_refused_as(Status::bad_plan, "user_order", [&] {
    factorize(A, loaded, {.sparse = {.ordering = Ordering::user, .user_order = order}});
  });
  std::remove(path.c_str());
}

TEST(Kept, DamagedFilesAreRefused) {
  const std::string path = testing::TempDir() + "/kept_analysis_damaged";
  const auto A = shifted<double>(30, 1, 3);
  analyse(A).save(path);
  std::ifstream in(path, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const auto expect_damaged = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    expect_refused_as(Status::bad_input, "analysis", [&] { load_analysis(path); });
  };
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{20}, std::size_t{40}, good.size() / 2, good.size() - 1})
    expect_damaged(good.substr(0, size));
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{9}, std::size_t{17}, std::size_t{40}, good.size() / 2, good.size() - 9}) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    expect_damaged(bad);
  }
  factorize(A).save(path);
  expect_refused_as(Status::bad_input, "holds no analysis", [&] { load_analysis(path); });
  std::remove(path.c_str());
  expect_refused_as(Status::bad_input, "cannot be read", [&] { load_analysis(path); });
  expect_refused_as(Status::bad_input, "", [&] { analyse(A).save("/no/such/folder/analysis"); });
}

}  // namespace
}  // namespace overlapack
