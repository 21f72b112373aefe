#include "overlapack/batch.hpp"

#include "overlapack/generate.hpp"
#include "overlapack/multiply.hpp"
#include "overlapack/overlapack.hpp"
#include "random_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <limits>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace overlapack {
namespace {

/// A pattern, values for `systems` matrices that are dominant by columns, and right-hand sides for a known x.
template <class T>
struct Case {
  SparseMatrix<T> pattern;
  Index systems = 0;
  std::vector<T> values, x, b;

  SparseMatrix<T> matrix(Index k) const {
    SparseMatrix<T> A = pattern;
    A.value.assign(values.begin() + k * A.nnz(), values.begin() + (k + 1) * A.nnz());
    return A;
  }
  void set_right_hand_sides(Index nrhs, Transpose op = Transpose::none) {
    x = random_vector<T>(pattern.cols * nrhs * systems, 5);
    b.clear();
    for (Index column = 0; column < nrhs * systems; ++column) {
      const std::span<const T> own(x.data() + column * pattern.cols, static_cast<std::size_t>(pattern.cols));
      const std::vector<T> product = multiply<T>(matrix(column / nrhs), own, op);
      b.insert(b.end(), product.begin(), product.end());
    }
  }
};

template <class T>
Case<T> grids(Index side, Index systems) {
  const SparseMatrix<double> A = sparse::generate("convection", side);
  Case<T> made{{A.rows, A.cols, A.start, A.row, {}}, systems, {}, {}, {}};
  Random random(3);
  for (Index k = 0; k < systems; ++k)
    for (const double value : A.value)
      made.values.push_back(static_cast<T>(value) * (T(1) + T(Real<T>(0.1)) * random_value<T>(random)));
  return made;
}

template <class T>
void expect_solves(Case<T>& made, Batch<T>& batch, Index nrhs, Transpose op, double tolerance) {
  made.set_right_hand_sides(nrhs, op);
  const BatchSolution<T> solution = batch.solve(made.b, nrhs, op);
  ASSERT_EQ(solution.x.size(), made.x.size());
  for (Index k = 0; k < made.systems; ++k) {
    ASSERT_EQ(solution.status[static_cast<std::size_t>(k)], Status::ok) << k;
    ASSERT_LE(solution.backward_error[static_cast<std::size_t>(k)],
              45 * std::numeric_limits<Real<T>>::epsilon());
  }
  for (std::size_t i = 0; i < made.x.size(); ++i)
    ASSERT_NEAR(std::abs(solution.x[i] - made.x[i]), 0, tolerance) << i;
}

template <class T>
class BatchOf : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BatchOf, Scalars);

TYPED_TEST(BatchOf, SolvesEverySystemByAnyOperation) {
  using T = TypeParam;
  const double tolerance = 2e5 * std::numeric_limits<Real<T>>::epsilon();
  for (const Index systems : {1, 7, 8, 9, 30}) {
    Case<T> made = grids<T>(5, systems);
    Batch<T> batch = factorize_batch<T>(made.pattern, made.values);
    EXPECT_EQ(batch.report().in_lanes, systems);
    EXPECT_EQ(batch.report().alone, 0);
    for (const Transpose op : {Transpose::none, Transpose::trans, Transpose::conj_trans}) {
      expect_solves(made, batch, 1, op, tolerance);
      expect_solves(made, batch, 3, op, tolerance);
    }
    if (this->HasFatalFailure()) return;
  }
}

TEST(Batch, SystemsOfOrderOneAndWithoutSystems) {
  Case<double> one{{1, 1, {0, 1}, {0}, {}}, 3, {2, -4, 0.5}, {}, {}};
  Batch<double> batch = factorize_batch<double>(one.pattern, one.values);
  expect_solves(one, batch, 2, Transpose::none, 1e-15);
  const SparseMatrix<double> pattern = one.pattern;
  Batch<double> none = factorize_batch<double>(pattern, std::vector<double>());
  EXPECT_EQ(none.report().systems, 0);
  EXPECT_TRUE(none.solve(std::vector<double>()).x.empty());
}

