#include "overlapack/assemble.hpp"
#include "overlapack/bsp.hpp"
#include "overlapack/dense.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/io.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/multiply.hpp"
#include "overlapack/overlapack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <complex>
#include <filesystem>
#include <functional>
#include <vector>

/// Callers that trap floating-point exceptions, as programs of GEOS, MOOSE, Code_Aster and `gfortran -ffpe-trap=zero` do: a trap inside of
/// the library ends this program. Their flags are left as they are.
namespace overlapack {
namespace {

constexpr int trapped = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;

/// Calls work() with traps on and one flag up; both have to be there afterwards. An Error is an answer.
void trapping(const char* what, const std::function<void()>& work) {
  std::feclearexcept(FE_ALL_EXCEPT);
  std::feraiseexcept(FE_UNDERFLOW);
  feenableexcept(trapped);
  try {
    work();
  } catch (const Error&) {
  }
  const int traps = fegetexcept(), flags = std::fetestexcept(FE_ALL_EXCEPT);
  fedisableexcept(FE_ALL_EXCEPT);
  EXPECT_EQ(traps, trapped);
  EXPECT_EQ(flags, FE_UNDERFLOW) << what;
}

SparseMatrix<double> tridiagonal(Index n, double below, double diagonal, double above) {
  SparseMatrix<double> A{n, n, {0}, {}, {}};
  for (Index j = 0; j < n; ++j) {
    for (const auto& [i, value] : {std::pair{j - 1, above}, {j, diagonal}, {j + 1, below}})
      if (i >= 0 && i < n) {
        A.row.push_back(i);
        A.value.push_back(value);
      }
    A.start.push_back(static_cast<Index>(A.row.size()));
  }
  return A;
}

/// Matrices whose analysis or factorisation divides by zero, overflows or meets infinity where it can.
std::vector<SparseMatrix<double>> touchy_matrices() {
  SparseMatrix<double> zeros = sparse::generate("cube", 4);
  for (std::size_t k = 0; k < zeros.value.size(); k += 3) zeros.value[k] = 0;
  SparseMatrix<double> column_of_zeros = tridiagonal(6, -1, 4, -2);
  column_of_zeros.value[0] = column_of_zeros.value[1] = 0;
  SparseMatrix<double> wide = tridiagonal(9, -1, 4, -2);
  for (Index j = 0; j < 9; ++j)
    for (Index k = wide.start[j]; k < wide.start[j + 1]; ++k) wide.value[k] *= j % 2 == 0 ? 1e300 : 1e-310;
  return {tridiagonal(2, 1, 0, 1),          tridiagonal(30, 1, 0, 1),
          tridiagonal(31, 1, 0, 1),         tridiagonal(8, 1, 1, 1),
          tridiagonal(5, 0, 1e-310, 0),     tridiagonal(5, 1e308, -1e308, 1e308),
          tridiagonal(1, 0, 5e-324, 0),     sparse::generate("saddle", 2),
          sparse::generate("bordered", 20), std::move(zeros),
          std::move(column_of_zeros),       std::move(wide)};
}

/// Everything that factors answer.
template <class T>
void ask_all(Factors<T>& factors, const SparseMatrix<T>& A) {
  const std::vector<T> b(static_cast<std::size_t>(A.rows), T(1));
  for (const auto& ask : std::initializer_list<std::function<void()>>{
           [&] { factors.solve(b); }, [&] { factors.solve(b, 1, Transpose::trans); },
           [&] { factors.refactorize(A); }, [&] { factors.solve(b); }, [&] { factors.determinant(); },
           [&] { factors.reciprocal_condition(); }, [&] { factors.inertia(); }})
    trapping("ask", ask);
  trapping("json", [&] { to_json(factors.report()); });
  trapping("advice", [&] { advice(factors.report()); });
}

template <class T>
void solve_and_ask(const SparseMatrix<double>& A, const Options& options) {
  SparseMatrix<T> matrix{A.rows, A.cols, A.start, A.row, {A.value.begin(), A.value.end()}, A.symmetry};
  std::optional<Factorization<T>> factors;
  trapping("factorize", [&] { factors.emplace(factorize(matrix, options)); });
  if (factors) ask_all<T>(*factors, matrix);
}

TEST(Traps, EverySparseMethodRunsThrough) {
  for (const SparseMatrix<double>& A : touchy_matrices())
    for (const auto method : {std::optional<Method>(), std::optional(Method::multifrontal),
                              std::optional(Method::supernodal), std::optional(Method::block_triangular)})
      for (const int ranks : {1, 3}) {
        Options options{.ranks = ranks};
        options.method = method;
        options.refinement.error_analysis = true;
        solve_and_ask<double>(A, options);
        options.precision = Precision::mixed;
        solve_and_ask<double>(A, options);
        options.sparse.scaling = ScalingKind::ruiz;
        options.sparse.null_pivots = true;
        solve_and_ask<double>(A, options);
      }
}

TEST(Traps, EveryTypeRunsThrough) {
  for (const SparseMatrix<double>& A : touchy_matrices()) {
    solve_and_ask<std::complex<double>>(A, {});
    const auto fits = [](double value) { return std::abs(value) < 1e38; };
    if (!std::ranges::all_of(A.value, fits)) continue;
    solve_and_ask<float>(A, {});
    solve_and_ask<std::complex<float>>(A, {});
  }
}

TEST(Traps, DenseFactorsRunThrough) {
  constexpr Index n = 40;
  for (const double size : {1.0, 1e-310, 1e308, 0.0})
    for (const int ranks : {1, 3}) {
      std::vector<double> values(n * n, size);
      for (Index i = 0; i < n; ++i) values[static_cast<std::size_t>(i * (n + 1))] = i % 3 == 0 ? 0 : 2 * size;
      const dense::View<double> view{values.data(), n, n, n};
      const std::vector<double> b(n, 1.0);
      const Options options{.ranks = ranks};
      for (const auto& solve : std::initializer_list<std::function<void()>>{
               [&] { dense::lu_factor(view, options).solve(b); },
               [&] { dense::lu_factor(view, options).reciprocal_condition(); },
               [&] { dense::lu_factor(view, options).determinant(); },
               [&] { dense::cholesky_factor(view, options).solve(b); },
               [&] { dense::qr_factor(view, options).solve(b); }})
        trapping("solve", solve);
    }
}

TEST(Traps, IterationsRunThrough) {
  for (const SparseMatrix<double>& A : touchy_matrices())
    for (const Method method : {Method::jacobi, Method::multisplitting}) {
      Options options{.ranks = 2};
      options.method = method;
      options.iteration.max_iterations = 50;
      const std::vector<double> b(static_cast<std::size_t>(A.rows), 1.0);
      trapping("", [&] { iterative::iteration<double>(A, options).solve(b); });
    }
}

TEST(Traps, OtherFunctionsRunThrough) {
  for (const SparseMatrix<double>& A : touchy_matrices()) {
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1e308);
    trapping("solve", [&] { solve(A, b); });
    trapping("plan", [&] { plan(A); });
    trapping("multiply", [&] { multiply<double>(A, b); });
    trapping("assemble", [&] { assemble(triplets_of(A)); });
    trapping("schur", [&] { schur(A, std::vector<Index>{0}).condense(b); });
    trapping("matrix_as", [&] { io::matrix_as<float>(A); });
  }
  trapping("", [] {
    io::read_matrix_bytes("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e-400\n", "tiny.mtx");
  });
  trapping("generate", [] { sparse::generate("elasticity", 2); });
}

TEST(Traps, ACallbackTrapsAndKeepsFlagsAsItsCaller) {
  Options options;
  int traps = -1, calls = 0;
  options.progress = [&](const Progress&) {
    traps = fegetexcept();
    ++calls;
    std::feraiseexcept(FE_INEXACT);
    return false;
  };
  std::feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(trapped);
  factorize(sparse::generate("cube", 4), options);
  fedisableexcept(FE_ALL_EXCEPT);
  EXPECT_GT(calls, 0);
  EXPECT_EQ(traps, trapped);
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), FE_INEXACT);
}

