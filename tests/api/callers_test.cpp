#include "overlapack/dense.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/overlapack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <functional>
#include <limits>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

/// What callers may do: several threads, children of a fork, signals of their own, stopping at any moment.
namespace overlapack {
namespace {

/// A cube and the right-hand side of x = 1.
struct System {
  explicit System(int points) : A(sparse::generate("cube", points)), b(static_cast<std::size_t>(A.rows)) {
    for (Index j = 0; j < A.cols; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k) b[static_cast<std::size_t>(A.row[k])] += A.value[k];
  }
  /// The largest |x - 1|.
  static double error(const std::vector<double>& x) {
    double most = 0;
    for (const double value : x) most = std::max(most, std::abs(value - 1));
    return most;
  }
  /// A in full, by columns.
  std::vector<double> whole() const {
    std::vector<double> all(static_cast<std::size_t>(A.rows * A.rows));
    for (Index j = 0; j < A.cols; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
        all[static_cast<std::size_t>(A.row[k] + j * A.rows)] = A.value[k];
    return all;
  }
  SparseMatrix<double> A;
  std::vector<double> b;
};

/// cond(A) < points^2, backward error below n eps; iterations: their tolerance times it.
constexpr double bound = 1e-8;

constexpr Method methods[] = {Method::multifrontal, Method::supernodal, Method::block_triangular,
                              Method::dense,        Method::jacobi,     Method::multisplitting};

double solve_by(const Options& options, const System& system) {
  if (iterative::is_iterative(options.method))
    return System::error(iterative::iteration<double>(system.A, options).solve(system.b).x);
  if (options.method != Method::dense) return System::error(solve<double>(system.A, system.b, options).x);
  const std::vector<double> whole = system.whole();
  const dense::View<double> A{whole.data(), system.A.rows, system.A.rows, system.A.rows};
  return System::error(dense::solve<double>(A, system.b, options).x);
}
double solve_by(Method method, const System& system, int ranks) {
  return solve_by({.method = method, .ranks = ranks, .iteration = {.tolerance = 1e-11}}, system);
}

TEST(Callers, SeveralThreadsSolveAtOnce) {
  const System system(5);
  std::vector<double> errors(2 * std::size(methods), -1);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < errors.size(); ++i)
    threads.emplace_back([&, i] {
      double worst = 0;
      for (int round = 0; round < 5; ++round)
        worst = std::max(
            worst, solve_by(methods[i % std::size(methods)], system, 1 + (round + static_cast<int>(i)) % 3));
      errors[i] = worst;
    });
  threads.clear();
  for (std::size_t i = 0; i < errors.size(); ++i) {
    EXPECT_GE(errors[i], 0);
    EXPECT_LE(errors[i], bound) << i;
  }
}

TEST(Callers, AThreadReadsTheReportWhileAnotherSolves) {
  const System system(3);
  Factorization<double> factors = factorize(system.A, {.ranks = 1, .run = {.trace = true}});
  iterative::Iteration<double> iteration =
      iterative::iteration<double>(system.A, {.method = Method::jacobi, .ranks = 1});
  const std::vector<double> whole = system.whole();
  const dense::View<double> A{whole.data(), system.A.rows, system.A.rows, system.A.rows};
  dense::LuFactorization<double> lu = dense::lu_factor<double>(A, {.ranks = 1});
  for (Factors<double>* shared : {static_cast<Factors<double>*>(&factors), static_cast<Factors<double>*>(&lu),
                                  static_cast<Factors<double>*>(&iteration)}) {
    const std::jthread solver([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        shared->solve(system.b);
        std::this_thread::sleep_for(std::chrono::microseconds(50));  // the lock is not fair
      }
    });
    for (int round = 0; round < 200; ++round) {
      const Report report = shared->copy_report();
      EXPECT_EQ(report.n, system.A.rows);
      EXPECT_EQ(report.message.empty(), report.status == Status::ok);
      shared->between_calls([&] { EXPECT_EQ(shared->timeline().events().empty(), shared != &factors); });
    }
  }
}

/// Analysis, factors, solves, refinement and estimates; where one thread takes the same method.
TEST(Callers, GetTheSameBitsOnAnyNumberOfThreads) {
  struct Problem {
    const char* kind;
    int size;
  };
  for (const Problem problem : {Problem{"cube", 14}, {"convection", 16}, {"saddle", 7}, {"elasticity", 7}}) {
    const SparseMatrix<double> A = sparse::generate(problem.kind, problem.size);
    const std::vector<double> b(static_cast<std::size_t>(3 * A.rows), 1);
    std::vector<double> alone;
    Report report;
    for (const int ranks : {1, 2, 3, 7, 16}) {
      Options options{.method = Method::multifrontal, .ranks = ranks};
      options.refinement.error_analysis = true;
      Factorization<double> factors = factorize(A, options);
      const auto solution = factors.solve(b, 3);
      if (ranks == 1) {
        alone = solution.x;
        report = solution.report;
        continue;
      }
      EXPECT_EQ(solution.x, alone) << problem.kind << ", " << ranks;
      EXPECT_EQ(solution.report.backward_error, report.backward_error) << problem.kind << ", " << ranks;
      EXPECT_EQ(solution.report.condition_estimate, report.condition_estimate)
          << problem.kind << ", " << ranks;
      EXPECT_EQ(solution.report.forward_error_bound, report.forward_error_bound)
          << problem.kind << ", " << ranks;
      EXPECT_EQ(std::round(solution.report.flops), std::round(report.flops)) << problem.kind << ", " << ranks;
    }
  }
}

TEST(Callers, SeveralThreadsSolveWithTheSameFactors) {
  const System system(6);
  Factorization<double> factors = factorize(system.A, {.ranks = 3});
  std::vector<std::vector<double>> x(8);
  std::vector<std::jthread> threads;
  for (auto& mine : x)
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) mine = factors.solve(system.b).x;
    });
  threads.clear();
  for (const auto& mine : x) {
    ASSERT_EQ(mine.size(), system.b.size());
    EXPECT_LE(System::error(mine), bound);
    EXPECT_EQ(mine, x[0]);
  }
}