TEST(Batch, ASystemDoesNotDependOnTheOthers) {
  Case<double> made = grids<double>(5, 21);
  made.set_right_hand_sides(1);
  const auto all = factorize_batch<double>(made.pattern, made.values, {.ranks = 1}).solve(made.b);
  const auto threads = factorize_batch<double>(made.pattern, made.values, {.ranks = 3}).solve(made.b);
  EXPECT_EQ(all.x, threads.x);
  // the first decides on pivots; the others may come in any place
  Case<double> other = made;
  const auto swap = [](std::vector<double>& of, Index width, Index a, Index b) {
    std::swap_ranges(of.begin() + a * width, of.begin() + (a + 1) * width, of.begin() + b * width);
  };
  const Index n = made.pattern.cols, nnz = made.pattern.nnz();
  swap(other.values, nnz, 4, 17), swap(other.b, n, 4, 17);
  auto moved = factorize_batch<double>(other.pattern, other.values).solve(other.b);
  swap(moved.x, n, 4, 17);
  EXPECT_EQ(moved.x, all.x);
}

TEST(Batch, FailuresAreTheirOwn) {
  Case<double> made = grids<double>(5, 20);
  const Index nnz = made.pattern.nnz(), n = made.pattern.cols;
  const auto entry = [&](Index k, Index p) -> double& {
    return made.values[static_cast<std::size_t>(k * nnz + p)];
  };
  made.set_right_hand_sides(1);
  entry(3, 5) = std::numeric_limits<double>::quiet_NaN();
  for (Index p = made.pattern.start[7]; p < made.pattern.start[8]; ++p)
    entry(11, p) = 0;  // a column of zeros
  std::vector<std::uint8_t> wanted(20, 1);
  wanted[14] = 0;
  Batch<double> batch = factorize_batch<double>(made.pattern, made.values, {}, wanted);
  EXPECT_EQ(batch.status()[3], Status::bad_input);
  EXPECT_EQ(batch.status()[14], Status::cancelled);
  EXPECT_EQ(batch.report().left_out, 1);
  const auto solution = batch.solve(made.b);
  EXPECT_EQ(solution.status[3], Status::bad_input);
  EXPECT_EQ(solution.status[11], Status::singular);
  EXPECT_EQ(solution.status[14], Status::cancelled);
  for (Index k = 0; k < 20; ++k) {
    const bool is_whole = k != 3 && k != 11 && k != 14;
    EXPECT_EQ(solution.status[static_cast<std::size_t>(k)] == Status::ok, is_whole) << k;
    EXPECT_EQ(std::isnan(solution.backward_error[static_cast<std::size_t>(k)]), !is_whole) << k;
    for (Index i = 0; i < n; ++i) {
      const double x = solution.x[static_cast<std::size_t>(k * n + i)];
      if (is_whole)
        ASSERT_NEAR(x, made.x[static_cast<std::size_t>(k * n + i)], 1e-10);
      else
        ASSERT_TRUE(std::isnan(x));
    }
  }
}

TEST(Batch, SystemsWithOtherPivotsAreFactorizedAlone) {
  // (a 1; 1 0) with a = 1, but 1e-9 in the fifth: its pivot fails the test
  Case<double> made{{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {}}, 9, {}, {}, {}};
  for (Index k = 0; k < 9; ++k) made.values.insert(made.values.end(), {k == 4 ? 1e-9 : 3.0, 1, 1, 2});
  Batch<double> batch = factorize_batch<double>(made.pattern, made.values);
  EXPECT_EQ(batch.report().alone, 1);
  EXPECT_EQ(batch.report().in_lanes, 8);
  expect_solves(made, batch, 1, Transpose::none, 1e-14);
}

TEST(Batch, LargeSystemsAreFactorizedByThemselves) {
  Case<double> made = grids<double>(24, 2);
  Batch<double> batch = factorize_batch<double>(made.pattern, made.values, {.ranks = 2});
  EXPECT_EQ(batch.report().alone, 2);
  EXPECT_NE(batch.report().choice.find("each by itself"), std::string::npos);
  expect_solves(made, batch, 1, Transpose::none, 1e-9);
}

TEST(Batch, IsRefactorized) {
  Case<double> made = grids<double>(5, 12), other = grids<double>(5, 12);
  for (double& value : other.values) value *= 3;
  Batch<double> batch = factorize_batch<double>(made.pattern, made.values);
  batch.refactorize(other.values);
  expect_solves(other, batch, 1, Transpose::none, 1e-10);
  std::vector<std::uint8_t> wanted(12, 0);
  wanted[2] = 1;
  batch.refactorize(made.values, wanted);
  EXPECT_EQ(batch.report().left_out, 11);
  made.set_right_hand_sides(1);
  EXPECT_EQ(batch.solve(made.b).status[2], Status::ok);
  EXPECT_EQ(batch.solve(made.b).status[3], Status::cancelled);
  batch.refactorize(made.values);
  expect_solves(made, batch, 1, Transpose::none, 1e-10);
}