/// The threads of a team outlive it, and are hired again: here by a factorisation, whose ranks must not trap.
TEST(Traps, RanksTrapAsTheCallerOfTheirRun) {
  std::vector<int> traps(3, -1);
  feenableexcept(trapped);
  bsp::run({.ranks = 3}, [&](bsp::World& world) {
    traps[static_cast<std::size_t>(world.process())] = fegetexcept();
    feenableexcept(FE_UNDERFLOW);
  });
  fedisableexcept(FE_ALL_EXCEPT);
  EXPECT_EQ(traps, std::vector<int>(3, trapped));
  Options options{.ranks = 3};
  options.method = Method::multifrontal;
  solve_and_ask<double>(sparse::generate("cube", 8), options);
}

TEST(TrapsOnRealMatrices, DISABLED_EveryMethodRunsThrough) {
  const std::string folder = OVERLAPACK_MATRICES_DIR;
  if (folder.empty()) GTEST_SKIP() << "no real matrices here";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().string().find(".mtx") == std::string::npos) continue;
    const SparseMatrix<double> A = io::matrix_as<double>(io::read_matrix(file.path().string()).matrix);
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1.0);
    for (const auto method : {std::optional<Method>(), std::optional(Method::multifrontal),
                              std::optional(Method::supernodal), std::optional(Method::block_triangular)})
      for (const int ranks : {1, 2}) {
        Options options{.ranks = ranks};
        options.method = method;
        options.run.time_limit_s = 60;
        trapping("", [&] { solve(A, b, options); });
      }
  }
}

}  // namespace
}  // namespace overlapack