/// Mixed ones are made anew, in double, for a determinant, while others solve with them.
TEST(Callers, SeveralThreadsSolveWithTheSameDenseFactors) {
  const System system(5);
  const Index n = system.A.rows;
  const std::vector<double> whole = system.whole();
  for (const Precision precision : {Precision::working, Precision::mixed}) {
    auto factors = dense::lu_factor<double>({whole.data(), n, n, n}, {.precision = precision, .ranks = 3});
    std::vector<double> errors(8, -1);
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < errors.size(); ++i)
      threads.emplace_back([&, i] {
        double worst = 0;
        for (int round = 0; round < 5; ++round) {
          worst = std::max(worst, System::error(factors.solve(system.b).x));
          if (i == 0 && round == 1) factors.determinant();
        }
        errors[i] = worst;
      });
    threads.clear();
    for (const double error : errors) {
      EXPECT_GE(error, 0);
      EXPECT_LE(error, bound);
    }
  }
}

/// Hilbert's matrix of order n and the right-hand side of x = 1.
struct Hilbert {
  explicit Hilbert(Index n) : order(n), A(static_cast<std::size_t>(n * n)), b(static_cast<std::size_t>(n)) {
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) b[i] += A[i + j * n] = 1 / static_cast<double>(i + j + 1);
  }
  dense::View<double> view() const { return {A.data(), order, order, order}; }
  /// max |b - A x|_i / (|A| |x| + |b|)_i
  double backward_error(const std::vector<double>& x) const {
    double most = 0;
    for (Index i = 0; i < order; ++i) {
      double r = b[i], size = b[i];
      for (Index j = 0; j < order; ++j) {
        r -= A[i + j * order] * x[j];
        size += A[i + j * order] * std::abs(x[j]);
      }
      most = std::max(most, std::abs(r) / size);
    }
    return most;
  }
  Index order;
  std::vector<double> A, b;
};

/// Where a solve asks for the condition number, and single precision does not do.
TEST(Callers, SeveralThreadsSolveAnIllConditionedDenseSystem) {
  const Hilbert system(12);
  const Options options{.precision = Precision::mixed, .ranks = 2};
  const Status alone = dense::solve<double>(system.view(), system.b, options).report.status;
  auto factors = dense::lu_factor<double>(system.view(), options);
  std::vector<double> errors(8, -1);
  std::vector<Status> status(errors.size());
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < errors.size(); ++i)
    threads.emplace_back([&, i] {
      double worst = 0;
      for (int round = 0; round < 5; ++round) {
        const auto solution = factors.solve(system.b);
        worst = std::max(worst, system.backward_error(solution.x));
        status[i] = solution.report.status;
      }
      errors[i] = worst;
    });
  threads.clear();
  // what an accurate solution has, and the rounding of the residual here
  const double most = (45 + 2 * 12) * std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < errors.size(); ++i) {
    EXPECT_GE(errors[i], 0);
    EXPECT_LE(errors[i], most);
    EXPECT_EQ(to_string(status[i]), to_string(alone));
  }
}

