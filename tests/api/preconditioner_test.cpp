#include "overlapack/assemble.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/multiply.hpp"
#include "random_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

/// Iterations as objects that precondition.
namespace overlapack {
namespace {

Options with(Options options) {
  options.method = Method::multisplitting;
  return options;
}

double inner_product(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

template <class T>
double error_beside(const std::vector<T>& x, const std::vector<T>& wanted) {
  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, double(std::abs(x[i] - wanted[i])));
  return error;
}

void expect_no_iteration(const Options& options, const std::string& says,
                         const SparseMatrix<double>& A = sparse::generate("cube", 3)) {
  try {
    iterative::iteration(A, options);
    ADD_FAILURE() << "it was accepted; " << says;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
  }
}

TEST(Preconditioner, AcceleratesWhateverTheForm) {
  const SparseMatrix<double> A = sparse::generate("cube", 7);
  const std::vector<double> x = random_vector<double>(A.rows, 3), b = multiply<double>(A, x);
  for (const Method method : {Method::jacobi, Method::multisplitting})
    for (const Variant variant : {Variant::sync, Variant::async, Variant::racy})
      for (const int sweeps : {1, 3}) {
        const Options options{.method = method,
                              .ranks = 2,
                              .iteration = {.variant = variant, .tolerance = 1e-10, .sweeps = sweeps}};
        const auto [got, report] = iterative::iteration(A, options).solve(b);
        EXPECT_EQ(report.status, Status::ok) << report.message;
        EXPECT_LE(error_beside(got, x), 1e-7);
        EXPECT_EQ(report.iteration->accelerator, "gmres");
        EXPECT_EQ(report.iteration->sweeps, sweeps);
        EXPECT_LT(report.iterations_max, 80);
      }
}

TEST(Preconditioner, OfAllTypesAndOfGroups) {
  const auto test = [](auto one) {
    using T = decltype(one);
    const SparseMatrix<double> R = sparse::generate("convection", 6);
    SparseMatrix<T> A;
    A.rows = R.rows, A.cols = R.cols, A.start = R.start, A.row = R.row;
    for (const double a : R.value) A.value.push_back(T(Real<T>(a)));
    if constexpr (ScalarTraits<T>::is_complex)
      for (Index j = 0; j < A.cols; ++j) A.value[static_cast<std::size_t>(A.start[j])] *= T(1, Real<T>(0.25));
    const std::vector<T> x = random_vector<T>(A.rows, 3), b = multiply<T>(A, x);
    const auto [got, report] =
        iterative::multisplitting(
            A, {.ranks = 4,
                .multisplitting = {.ranks_per_block = 2, .blocks = 6, .coarse = Coarse::near_null_space}})
            .solve(b);
    EXPECT_EQ(report.status, Status::ok) << report.message;
    EXPECT_LE(error_beside(got, x), sizeof(Real<T>) == 4 ? 1e-2 : 1e-5);
    EXPECT_EQ(report.iteration->coarse_unknowns, 6);
    EXPECT_GT(report.iteration->group_solves, 0);
  };
  test(1.0f), test(1.0), test(std::complex<float>(1)), test(std::complex<double>(1));
}

// With a coarse level as many steps with 64 blocks as with 4, or half as many again; without one they grow. CG and GMRES.
TEST(Preconditioner, StepsDoNotGrowWithTheBlocks) {
  const SparseMatrix<double> A = sparse::generate("cube", 20);
  const std::vector<double> b = random_vector<double>(A.rows, 3);
  for (const Accelerator by : {Accelerator::gmres, Accelerator::cg}) {
    const auto steps = [&](int blocks, Coarse coarse) {
      const auto report =
          iterative::multisplitting(A, {.ranks = 2,
                                        .iteration = {.accelerator = by},
                                        .multisplitting = {.overlap = 1, .blocks = blocks, .coarse = coarse}})
              .solve(b)
              .report;
      EXPECT_EQ(report.status, Status::ok) << report.message;
      EXPECT_EQ(report.iteration->blocks, blocks);
      return report.iterations_max;
    };
    const Index few = steps(4, Coarse::near_null_space), many = steps(64, Coarse::near_null_space);
    EXPECT_LE(double(many), 1.5 * double(few));
    EXPECT_LT(many, steps(64, Coarse::none));
  }
}

/// Diffusion on points^3 cells; the coefficient of cubes of four cells is 1 or 1e4, in turns of a third.
SparseMatrix<double> jumps(Index points) {
  const auto coefficient = [&](Index cell) {
    const Index cubes = points / 4;
    const Index x = cell % points / 4, y = cell / points % points / 4, z = cell / (points * points) / 4;
    return (x + cubes * (y + cubes * z)) * 7 % 3 == 0 ? 1e4 : 1.0;
  };
  Triplets<double> A{
      .rows = points * points * points, .cols = points * points * points, .row = {}, .col = {}, .value = {}};
  const Index stride[] = {1, points, points * points};
  for (Index i = 0; i < A.rows; ++i)
    for (const Index s : stride) {
      const Index at = i / s % points;
      if (at == 0) A.add(i, i, 2 * coefficient(i));  // 0 at one wall of each direction
      if (at + 1 == points) continue;
      const double a = coefficient(i), b = coefficient(i + s), flow = 2 * a * b / (a + b);
      A.add(i, i, flow), A.add(i + s, i + s, flow), A.add(i, i + s, -flow), A.add(i + s, i, -flow);
    }
  return assemble(A);
}

// Ones on each block do not help where coefficients jump; ones on its strongly coupled parts do.
TEST(Preconditioner, StepsDoNotGrowWithTheBlocksWhereCoefficientsJump) {
  const SparseMatrix<double> A = jumps(20);
  const std::vector<double> b = random_vector<double>(A.rows, 3), ones(static_cast<std::size_t>(A.rows), 1.0);
  const auto steps = [&](int blocks, Coarse coarse, const std::vector<double>& near) {
    const auto report =
        iterative::multisplitting(A,
                                  {.ranks = 2,
                                   .iteration = {.accelerator = Accelerator::cg},
                                   .multisplitting = {.overlap = 1, .blocks = blocks, .coarse = coarse}},
                                  std::span<const double>(near))
            .solve(b)
            .report;
    EXPECT_EQ(report.status, Status::ok) << report.message;
    return report.iterations_max;
  };
  const Index many = steps(64, Coarse::near_null_space, {});
  EXPECT_LE(double(many), 2.0 * double(steps(4, Coarse::near_null_space, {})));
  EXPECT_LE(2 * many, steps(64, Coarse::near_null_space, ones));
  EXPECT_LE(2 * many, steps(64, Coarse::none, {}));
}

TEST(Preconditioner, WithACoarseLevelTheNumberOfBlocksIsChosen) {
  const SparseMatrix<double> A = sparse::generate("cube", 16);  // 4096 unknowns
  const auto blocks = [&](const Options& options) {
    return iterative::multisplitting(A, options).report().iteration->blocks;
  };
  EXPECT_EQ(blocks({.ranks = 2, .multisplitting = {.coarse = Coarse::near_null_space}}), 5);
  EXPECT_EQ(blocks({.ranks = 7, .multisplitting = {.coarse = Coarse::near_null_space}}), 7);
  EXPECT_EQ(blocks({.ranks = 2, .multisplitting = {.blocks = 3, .coarse = Coarse::near_null_space}}), 3);
  EXPECT_EQ(blocks({.ranks = 2, .iteration = {.accelerator = Accelerator::gmres}}), 2);
  // three vectors are the rigid motions of two unknowns a node
  const std::vector<double> motions = random_vector<double>(3 * A.rows, 5);
  const auto in_plane =
      iterative::multisplitting(A, {.ranks = 1, .multisplitting = {.coarse = Coarse::near_null_space}},
                                std::span<const double>(motions));
  EXPECT_EQ(in_plane.report().iteration->blocks, 2);
}

TEST(Preconditioner, ApplyIsSymmetricAndPositiveForCg) {
  const SparseMatrix<double> A = sparse::generate("elasticity", 4);
  const std::vector<double> x = random_vector<double>(A.rows, 3), y = random_vector<double>(A.rows, 4);
  for (const OverlapWeights weights : {OverlapWeights::both, OverlapWeights::none})
    for (const Coarse coarse : {Coarse::none, Coarse::near_null_space}) {
      auto M = iterative::multisplitting(
          A,
          {.ranks = 3, .multisplitting = {.overlap = 1, .blocks = 5, .weights = weights, .coarse = coarse}});
      const std::vector<double> Mx = M.apply(x), My = M.apply(y);
      EXPECT_NEAR(inner_product(Mx, y), inner_product(x, My),
                  1e-12 * std::sqrt(inner_product(Mx, Mx) * inner_product(y, y)));
      EXPECT_GT(inner_product(Mx, x), 0);
    }
}

TEST(Preconditioner, TheTransposeIsOne) {
  const SparseMatrix<double> A = sparse::generate("convection", 5);
  const std::vector<double> x = random_vector<double>(2 * A.rows, 3),
                            y = random_vector<double>(2 * A.rows, 4);
  auto M =
      iterative::multisplitting(A, {.ranks = 2, .iteration = {.sweeps = 2}, .multisplitting = {.blocks = 4}});
  const std::vector<double> Mx = M.apply(x, 2), Mty = M.apply(y, 2, Transpose::trans);
  EXPECT_NEAR(inner_product(Mx, y), inner_product(x, Mty), 1e-12 * std::abs(inner_product(Mx, y)) + 1e-12);
  EXPECT_TRUE(M.apply({}, 0).empty());
}

TEST(Preconditioner, SweepsInStepAreLinearAndEndAtTheLastVector) {
  const SparseMatrix<double> A = sparse::generate("convection", 5);
  for (const Method method : {Method::jacobi, Method::multisplitting}) {
    auto M = iterative::iteration(A, {.method = method, .ranks = 2, .iteration = {.variant = Variant::sync}});
    const std::vector<double> x = random_vector<double>(A.rows, 3);
    std::vector<double> twice = x;
    for (double& value : twice) value *= 2;
    const std::vector<double> Mx = M.apply(x), M2x = M.apply(twice);
    EXPECT_GT(inner_product(Mx, Mx), 0);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(2 * Mx[i], M2x[i]);
  }
}

TEST(Preconditioner, ASolutionAsStartIsTheEnd) {
  const SparseMatrix<double> A = sparse::generate("cube", 6);
  const std::vector<double> x = random_vector<double>(A.rows, 3), b = multiply<double>(A, x);
  for (const Accelerator by : {Accelerator::none, Accelerator::gmres})
    for (const Variant variant : {Variant::sync, Variant::async}) {
      auto iteration = iterative::multisplitting(
          A, {.ranks = 2, .iteration = {.variant = variant, .tolerance = 1e-9, .accelerator = by}});
      EXPECT_EQ(iteration.solve_from(x, b).report.iterations_max, 0);
      std::vector<double> near = x;
      near[5] += 1e-3;
      const auto from_near = iteration.solve_from(near, b);
      EXPECT_EQ(from_near.report.status, Status::ok) << from_near.report.message;
      EXPECT_LE(error_beside(from_near.x, x), 1e-6);
      EXPECT_LE(from_near.report.true_residual, 1e-9);
      EXPECT_THROW(iteration.solve_from(std::vector<double>(3), b), Error);
      near[0] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_THROW(iteration.solve_from(near, b), Error);
    }
}

TEST(Preconditioner, NewValuesKeepTheRowsWhereTheyAre) {
  SparseMatrix<double> A = sparse::generate("cube", 6);
  for (const bool is_operator : {false, true}) {
    auto iteration = iterative::multisplitting(A, {.ranks = 2, .iteration = {.sweeps = is_operator ? 1 : 0}});
    SparseMatrix<double> B = A;
    for (double& value : B.value) value *= 3;
    const std::vector<double> x = random_vector<double>(A.rows, 3), b = multiply<double>(B, x);
    iteration.refactorize(B);
    EXPECT_LE(error_beside(iteration.solve(b).x, x), 1e-6);
    EXPECT_THROW(iteration.refactorize(sparse::generate("cube", 5)), Error);
    EXPECT_EQ(iteration.report().n, A.rows);
    EXPECT_LE(error_beside(iteration.solve(b).x, x), 1e-6);
    SparseMatrix<double> zeros = A;
    for (double& value : zeros.value) value = 0;
    EXPECT_THROW(iteration.refactorize(zeros), Error);
    EXPECT_THROW(iteration.solve(b), Error);  // and nobody waits
    EXPECT_THROW(iteration.apply(b), Error);
    iteration.refactorize(B);
    EXPECT_LE(error_beside(iteration.solve(b).x, x), 1e-6);
  }
}

/// The rigid motions of points in a grid would do for elasticity; here the solutions of two right-hand sides do, which are smooth.
TEST(Preconditioner, VectorsOfTheCallerMakeTheLevel) {
  const SparseMatrix<double> A = sparse::generate("cube", 6);
  std::vector<double> vectors = random_vector<double>(2 * A.rows, 5);
  const Options options{.ranks = 2, .multisplitting = {.blocks = 4, .coarse = Coarse::near_null_space}};
  auto iteration = iterative::multisplitting<double>(A, options, vectors);
  EXPECT_EQ(iteration.report().iteration->coarse_unknowns, 8);
  EXPECT_EQ(iteration.solve(random_vector<double>(A.rows, 3)).report.status, Status::ok);
  vectors.pop_back();
  EXPECT_THROW(iterative::multisplitting<double>(A, options, vectors), Error);
}

/// With a coarse level blocks are incomplete where the diagonal allows it, and by factors elsewhere.
template <class T>
void test_incomplete(const SparseMatrix<T>& A, Accelerator accelerator) {
  const std::vector<T> x = random_vector<T>(A.rows, 3), b = multiply<T>(A, x);
  for (const int ranks : {1, 2, 3}) {
    const Options options{.ranks = ranks,
                          .iteration = {.tolerance = 1e-10, .accelerator = accelerator},
                          .multisplitting = {.blocks = 6, .coarse = Coarse::near_null_space}};
    auto iteration = iterative::multisplitting(A, options);
    const auto [got, report] = iteration.solve(b);
    EXPECT_EQ(report.status, Status::ok) << report.message;
    EXPECT_LE(error_beside(got, x), 1e-7);
    EXPECT_EQ(report.iteration->inner, "ilu");
    EXPECT_EQ(report.iteration->overlap, 0);
    EXPECT_EQ(report.iteration->raised_blocks, 0);
    EXPECT_GE(report.factor_nnz, A.rows);
    EXPECT_LE(report.factor_nnz, A.nnz() + 36);  // no fill, and the coarse level
  }
}

TEST(Preconditioner, BlocksOfACoarseLevelAreIncomplete) {
  test_incomplete(sparse::generate("cube", 7), Accelerator::cg);
  test_incomplete(sparse::generate("convection", 6), Accelerator::gmres);
  SparseMatrix<double> indefinite = sparse::generate("cube", 4);
  for (Index j = 0; j < indefinite.cols; j += 2)
    for (Index p = indefinite.start[j]; p < indefinite.start[j + 1]; ++p)
      if (indefinite.row[p] == j) indefinite.value[p] *= -1;
  const auto iteration = iterative::multisplitting(
      indefinite, {.multisplitting = {.blocks = 2, .coarse = Coarse::near_null_space}});
  EXPECT_EQ(iteration.report().iteration->inner, "direct");
  EXPECT_EQ(iteration.report().iteration->overlap, 4);
}

/// Kershaw's matrix: positive definite, but without fill a pivot is negative.
/// A Krylov method around symmetric weights begins with a coarse solve, and from there on a sweep has one instead of two. GMRES has a
/// sweep more at the end of its cycle.
TEST(Preconditioner, SweepsBehindTheStartHaveOneCoarseSolve) {
  const SparseMatrix<double> A = sparse::generate("cube", 9);
  const std::vector<double> b = random_vector<double>(A.rows, 5);
  const auto more_than_steps = [&](Accelerator accelerator, OverlapWeights weights) {
    const auto report =
        iterative::iteration(
            A, with({.ranks = 2,
                     .iteration = {.accelerator = accelerator},
                     .multisplitting = {.blocks = 6, .weights = weights, .coarse = Coarse::near_null_space}}))
            .solve(b)
            .report;
    EXPECT_GT(report.iterations_max, 3);
    return report.iteration->coarse_solves - report.iterations_max;
  };
  EXPECT_EQ(more_than_steps(Accelerator::cg, OverlapWeights::both), 1);
  EXPECT_EQ(more_than_steps(Accelerator::gmres, OverlapWeights::both), 2);
  EXPECT_EQ(more_than_steps(Accelerator::gmres, OverlapWeights::owner), 1);
}

/// What is held is at least the rows, the blocks and their factors; no more is predicted than a limit allows.
TEST(Preconditioner, MemoryIsCountedAndLimited) {
  const SparseMatrix<double> A = sparse::generate("cube", 12);
  Options options = with({.ranks = 2, .multisplitting = {.blocks = 8, .coarse = Coarse::near_null_space}});
  const auto report = iterative::iteration(A, options).report();
  const double entries = static_cast<double>(A.nnz()) * sizeof(double);
  EXPECT_GT(report.peak_bytes, 3 * entries);
  EXPECT_LT(report.peak_bytes, 20 * entries);
  options.run.memory_limit_bytes = static_cast<Index>(report.peak_bytes / 2);
  try {
    iterative::iteration(A, options);
    ADD_FAILURE() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::out_of_memory);
    EXPECT_NE(std::string(error.what()).find("memory_limit"), std::string::npos) << error.what();
  }
  options.run.memory_limit_bytes = static_cast<Index>(2 * report.peak_bytes);
  EXPECT_NO_THROW(iterative::iteration(A, options));
  options.method = Method::jacobi;
  options.multisplitting = {};
  EXPECT_EQ(iterative::iteration(A, options).report().unused_options, "memory_limit");
}

TEST(Preconditioner, ABlockWithoutPivotsIsRaisedAndCounted) {
  const std::vector<std::vector<double>> a{{3, -2, 0, 2}, {-2, 3, -2, 0}, {0, -2, 3, -2}, {2, 0, -2, 3}};
  SparseMatrix<double> A;
  A.rows = A.cols = 4;
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = 0; i < 4; ++i)
      if (a[i][j] != 0) A.row.push_back(Index(i)), A.value.push_back(a[i][j]);
    A.start.push_back(A.nnz());
  }
  const std::vector<double> b{1, 2, 3, 4};
  auto iteration = iterative::multisplitting(A, {.iteration = {.accelerator = Accelerator::gmres},
                                                 .multisplitting = {.inner = InnerSolve::incomplete}});
  const auto [x, report] = iteration.solve(b);
  EXPECT_EQ(report.status, Status::ok) << report.message;
  EXPECT_LE(error_beside(multiply<double>(A, x), b), 1e-6);
  EXPECT_EQ(report.iteration->raised_blocks, 1);
}