TEST(Batch, RowsMayComeInAnyOrder) {
  Case<double> made = grids<double>(4, 10), turned = made;
  for (Index j = 0; j < made.pattern.cols; ++j) {
    const Index first = made.pattern.start[j], end = made.pattern.start[j + 1];
    std::reverse(turned.pattern.row.begin() + first, turned.pattern.row.begin() + end);
    for (Index k = 0; k < 10; ++k) {
      const auto own = turned.values.begin() + k * made.pattern.nnz();
      std::reverse(own + first, own + end);
    }
  }
  made.set_right_hand_sides(1);
  EXPECT_EQ(factorize_batch<double>(turned.pattern, turned.values).solve(made.b).x,
            factorize_batch<double>(made.pattern, made.values).solve(made.b).x);
}

template <class F>
void expect_bad_input(const std::string& text, F&& f) {
  try {
    f();
    ADD_FAILURE() << "not refused: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_input) << error.what();
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(Batch, BadInputIsRefused) {
  const Case<double> made = grids<double>(2, 4);
  const auto with = [&](SparseMatrix<double> pattern, std::vector<double> values) {
    factorize_batch<double>(std::move(pattern), values);
  };
  std::vector<double> less = made.values;
  less.pop_back();
  expect_bad_input("values, but", [&] { with(made.pattern, less); });
  SparseMatrix<double> twice{2, 2, {0, 2, 3}, {0, 0, 1}, {}};
  expect_bad_input("twice", [&] { with(twice, {1, 1, 1}); });
  SparseMatrix<double> wide{2, 3, {0, 1, 2, 2}, {0, 1}, {}};
  expect_bad_input("square", [&] { with(wide, {1, 1}); });
  SparseMatrix<double> outside{2, 2, {0, 1, 2}, {0, 7}, {}};
  expect_bad_input("", [&] { with(outside, {1, 1}); });
  Batch<double> batch = factorize_batch<double>(made.pattern, made.values);
  expect_bad_input("right-hand sides have", [&] { batch.solve(std::vector<double>(5)); });
  std::vector<double> b(static_cast<std::size_t>(4 * made.pattern.cols), 1);
  b[static_cast<std::size_t>(2 * made.pattern.cols)] = std::numeric_limits<double>::infinity();
  expect_bad_input("system 2", [&] { batch.solve(b); });
  expect_bad_input("mask", [&] {
    factorize_batch<double>(made.pattern, made.values, {}, std::vector<std::uint8_t>(3, 1));
  });
}

TEST(Batch, ThreadsSolveAndRefactorizeOneAfterTheOther) {
  Case<double> made = grids<double>(5, 80);
  made.set_right_hand_sides(1);
  std::vector<double> halved = made.values;
  for (double& value : halved) value /= 2;
  Batch<double> batch = factorize_batch<double>(made.pattern, made.values, {.ranks = 1});
  const std::vector<double> x = batch.solve(made.b).x;
  const std::jthread other([&](const std::stop_token& stop) {
    for (bool is_halved = true; !stop.stop_requested(); is_halved = !is_halved) {
      batch.refactorize(is_halved ? halved : made.values);
      std::this_thread::sleep_for(std::chrono::microseconds(50));  // the lock is not fair
    }
  });
  for (int round = 0; round < 50; ++round) {
    const std::vector<double> found = batch.solve(made.b).x;
    const double factor = std::round(found[0] / x[0]);  // 1 or 2, of all
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(found[i], factor * x[i], 1e-10) << round;
    EXPECT_EQ(batch.copy_report().in_lanes, 80);
    EXPECT_EQ(batch.copy_status(), std::vector<Status>(80, Status::ok));
  }
}

/// As many as there are equal systems of A in a batch, and the same b for each.
template <class T>
std::vector<T> repeated(const std::vector<T>& values, int times) {
  std::vector<T> all;
  for (int k = 0; k < times; ++k) all.insert(all.end(), values.begin(), values.end());
  return all;
}

/// The status that all systems of a batch end with.
Status common_status(Batch<double>& batch, const std::vector<double>& b, Index nrhs = 1,
                     Transpose op = Transpose::none) {
  const int systems = static_cast<int>(batch.report().systems);
  const std::vector<Status> status = batch.solve(repeated(b, systems), nrhs, op).status;
  for (const Status one : status) EXPECT_EQ(one, status.front());
  return status.front();
}

// Digits of A and b change x = (0, ..., 0, 1) by far, but not x = (1, 0, ..., 0).
TEST(Batch, EachXIsTested) {
  constexpr Index n = 20;
  SparseMatrix<double> A{n, n, {0}, {}, {}};
  for (Index j = 0; j < n; ++j) {
    if (j > 0) A.row.push_back(j - 1), A.value.push_back(10);
    A.row.push_back(j), A.value.push_back(1);
    A.start.push_back(A.nnz());
  }
  std::vector<double> good(n), bad(n), both;
  good[0] = 1;
  bad[n - 1] = 1, bad[n - 2] = 10;
  both = good;
  both.insert(both.end(), bad.begin(), bad.end());
  ASSERT_EQ(factorize(A).solve(bad).report.status, Status::ill_conditioned);
  const auto make = [&] { return factorize_batch<double>(A, repeated(A.value, 9)); };
  Batch<double> batch = make(), other = make();
  ASSERT_EQ(batch.report().in_lanes, 9);
  EXPECT_EQ(common_status(batch, good), Status::ok);
  EXPECT_EQ(common_status(batch, bad), Status::ill_conditioned);
  EXPECT_EQ(common_status(batch, good), Status::ok);
  EXPECT_EQ(common_status(other, both, 2), Status::ill_conditioned);
}

// (1 1; d 2d), d tiny: digits of a row are as tiny as the row, those of a column are not.
TEST(Batch, TheTransposeIsTestedApart) {
  const SparseMatrix<double> A{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 1e-20, 1, 2e-20}};
  const std::vector<double> of_none{1, 1e-20}, of_transpose{1, 1};  // x = (1, 0)
  ASSERT_EQ(factorize(A).solve(of_transpose, 1, Transpose::trans).report.status, Status::ill_conditioned);
  Batch<double> batch = factorize_batch<double>(A, repeated(A.value, 3));
  ASSERT_EQ(batch.report().in_lanes, 3);
  EXPECT_EQ(common_status(batch, of_none), Status::ok);
  EXPECT_EQ(common_status(batch, of_transpose, 1, Transpose::trans), Status::ill_conditioned);
  EXPECT_EQ(common_status(batch, of_none), Status::ok);
}

/// Systems of (a 1; 1 2): the pivots of the first, with a = 3, fail in the others.
struct Alone {
  explicit Alone(Index systems) {
    for (Index k = 0; k < systems; ++k) values.insert(values.end(), {k == 0 ? 3 : 1e-9, 1, 1, 2});
    b.assign(static_cast<std::size_t>(2 * systems), 1);
  }
  SparseMatrix<double> pattern{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {}};
  std::vector<double> values, b;
};

TEST(Batch, ProgressHasThePhasesOfFactorize) {
  const Alone made(40);
  for (const int ranks : {1, 3}) {
    std::vector<std::string> phases;
    double last = 0;
    const auto note = [&](const Progress& progress) {
      if (phases.empty() || phases.back() != progress.phase) phases.emplace_back(progress.phase), last = 0;
      EXPECT_GE(progress.share, last);
      EXPECT_LE(last = progress.share, 1);
      return false;
    };
    auto batch = factorize_batch<double>(made.pattern, made.values, {.ranks = ranks, .progress = note});
    EXPECT_EQ(batch.report().alone, 39);
    EXPECT_EQ(phases, (std::vector<std::string>{"analysis", "factorisation"}));
    batch.solve(made.b);
    EXPECT_EQ(phases.back(), "solve");
    batch.refactorize(made.values);
    EXPECT_EQ(phases, (std::vector<std::string>{"analysis", "factorisation", "solve", "factorisation"}));
  }
}

template <class Call>
void expect_cancelled(const std::string& text, Call&& call) {
  try {
    call();
    FAIL() << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::cancelled) << error.what();
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(Batch, IsStoppedInAnyPhase) {
  const Case<double> together = grids<double>(5, 40);
  const Alone alone(40);
  const std::vector<double> b(static_cast<std::size_t>(40 * together.pattern.cols), 1);
  for (const int ranks : {1, 3})
    for (const bool is_alone : {false, true}) {
      std::string last;
      Options options{.ranks = ranks};
      options.progress = [&](const Progress& progress) { return progress.phase == last; };
      const auto make = [&] {
        return is_alone ? factorize_batch<double>(alone.pattern, alone.values, options)
                        : factorize_batch<double>(together.pattern, together.values, options);
      };
      const std::vector<double>& values = is_alone ? alone.values : together.values;
      const std::span<const double> sides = is_alone ? alone.b : b;
      last = "analysis";
      expect_cancelled("in the analysis", make);
      last = "factorisation";
      expect_cancelled("in the factorisation", make);
      last = "";
      Batch<double> batch = make();
      const std::vector<double> x = batch.solve(sides).x;
      last = "factorisation";
      expect_cancelled("in the factorisation", [&] { batch.refactorize(values); });
      last = "";
      expect_bad_input("there are no factors", [&] { batch.solve(sides); });
      batch.refactorize(values);
      last = "solve";
      expect_cancelled("in the solve", [&] { batch.solve(sides); });
      last = "";
      EXPECT_EQ(batch.solve(sides).x, x);
    }
}

// The first question comes at the end of the systems side by side, the others while single ones are factorised.
TEST(Batch, IsStoppedWhileSingleSystemsAreFactorized) {
  const Alone made(20'000);
  for (const int ranks : {1, 3}) {
    Options options{.ranks = ranks};
    options.progress = [&](const Progress& progress) {
      return progress.phase == "factorisation" && progress.share > 0.5 && progress.share < 1;
    };
    const auto make = [&] { factorize_batch<double>(made.pattern, made.values, options); };
    expect_cancelled("cancelled by the caller in the factorisation", make);
  }
}

TEST(Batch, HasATimeLimitForEachCall) {
  const Case<double> made = grids<double>(5, 40);
  Options options{.ranks = 1};
  options.run.time_limit_s = 1e-9;
  const auto make = [&] { factorize_batch<double>(made.pattern, made.values, options); };
  expect_cancelled("time limit", make);
}

TEST(Batch, OptionsThatItDoesNotKeepToAreRefused) {
  const Case<double> made = grids<double>(2, 4);
  const auto expect_refused = [&](const Options& options, const std::string& text) {
    try {
      factorize_batch<double>(made.pattern, made.values, options);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_plan);
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  expect_refused({.method = Method::supernodal}, "method is supernodal");
  expect_refused({.factorization = FactorKind::cholesky}, "factorization is cholesky");
  Options limited;
  limited.run.memory_limit_bytes = 1 << 30;
  expect_refused(limited, "memory_limit");
  factorize_batch<double>(made.pattern, made.values,
                          {.method = Method::multifrontal, .factorization = FactorKind::lu});
}

/// Pivots in lanes are the diagonal: a saddle point matrix without one has its rows moved.
TEST(Batch, SaddlePointsStayInLanes) {
  SparseMatrix<double> A = sparse::generate("saddle", 4);
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (A.row[p] > j) A.value[p] *= 3;
  A.symmetry = Symmetry::general;
  std::vector<double> values;
  for (int system = 0; system < 8; ++system) values.insert(values.end(), A.value.begin(), A.value.end());
  auto batch = factorize_batch<double>(A, values, {.ranks = 1});
  EXPECT_EQ(batch.report().in_lanes, 8) << batch.report().choice;
}

// Right-hand sides are looked at by several threads: the first bad one is named, whichever thread finds its own first.
TEST(Batch, OfSeveralBadRightHandSidesTheFirstIsNamed) {
  constexpr Index systems = 300'000;
  const SparseMatrix<double> pattern{.rows = 1, .cols = 1, .start = {0, 1}, .row = {0}, .value = {}};
  const std::vector<double> values(systems, 2.0);
  Batch<double> batch = factorize_batch(pattern, std::span<const double>(values), {.ranks = 3});
  std::vector<double> b(systems, 1.0);
  b[250'000] = b[150'000] = std::numeric_limits<double>::quiet_NaN();
  try {
    batch.solve(b, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_input);
    EXPECT_NE(std::string(error.what()).find("system 150000 "), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace overlapack