/// A number of ranks that is asked for is what a call gets.
TEST(Callers, ACallTakesTheProcessorsThatOthersLeave) {
  const System system(14);
  const auto ranks_of = [&](int asked) { return factorize(system.A, {.ranks = asked}).report().ranks; };
  const int all = usable_processors();
  EXPECT_EQ(ranks_of(0), all);
  int beside = -1, asked = -1;
  Options options{.ranks = all};
  options.progress = [&](const Progress& progress) {
    if (progress.phase != "factorisation" || beside >= 0) return false;
    const std::jthread other([&] { beside = ranks_of(0), asked = ranks_of(2); });
    return false;
  };
  factorize(system.A, options);
  EXPECT_EQ(beside, 1);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(ranks_of(0), all);
}

/// An error of one thread is nothing to the others.
TEST(Callers, AFailureIsThatOfItsThread) {
  const System system(5);
  SparseMatrix<double> singular = system.A;
  std::fill(singular.value.begin(), singular.value.end(), 0.0);
  int refused = 0;
  double worst = 0;
  {
    const std::jthread failing([&] {
      for (int round = 0; round < 20; ++round) try {
          solve<double>(singular, system.b, {.ranks = 2});
        } catch (const Error& error) {
          refused += error.status() == Status::singular;
        }
    });
    for (int round = 0; round < 20; ++round)
      worst = std::max(worst, solve_by(Method::multifrontal, system, 2));
  }
  EXPECT_EQ(refused, 20);
  EXPECT_LE(worst, bound);
}

TEST(Callers, ChildrenOfAForkSolve) {
  const System system(5);
  Factorization<double> factors = factorize(system.A, {.ranks = 3});
  EXPECT_LE(System::error(factors.solve(system.b).x), bound);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    bool is_right = System::error(factors.solve(system.b).x) <= bound;  // its threads are not here
    for (const Method method : methods) is_right = is_right && solve_by(method, system, 2) <= bound;
    _exit(is_right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_LE(System::error(factors.solve(system.b).x), bound);
}

/// What this process does on each signal, and which it holds back.
struct Signals {
  std::array<struct sigaction, 65> actions{};
  sigset_t blocked{};
  Signals() {
    for (int number = 1; number < 65; ++number)
      sigaction(number, nullptr, &actions[static_cast<std::size_t>(number)]);
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  }
  bool operator==(const Signals& other) const {
    bool is_same = true;
    for (int number = 1; number < 65; ++number) {
      const auto& a = actions[static_cast<std::size_t>(number)];
      const auto& b = other.actions[static_cast<std::size_t>(number)];
      is_same = is_same && a.sa_handler == b.sa_handler && a.sa_flags == b.sa_flags &&
                sigismember(&blocked, number) == sigismember(&other.blocked, number);
    }
    return is_same;
  }
};

TEST(Callers, SignalsAreTheirOwn) {
  static int caught = 0;
  const auto before_us = std::signal(SIGUSR1, [](int) { ++caught; });
  const System system(8);
  const Signals before;
  bool is_same_inside = true;
  Options options{.ranks = 3};
  options.progress = [&](const Progress&) {
    is_same_inside = is_same_inside && Signals() == before;
    std::raise(SIGUSR1);
    return false;
  };
  EXPECT_LE(System::error(solve<double>(system.A, system.b, options).x), bound);
  EXPECT_TRUE(is_same_inside);
  EXPECT_TRUE(Signals() == before);
  EXPECT_GT(caught, 0);
  std::signal(SIGUSR1, before_us);
}

/// At the k-th call of progress, for k = 0, 1, ... until the work is done before; the next solve is right.
TEST(Callers, MayStopWheneverTheyAreAsked) {
  const System system(8);
  for (const Method method : methods)
    for (const int ranks : {1, 3}) {
      int stops = 0;
      for (bool is_stopped = true; is_stopped; ++stops) {
        int calls = 0;
        Options options{.method = method, .ranks = ranks};
        options.progress = [&](const Progress&) { return calls++ == stops; };
        try {
          solve_by(options, system);
          is_stopped = calls > stops;
          EXPECT_FALSE(is_stopped) << "a wish to stop was not heard";
        } catch (const Error& error) {
          EXPECT_EQ(error.status(), Status::cancelled) << error.what();
        }
        EXPECT_LE(solve_by(method, system, ranks), bound);
      }
      EXPECT_GT(stops, 1) << to_string(method) << " on " << ranks;
    }
}

}  // namespace
}  // namespace overlapack