TEST(Preconditioner, WhatIsNoneIsRefusedWithASentence) {
  const auto cg = Accelerator::cg;
  const MultisplittingOptions incomplete{.inner = InnerSolve::incomplete};
  expect_no_iteration(with({.multisplitting = incomplete}),
                      "inner ilu is set, but belongs to a preconditioner");
  expect_no_iteration(with({.iteration = {.variant = Variant::async, .accelerator = Accelerator::gmres},
                            .multisplitting = incomplete}),
                      "use variant sync");
  expect_no_iteration({.method = Method::jacobi,
                       .iteration = {.accelerator = Accelerator::gmres},
                       .multisplitting = incomplete},
                      "no blocks");
  expect_no_iteration(with({.ranks = 2,
                            .iteration = {.accelerator = cg},
                            .multisplitting = {.inner = InnerSolve::incomplete, .ranks_per_block = 2}}),
                      "use ranks_per_block 1");
  expect_no_iteration(with({.iteration = {.variant = Variant::async, .accelerator = cg}}),
                      "use variant sync, or accelerator gmres");
  expect_no_iteration(
      with({.iteration = {.accelerator = cg}, .multisplitting = {.weights = OverlapWeights::owner}}),
      "weights owner are one-sided");
  expect_no_iteration(
      with({.iteration = {.accelerator = cg}, .multisplitting = {.inner = InnerSolve::conjugate_gradients}}),
      "inner cg is no linear operator");
  expect_no_iteration({.method = Method::jacobi, .iteration = {.accelerator = cg}},
                      "use method multisplitting, or accelerator gmres");
  expect_no_iteration(with({.iteration = {.accelerator = cg}}), "symmetric (complex: Hermitian)",
                      sparse::generate("convection", 3));
  expect_no_iteration(with({.iteration = {.accelerator = Accelerator::none},
                            .multisplitting = {.coarse = Coarse::near_null_space}}),
                      "use accelerator gmres or cg");
  expect_no_iteration(
      with({.iteration = {.variant = Variant::racy}, .multisplitting = {.coarse = Coarse::near_null_space}}),
      "use variant sync");
  expect_no_iteration(with({.ranks = 4, .multisplitting = {.blocks = 2}}), "blocks is 2");
  expect_no_iteration({.method = Method::jacobi, .multisplitting = {.coarse = Coarse::near_null_space}},
                      "no blocks");
  const SparseMatrix<double> A = sparse::generate("cube", 4);
  auto racy =
      iterative::multisplitting(A, {.ranks = 2, .iteration = {.variant = Variant::racy, .sweeps = 2}});
  try {
    racy.apply(random_vector<double>(A.rows, 3), 1, Transpose::trans);
    ADD_FAILURE() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("do not wait apply another operator each time"),
              std::string::npos)
        << error.what();
  }
}

/// The Laplacian of a ring maps ones to 0, so that the level of ones is singular.
TEST(Preconditioner, ASingularLevelIsSaidToBeOne) {
  SparseMatrix<double> A;
  A.rows = A.cols = 12;
  for (Index j = 0; j < 12; ++j) {
    for (Index i = 0; i < 12; ++i) {
      const Index distance = (i - j + 12) % 12;
      if (distance <= 1 || distance == 11) A.row.push_back(i), A.value.push_back(distance == 0 ? 2 : -1);
    }
    A.start.push_back(A.nnz());
  }
  expect_no_iteration(
      with({.ranks = 2, .multisplitting = {.overlap = 1, .blocks = 3, .coarse = Coarse::near_null_space}}),
      "the coarse level is singular", A);
}

}  // namespace
}  // namespace overlapack
