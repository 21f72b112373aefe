#include "../random_values.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/multiply.hpp"

#include <gtest/gtest.h>

#include <cmath>

/// Iterations by the names of their methods.
namespace overlapack {
namespace {

/// Solves with a system of known solution; returns the error.
double error_of(iterative::Iteration<double> iteration, const SparseMatrix<double>& A) {
  const std::vector<double> x = random_vector<double>(A.rows, 3);
  const Solution<double> solution = iteration.solve(multiply<double>(A, x));
  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(solution.x[i] - x[i]));
  return error;
}

TEST(Iteration, JacobiAndMultisplittingByName) {
  const SparseMatrix<double> A = sparse::generate("cube", 5);
  for (const int ranks : {1, 3}) {
    const Options options{.ranks = ranks, .iteration = {.tolerance = 1e-11}};
    EXPECT_LE(error_of(iterative::jacobi(A, options), A), 1e-8);
    EXPECT_LE(error_of(iterative::multisplitting(A, options), A), 1e-8);
  }
}

TEST(Iteration, AnotherMethodIsRefused) {
  const SparseMatrix<double> A = sparse::generate("cube", 3);
  for (const auto& call : {iterative::jacobi<double>, iterative::multisplitting<double>}) {
    const Options options{.method =
                              call == &iterative::jacobi<double> ? Method::multisplitting : Method::jacobi};
    try {
      call(A, options);
      ADD_FAILURE() << "it was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_plan) << error.what();
    }
  }
}

}  // namespace
}  // namespace overlapack
