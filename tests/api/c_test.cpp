#include "c_solver.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/multiply.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace overlapack {
namespace {

/// As a C caller has it.
olp_matrix columns_of(const SparseMatrix<double>& A) {
  olp_matrix matrix{};
  matrix.type = OLP_FLOAT64;
  matrix.layout = OLP_CSC;
  matrix.index_bytes = 8;
  matrix.rows = A.rows;
  matrix.cols = A.cols;
  matrix.start = A.start.data();
  matrix.index = A.row.data();
  matrix.value = A.value.data();
  return matrix;
}

/// Compressed rows or columns in the caller's index type, from a matrix whose pattern is not symmetric.
template <class T, class I>
struct SmallLines {
  SmallLines(olp_layout layout, int base) {
    // [ 4 .  1 ]
    // [ 2 3  . ]   with an imaginary part on the diagonal of complex types
    // [ . 5 -6 ]
    const std::vector<Index> rows{0, 0, 1, 1, 2, 2}, cols{0, 2, 0, 1, 1, 2};
    std::vector<T> values{4, 1, 2, 3, 5, -6};
    if constexpr (ScalarTraits<T>::is_complex)
      for (const int k : {0, 3, 5}) values[k] += T(0, 2);
    A = {3, 3, rows, cols, values};
    const std::vector<Index>& line = layout == OLP_CSR ? rows : cols;
    const std::vector<Index>& other = layout == OLP_CSR ? cols : rows;
    start.push_back(I(base));
    for (Index l = 0; l < 3; ++l) {
      for (std::size_t k = 0; k < values.size(); ++k)
        if (line[k] == l) {
          index.push_back(I(other[k] + base));
          value.push_back(values[k]);
        }
      start.push_back(I(static_cast<Index>(index.size()) + base));
    }
    matrix = {};
    matrix.type = static_cast<int>(ScalarTraits<T>::type);
    matrix.layout = layout;
    matrix.index_bytes = sizeof(I);
    matrix.base = base;
    matrix.rows = matrix.cols = 3;
    matrix.start = start.data();
    matrix.index = index.data();
    matrix.value = value.data();
  }

  /// op(A) x by the definition.
  std::vector<T> product(const std::vector<T>& x, int op) const {
    std::vector<T> y(x.size());
    for (std::size_t j = 0; j < x.size() / 3; ++j)
      for (std::size_t k = 0; k < A.value.size(); ++k) {
        const Index row = op == OLP_NO_TRANS ? A.row[k] : A.col[k],
                    col = op == OLP_NO_TRANS ? A.col[k] : A.row[k];
        y[row + 3 * j] += (op == OLP_CONJ_TRANS ? conjugate(A.value[k]) : A.value[k]) * x[col + 3 * j];
      }
    return y;
  }

  Triplets<T> A;
  std::vector<I> start, index;
  std::vector<T> value;
  olp_matrix matrix;
};

template <class T, class I>
void solve_all_ways() {
  const double tolerance = 100 * std::numeric_limits<Real<T>>::epsilon();
  for (const olp_layout layout : {OLP_CSC, OLP_CSR})
    for (const int base : {0, 1})
      for (const olp_transpose op : {OLP_NO_TRANS, OLP_TRANS, OLP_CONJ_TRANS}) {
        const SmallLines<T, I> lines(layout, base);
        const Solver solver;
        ASSERT_EQ(olp_factorize(solver, &lines.matrix), OLP_OK) << solver.message();
        const std::vector<T> x{1, 2, -3, T(0.5), -1, 4};
        std::vector<T> b = lines.product(x, op);
        b.insert(b.begin() + 3, T(77));  // ldb is 4
        std::vector<T> found(10, T(99));
        ASSERT_EQ(olp_solve(solver, lines.matrix.type, op, 2, b.data(), 4, found.data(), 5), OLP_OK)
            << solver.message();
        for (int j = 0; j < 2; ++j) {
          for (int i = 0; i < 3; ++i) EXPECT_LE(std::abs(found[i + 5 * j] - x[i + 3 * j]), tolerance);
          EXPECT_EQ(found[3 + 5 * j], T(99));
        }
      }
}

TEST(C, SolvesInEveryTypeLayoutAndBase) {
  solve_all_ways<float, std::int32_t>();
  solve_all_ways<double, std::int32_t>();
  solve_all_ways<std::complex<float>, std::int64_t>();
  solve_all_ways<std::complex<double>, std::int64_t>();
  solve_all_ways<double, std::int64_t>();
}

TEST(C, OneTriangleStandsForBoth) {
  // [ 2 1+i ]   Hermitian, indefinite;  [ 2 1 ]  symmetric
  // [ . -3  ]                           [ . 3 ]
  const std::vector<std::int64_t> start{0, 2, 3}, index{0, 1, 1};
  const std::vector<std::complex<double>> value{2.0, {1.0, 1.0}, -3.0};
  olp_matrix A{};
  A.type = OLP_COMPLEX128;
  A.layout = OLP_CSR;
  A.half = OLP_HERMITIAN;
  A.index_bytes = 8;
  A.rows = A.cols = 2;
  A.start = start.data();
  A.index = index.data();
  A.value = value.data();
  const Solver solver;
  ASSERT_EQ(olp_factorize(solver, &A), OLP_OK) << solver.message();
  EXPECT_EQ(text(solver, "symmetry"), "hermitian");
  std::int64_t positive = -1, negative = -1, zero = -1;
  ASSERT_EQ(olp_inertia(solver, &positive, &negative, &zero), OLP_OK) << solver.message();
  EXPECT_EQ(positive, 1);
  EXPECT_EQ(negative, 1);
  EXPECT_EQ(zero, 0);
  std::complex<double> mantissa;
  std::int64_t exponent = 0;
  ASSERT_EQ(olp_determinant(solver, OLP_COMPLEX128, &mantissa, &exponent), OLP_OK);
  EXPECT_NEAR(std::ldexp(mantissa.real(), int(exponent)), -8, 1e-14);  // 2 (-3) - |1 + i|^2

  const std::vector<std::complex<double>> x{1.0, {0.0, 1.0}};
  std::vector<std::complex<double>> b{{1.0, 1.0}, {1.0, -4.0}};  // A x
  ASSERT_EQ(olp_solve(solver, OLP_COMPLEX128, OLP_NO_TRANS, 1, b.data(), 2, b.data(), 2),
            OLP_OK);  // x over b
  for (int i = 0; i < 2; ++i) EXPECT_LE(std::abs(b[i] - x[i]), 1e-15);

  const std::vector<std::int64_t> all{0, 2, 4}, both{0, 1, 0, 1};
  A.start = all.data();
  A.index = both.data();
  const std::vector<std::complex<double>> four(4, 1.0);
  A.value = four.data();
  expect_refused(olp_factorize(solver, &A), OLP_BAD_INPUT, solver, "both sides of the diagonal");
}

TEST(C, HermitianLinesMayBeginWithoutImaginaryParts) {
  const std::vector<std::int64_t> start{0, 2, 3}, index{0, 1, 1};
  std::vector<std::complex<double>> value{2.0, 1.0, -3.0};
  olp_matrix A{};
  A.type = OLP_COMPLEX128;
  A.layout = OLP_CSR;
  A.half = OLP_HERMITIAN;
  A.index_bytes = 8;
  A.rows = A.cols = A.count = 2;
  A.start = start.data();
  A.index = index.data();
  A.value = value.data();
  const Solver solver;
  ASSERT_EQ(olp_set(solver, "factorization", "ldlt"), OLP_OK);
  ASSERT_EQ(olp_factorize_distributed(solver, &A), OLP_OK) << solver.message();
  EXPECT_EQ(text(solver, "symmetry"), "hermitian");
  value[1] = {1.0, 1.0};
  ASSERT_EQ(olp_refactorize(solver, &A), OLP_OK) << solver.message();
  const std::vector<std::complex<double>> x{1.0, {0.0, 1.0}};
  std::vector<std::complex<double>> b{{1.0, 1.0}, {1.0, -4.0}};  // A x
  ASSERT_EQ(olp_solve(solver, OLP_COMPLEX128, OLP_NO_TRANS, 1, b.data(), 2, b.data(), 2), OLP_OK);
  for (int i = 0; i < 2; ++i) EXPECT_LE(std::abs(b[i] - x[i]), 1e-14);
}

TEST(C, RefactorizesOtherValues) {
  SmallLines<double, std::int32_t> lines(OLP_CSR, 0);
  const Solver solver;
  ASSERT_EQ(olp_factorize(solver, &lines.matrix), OLP_OK);
  for (std::size_t k = 0; k < 6; ++k) lines.value[k] *= 2, lines.A.value[k] *= 2;
  ASSERT_EQ(olp_refactorize(solver, &lines.matrix), OLP_OK) << solver.message();
  const std::vector<double> x{3, 1, 2}, b = lines.product(x, OLP_NO_TRANS);
  std::vector<double> found(3);
  ASSERT_EQ(olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, b.data(), 3, found.data(), 3), OLP_OK);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], x[i], 1e-14);
  lines.matrix.type = OLP_FLOAT32;
  expect_refused(olp_refactorize(solver, &lines.matrix), OLP_BAD_INPUT, solver, "type is 0");
}

TEST(C, DenseFactors) {
  const std::vector<double> A{4, 1, 0, 99, 1, 3, 1, 99, 0, 1, 5, 99};  // lda 4
  for (const char* kind : {"lu", "cholesky"}) {
    const Solver solver;
    ASSERT_EQ(olp_set(solver, "factorization", kind), OLP_OK);
    ASSERT_EQ(olp_factorize_dense(solver, OLP_FLOAT64, 3, A.data(), 4), OLP_OK) << solver.message();
    EXPECT_EQ(text(solver, "factorization"), kind);
    const std::vector<double> b{6, 10, 17};
    std::vector<double> x(3);
    ASSERT_EQ(olp_solve(solver, OLP_FLOAT64, OLP_TRANS, 1, b.data(), 3, x.data(), 3), OLP_OK)
        << solver.message();
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[i], i + 1, 1e-14);
    double rcond = 0;
    EXPECT_EQ(olp_rcond(solver, &rcond), OLP_OK);
    EXPECT_GT(rcond, 0.1);
    EXPECT_LT(rcond, 1);
    std::int64_t p, n, z;
    expect_refused(olp_inertia(solver, &p, &n, &z), OLP_BAD_PLAN, solver, "no inertia");
    expect_refused(
        olp_solve_distributed(solver, OLP_FLOAT64, OLP_NO_TRANS, 0, 3, 1, b.data(), 3, x.data(), 3),
        OLP_BAD_PLAN, solver, "olp_solve");
  }
}

TEST(C, DenseCholeskyWantsBothTriangles) {
  const std::vector<double> A{4, 2, 0, 4};
  const Solver solver;
  ASSERT_EQ(olp_set(solver, "factorization", "cholesky"), OLP_OK);
  expect_refused(olp_factorize_dense(solver, OLP_FLOAT64, 2, A.data(), 2), OLP_BAD_INPUT, solver,
                 "A(1, 0) = 2, but A(0, 1) = 0");
}

TEST(C, ConjugatedCholesky) {
  // [ 3 i ]   A^T = conj A
  // [-i 2 ]
  using Z = std::complex<double>;
  const std::vector<Z> A{3.0, {0, -1}, {0, 1}, 2.0}, x{{1, 1}, 2.0};
  const std::vector<Z> b{3.0 * x[0] + Z(0, -1) * x[1], Z(0, 1) * x[0] + 2.0 * x[1]};  // A^T x
  const Solver solver;
  ASSERT_EQ(olp_set(solver, "factorization", "cholesky"), OLP_OK);
  ASSERT_EQ(olp_factorize_dense(solver, OLP_COMPLEX128, 2, A.data(), 2), OLP_OK) << solver.message();
  std::vector<Z> found(2);
  ASSERT_EQ(olp_solve(solver, OLP_COMPLEX128, OLP_TRANS, 1, b.data(), 2, found.data(), 2), OLP_OK)
      << solver.message();
  for (int i = 0; i < 2; ++i) EXPECT_LE(std::abs(found[i] - x[i]), 1e-14);
}

TEST(C, OptionsByNameAndTheReport) {
  const SmallLines<double, std::int32_t> lines(OLP_CSC, 0);
  const Solver solver;
  EXPECT_EQ(olp_set(solver, "ordering", "amd"), OLP_OK);
  EXPECT_EQ(olp_set(solver, "pivot-threshold", "0.1"), OLP_OK);
  expect_refused(olp_set(solver, "ordering", "metsi"), OLP_BAD_PLAN, solver, "metsi");
  expect_refused(olp_set(solver, "odering", "amd"), OLP_BAD_PLAN, solver, "odering");
  ASSERT_EQ(olp_analyse(solver, &lines.matrix), OLP_OK) << solver.message();
  EXPECT_EQ(solver.message(), "");
  EXPECT_GE(figure(solver, "predicted_factor_nnz"), 6);
  const double b[3] = {};
  double x[3];
  expect_refused(olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, b, 3, x, 3), OLP_BAD_INPUT, solver,
                 "no factors");
  ASSERT_EQ(olp_factorize(solver, &lines.matrix), OLP_OK);
  EXPECT_EQ(text(solver, "ordering"), "amd");
  EXPECT_EQ(figure(solver, "n"), 3);
  EXPECT_EQ(figure(solver, "pivots.perturbed"), 0);
  EXPECT_TRUE(std::isnan(figure(solver, "backward_error")));  // before a solve
  EXPECT_NE(text(solver, "").find("\"factor_nnz\""), std::string::npos);
  double value;
  expect_refused(olp_figure(solver, "no_such_figure", &value), OLP_BAD_INPUT, solver, "no_such_figure");
  expect_refused(olp_figure(solver, "ordering", &value), OLP_BAD_INPUT, solver, "olp_text");
}

TEST(C, MistakesAreToldInASentence) {
  EXPECT_EQ(olp_create(nullptr), OLP_BAD_INPUT);
  EXPECT_EQ(olp_set(nullptr, "ordering", "amd"), OLP_BAD_INPUT);
  EXPECT_NE(std::string(olp_message(nullptr)).find("olp_create"), std::string::npos);
  olp_destroy(nullptr);
  olp_free_matrix(nullptr);

  const Solver solver;
  expect_refused(olp_factorize(solver, nullptr), OLP_BAD_INPUT, solver, "null");
  const auto refused = [&](auto change, const std::string& words) {
    SmallLines<double, std::int32_t> lines(OLP_CSR, 1);
    change(lines);
    expect_refused(olp_factorize(solver, &lines.matrix), OLP_BAD_INPUT, solver, words);
  };
  refused([](auto& l) { l.matrix.type = 4; }, "type is 4");
  refused([](auto& l) { l.matrix.layout = -1; }, "layout is -1");
  refused([](auto& l) { l.matrix.half = 3; }, "half is 3");
  refused([](auto& l) { l.matrix.half = OLP_SYMMETRIC, l.matrix.cols = 4; }, "only a square matrix");
  refused([](auto& l) { l.matrix.index_bytes = 0; }, "index_bytes is 0");
  refused([](auto& l) { l.matrix.base = 2; }, "base is 2");
  refused([](auto& l) { l.matrix.base = 0; }, "start begins with 1");
  refused([](auto& l) { l.matrix.rows = -1; }, "-1 rows");
  refused([](auto& l) { l.matrix.start = nullptr; }, "start is a null pointer");
  refused([](auto& l) { l.matrix.value = nullptr; }, "value is a null pointer");
  refused([](auto& l) { l.start[1] = 9, l.start[2] = 5; }, "start decreases after row 2");
  refused([](auto& l) { l.index[0] = 4; }, "row 1 has an entry in column 4");
  refused([](auto& l) { l.index[0] = 0; }, "row 1 has an entry in column 0");
  refused([](auto& l) { l.value[0] = std::numeric_limits<double>::quiet_NaN(); }, "finite");

  const SmallLines<double, std::int32_t> lines(OLP_CSC, 0);
  ASSERT_EQ(olp_factorize(solver, &lines.matrix), OLP_OK);
  std::vector<double> b(3, 1.0), x(3);
  expect_refused(olp_solve(solver, OLP_FLOAT32, 0, 1, b.data(), 3, x.data(), 3), OLP_BAD_INPUT, solver,
                 "type is 0");
  expect_refused(olp_solve(solver, OLP_FLOAT64, 3, 1, b.data(), 3, x.data(), 3), OLP_BAD_INPUT, solver,
                 "op is 3");
  expect_refused(olp_solve(solver, OLP_FLOAT64, 0, -1, b.data(), 3, x.data(), 3), OLP_BAD_INPUT, solver,
                 "nrhs is -1");
  expect_refused(olp_solve(solver, OLP_FLOAT64, 0, 1, b.data(), 2, x.data(), 3), OLP_BAD_INPUT, solver,
                 "ldb is 2");
  expect_refused(olp_solve(solver, OLP_FLOAT64, 0, 1, b.data(), 3, x.data(), 2), OLP_BAD_INPUT, solver,
                 "ldx is 2");
  expect_refused(olp_solve_distributed(solver, OLP_FLOAT64, OLP_NO_TRANS, -1, 3, 1, b.data(), 3, x.data(), 3),
                 OLP_BAD_INPUT, solver, "first is -1");
  EXPECT_EQ(olp_solve(solver, OLP_FLOAT64, 0, 1, nullptr, 3, x.data(), 3), OLP_BAD_INPUT);
  expect_refused(olp_solve(solver, OLP_FLOAT64, 0, 1, b.data(), 3, nullptr, 3), OLP_BAD_INPUT, solver,
                 "X is a null pointer");
  EXPECT_EQ(olp_solve(solver, OLP_FLOAT64, 0, 1, b.data(), 3, x.data(), 3), OLP_OK);
  expect_refused(olp_factorize_dense(solver, OLP_FLOAT64, 3, b.data(), 2), OLP_BAD_INPUT, solver, "lda is 2");
}

// 16 unknowns times 2^60 columns are 0 numbers, modulo 2^64.
TEST(C, CountsThatNoArrayHolds) {
  const SparseMatrix<double> A = sparse::generate("convection", 4);
  ASSERT_EQ(A.rows % 16, 0);
  const olp_matrix matrix = columns_of(A);
  const std::int64_t columns = std::int64_t{1} << 60;
  std::vector<double> x(static_cast<std::size_t>(A.rows));
  const std::vector<double> identity{1, 0, 0, 1};
  for (const char* method : {"multifrontal", "jacobi", "dense"}) {
    const Solver solver;
    ASSERT_EQ(olp_set(solver, "method", method), OLP_OK);
    const bool is_dense = method == std::string("dense");
    ASSERT_EQ(is_dense ? olp_factorize_dense(solver, OLP_FLOAT64, 2, identity.data(), 2)
                       : olp_factorize(solver, &matrix),
              OLP_OK)
        << solver.message();
    const auto expect_no_room = [&](olp_status status) {
      EXPECT_EQ(status, OLP_BAD_INPUT) << method << ": " << solver.message();
      EXPECT_EQ(solver.message().find("give -"), std::string::npos) << solver.message();
    };
    expect_no_room(olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, columns, nullptr, A.rows, nullptr, A.rows));
    expect_no_room(olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, columns, x.data(), A.rows, x.data(), A.rows));
    expect_no_room(olp_solve_sparse(solver, OLP_NO_TRANS, std::numeric_limits<std::int64_t>::max(), nullptr,
                                    nullptr, A.rows));
  }
  const Solver solver;
  olp_batch* batch = nullptr;
  ASSERT_EQ(olp_factorize_batch(solver, &matrix, 1, nullptr, &batch), OLP_OK) << solver.message();
  EXPECT_EQ(
      olp_solve_batch(solver, batch, OLP_FLOAT64, OLP_NO_TRANS, columns, nullptr, nullptr, nullptr, nullptr),
      OLP_BAD_INPUT);
  olp_free_batch(batch);
  EXPECT_EQ(olp_factorize_batch(solver, &matrix, columns, nullptr, &batch), OLP_BAD_INPUT);
  EXPECT_EQ(batch, nullptr);
}

// It runs within a call that uses the factors.
TEST(C, AProgressFunctionGivesItsSolverNoOtherMatrix) {
  const SmallLines<double, std::int32_t> lines(OLP_CSR, 0);
  struct Asked {
    olp_solver* solver;
    const olp_matrix* matrix;
    int calls = 0;
    std::vector<olp_status> statuses = {};
  };
  const Solver solver;
  ASSERT_EQ(olp_factorize(solver, &lines.matrix), OLP_OK) << solver.message();
  Asked asked{solver, &lines.matrix};
  const auto ask = [](const char*, double, void* data) {
    auto& now = *static_cast<Asked*>(data);
    if (now.calls++ > 0) return 0;
    double n = 0;
    now.statuses = {olp_factorize(now.solver, now.matrix), olp_analyse(now.solver, now.matrix),
                    olp_refactorize(now.solver, now.matrix), olp_figure(now.solver, "n", &n)};
    return 0;
  };
  ASSERT_EQ(olp_set_progress(solver, ask, &asked), OLP_OK);
  const std::vector<double> b(3, 1.0);
  std::vector<double> x(3);
  EXPECT_EQ(olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, b.data(), 3, x.data(), 3), OLP_OK)
      << solver.message();
  EXPECT_EQ(asked.statuses, (std::vector<olp_status>{OLP_BAD_PLAN, OLP_BAD_PLAN, OLP_BAD_PLAN, OLP_OK}));
  const std::vector<double> product = lines.product(x, OLP_NO_TRANS);
  for (const double v : product) EXPECT_NEAR(v, 1, 1e-14);
}

TEST(C, AfterAFailureThereAreNoFactors) {
  SmallLines<double, std::int32_t> lines(OLP_CSC, 0);
  const Solver solver;
  ASSERT_EQ(olp_factorize(solver, &lines.matrix), OLP_OK);
  lines.value.assign(6, 0.0);
  EXPECT_EQ(olp_factorize(solver, &lines.matrix), OLP_SINGULAR);
  EXPECT_NE(solver.message(), "");
  std::vector<double> b(3, 1.0), x(3);
  expect_refused(olp_solve(solver, OLP_FLOAT64, 0, 1, b.data(), 3, x.data(), 3), OLP_BAD_INPUT, solver,
                 "the last factorisation failed");
  expect_refused(olp_refactorize(solver, &lines.matrix), OLP_BAD_INPUT, solver, "olp_factorize");
  EXPECT_STREQ(olp_status_name(OLP_SINGULAR), "singular");
  EXPECT_EQ(olp_status_name(77), nullptr);
}

TEST(C, StatusesWithASolution) {
  std::vector<int> with_solution;
  for (int status = -1; status <= OLP_ILL_CONDITIONED + 1; ++status)
    if (olp_has_solution(status) != 0) with_solution.push_back(status);
  EXPECT_EQ(with_solution,
            (std::vector<int>{OLP_OK, OLP_INACCURATE, OLP_NOT_CONVERGED, OLP_ILL_CONDITIONED}));
}

TEST(C, AnswersOfSingularMatricesHaveAStatus) {
  const std::vector<std::int32_t> start{0, 2, 4, 5}, row{0, 1, 0, 1, 2};
  const std::vector<double> value{1, 1, 1, 1, 5}, b{2, 2, 5}, other{2, 3, 5};
  olp_matrix A{};
  A.type = OLP_FLOAT64;
  A.rows = A.cols = 3;
  A.index_bytes = 4;
  A.start = start.data();
  A.index = row.data();
  A.value = value.data();
  const Solver solver;
  ASSERT_EQ(olp_factorize(solver, &A), OLP_OK) << solver.message();
  std::vector<double> x(3);
  const olp_status status = olp_solve(solver, OLP_FLOAT64, 0, 1, b.data(), 3, x.data(), 3);
  EXPECT_EQ(status, OLP_ILL_CONDITIONED);
  EXPECT_TRUE(olp_has_solution(status));
  EXPECT_NEAR(x[0] + x[1], 2, 1e-14);
  EXPECT_NE(solver.message(), "");
  EXPECT_STREQ(olp_status_name(OLP_ILL_CONDITIONED), "ill_conditioned");
  double unknown = -1;
  EXPECT_EQ(olp_figure(solver, "weak_unknown", &unknown), OLP_OK);
  EXPECT_TRUE(unknown == 0 || unknown == 1) << unknown;
  EXPECT_EQ(olp_solve(solver, OLP_FLOAT64, 0, 1, other.data(), 3, x.data(), 3), OLP_SINGULAR);
}

TEST(C, ProgressMayStop) {
  const SparseMatrix<double> A = sparse::generate("cube", 10);
  const olp_matrix matrix = columns_of(A);
  const Solver solver;
  int calls = 0;
  const auto stop = [](const char* phase, double share, void* data) {
    EXPECT_EQ(std::string(phase), "analysis");
    EXPECT_GE(share, 0);
    return ++*static_cast<int*>(data) == 1 ? 1 : 0;
  };
  ASSERT_EQ(olp_set_progress(solver, stop, &calls), OLP_OK);
  EXPECT_EQ(olp_factorize(solver, &matrix), OLP_CANCELLED);
  EXPECT_EQ(calls, 1);
  ASSERT_EQ(olp_set_progress(solver, nullptr, nullptr), OLP_OK);
  EXPECT_EQ(olp_factorize(solver, &matrix), OLP_OK) << solver.message();
  EXPECT_EQ(calls, 1);
}

/// What was given before is not called any more, since it may be gone. Each solve is the first one of its factors, so that a phase begins.
TEST(C, ProgressIsToldToTheLastFunctionAlone) {
  const SmallLines<double, std::int32_t> lines(OLP_CSR, 0);
  const Solver solver;
  const auto count = [](const char*, double, void* data) { return ++*static_cast<int*>(data), 0; };
  const auto stop = [](const char*, double, void*) { return 1; };
  const std::vector<double> b(3, 1.0);
  std::vector<double> x(3);
  const auto solve = [&] {
    return olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, b.data(), 3, x.data(), 3);
  };
  int former = 0, later = 0;
  ASSERT_EQ(olp_set_progress(solver, count, &former), OLP_OK);
  ASSERT_EQ(olp_factorize(solver, &lines.matrix), OLP_OK) << solver.message();
  EXPECT_GT(former, 0);
  const int while_factorizing = former;
  ASSERT_EQ(olp_set_progress(solver, count, &later), OLP_OK);
  EXPECT_EQ(solve(), OLP_OK) << solver.message();
  EXPECT_EQ(former, while_factorizing);
  EXPECT_GT(later, 0);

  ASSERT_EQ(olp_factorize(solver, &lines.matrix), OLP_OK) << solver.message();
  const int before_it_is_cleared = later;
  ASSERT_EQ(olp_set_progress(solver, nullptr, nullptr), OLP_OK);
  EXPECT_EQ(solve(), OLP_OK) << solver.message();
  EXPECT_EQ(later, before_it_is_cleared);

  ASSERT_EQ(olp_factorize(solver, &lines.matrix), OLP_OK) << solver.message();
  ASSERT_EQ(olp_set_progress(solver, stop, nullptr), OLP_OK);
  EXPECT_EQ(solve(), OLP_CANCELLED);
  EXPECT_EQ(former, while_factorizing);
  EXPECT_EQ(later, before_it_is_cleared);
}

TEST(C, IterationsAreFactorsToo) {
  const SparseMatrix<double> A = sparse::generate("cube", 5);
  olp_matrix matrix = columns_of(A);
  const Solver solver;
  ASSERT_EQ(olp_set(solver, "method", "jacobi"), OLP_OK);
  ASSERT_EQ(olp_set(solver, "variant", "sync"), OLP_OK);
  ASSERT_EQ(olp_factorize(solver, &matrix), OLP_OK) << solver.message();
  const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0), b = multiply<double>(A, ones);
  std::vector<double> x(ones.size());
  ASSERT_EQ(olp_solve(solver, OLP_FLOAT64, 0, 1, b.data(), A.rows, x.data(), A.rows), OLP_OK)
      << solver.message();
  for (const double v : x) EXPECT_NEAR(v, 1, 1e-5);
  double rcond;
  expect_refused(olp_rcond(solver, &rcond), OLP_BAD_PLAN, solver, "jacobi");
  expect_refused(olp_solve(solver, OLP_FLOAT64, OLP_TRANS, 1, b.data(), A.rows, x.data(), A.rows),
                 OLP_BAD_PLAN, solver, "transpose");
  EXPECT_EQ(olp_save(solver, "/tmp/never"), OLP_BAD_PLAN);
}

TEST(C, SavedFactorsSolve) {
  const SmallLines<float, std::int32_t> lines(OLP_CSR, 1);
  const std::string path = testing::TempDir() + "/c_test_factors";
  {
    const Solver solver;
    ASSERT_EQ(olp_factorize(solver, &lines.matrix), OLP_OK);
    ASSERT_EQ(olp_save(solver, path.c_str()), OLP_OK) << solver.message();
  }
  const Solver solver;
  ASSERT_EQ(olp_load(solver, path.c_str()), OLP_OK) << solver.message();
  EXPECT_EQ(text(solver, "type"), "float32");
  const std::vector<float> x{1, 2, 3}, b = lines.product(x, OLP_NO_TRANS);
  std::vector<float> found(3);
  ASSERT_EQ(olp_solve(solver, OLP_FLOAT32, 0, 1, b.data(), 3, found.data(), 3), OLP_OK);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], x[i], 1e-5);
  std::remove(path.c_str());
  EXPECT_EQ(olp_load(solver, path.c_str()), OLP_BAD_INPUT);
}

/// An analysis that is given back.
struct Analysis {
  ~Analysis() { olp_free_analysis(handle); }
  olp_analysis* handle = nullptr;
};

template <class T>
std::vector<T> solution_of(const Solver& solver, const std::vector<T>& b) {
  std::vector<T> x(b.size());
  EXPECT_EQ(olp_solve(solver, static_cast<int>(ScalarTraits<T>::type), 0, 1, b.data(), 3, x.data(), 3),
            OLP_OK)
      << solver.message();
  return x;
}

template <class T>
void factorize_by_a_kept_analysis() {
  const SmallLines<T, std::int32_t> lines(OLP_CSR, 1);
  const std::vector<T> b = lines.product({1, 2, 3}, OLP_NO_TRANS);
  const Solver solver, other, fresh;
  const std::string path = testing::TempDir() + "/c_test_analysis";
  ASSERT_EQ(olp_set(solver, "ordering", "amd"), OLP_OK);
  ASSERT_EQ(olp_set(fresh, "ordering", "amd"), OLP_OK);
  Analysis kept, loaded;
  ASSERT_EQ(olp_keep_analysis(solver, &lines.matrix, &kept.handle), OLP_OK) << solver.message();
  EXPECT_EQ(text(solver, "ordering"), "amd");
  ASSERT_EQ(olp_save_analysis(solver, kept.handle, path.c_str()), OLP_OK) << solver.message();
  ASSERT_EQ(olp_load_analysis(other, path.c_str(), &loaded.handle), OLP_OK) << other.message();
  std::remove(path.c_str());
  ASSERT_EQ(olp_factorize(fresh, &lines.matrix), OLP_OK);
  for (const olp_analysis* analysis : {kept.handle, loaded.handle}) {
    ASSERT_EQ(olp_factorize_with(other, &lines.matrix, analysis), OLP_OK) << other.message();
    EXPECT_EQ(text(other, "ordering"), "amd");
    EXPECT_EQ(solution_of(other, b), solution_of(fresh, b));
  }
}

TEST(C, FactorizesByAKeptAnalysis) {
  factorize_by_a_kept_analysis<float>();
  factorize_by_a_kept_analysis<double>();
  factorize_by_a_kept_analysis<std::complex<float>>();
  factorize_by_a_kept_analysis<std::complex<double>>();
}

TEST(C, KeptAnalysesRefuse) {
  SmallLines<double, std::int32_t> lines(OLP_CSR, 1);
  const Solver solver;
  Analysis kept;
  ASSERT_EQ(olp_keep_analysis(solver, &lines.matrix, &kept.handle), OLP_OK);
  const SmallLines<float, std::int32_t> single(OLP_CSR, 1);
  expect_refused(olp_factorize_with(solver, &single.matrix, kept.handle), OLP_BAD_INPUT, solver,
                 "of type float32");
  lines.index[1] = 2;  // it was 3
  expect_refused(olp_factorize_with(solver, &lines.matrix, kept.handle), OLP_BAD_INPUT, solver,
                 "other places");
  expect_refused(olp_factorize_with(solver, &lines.matrix, nullptr), OLP_BAD_INPUT, solver, "null");
  expect_refused(olp_keep_analysis(solver, &lines.matrix, nullptr), OLP_BAD_INPUT, solver, "null");
  expect_refused(olp_save_analysis(solver, nullptr, "/tmp/never"), OLP_BAD_INPUT, solver, "null");
  expect_refused(olp_save_analysis(solver, kept.handle, nullptr), OLP_BAD_INPUT, solver, "null");
  olp_analysis* none = kept.handle;
  expect_refused(olp_load_analysis(solver, "/no/such/file", &none), OLP_BAD_INPUT, solver, "cannot be read");
  EXPECT_EQ(none, nullptr);
  lines.index[1] = 3;
  ASSERT_EQ(olp_set(solver, "ordering", "natural"), OLP_OK);
  expect_refused(olp_factorize_with(solver, &lines.matrix, kept.handle), OLP_BAD_PLAN, solver, "ordering");
}

/// [4 2 0; 2 5 1; 0 1 3] by columns, both triangles.
struct SmallSymmetric {
  std::vector<std::int64_t> start{0, 2, 5, 7}, index{0, 1, 0, 1, 2, 1, 2};
  std::vector<double> value{4, 2, 2, 5, 1, 1, 3};
  olp_matrix A{};
  SmallSymmetric() {
    A.type = OLP_FLOAT64;
    A.index_bytes = 8;
    A.rows = A.cols = 3;
    A.start = start.data();
    A.index = index.data();
    A.value = value.data();
  }
  /// Its inverse, whose determinant is 44, by cofactors.
  static double inverse(int i, int j) {
    const double cofactor[3][3] = {{14, -6, 2}, {-6, 12, -4}, {2, -4, 16}};
    return cofactor[i][j] / 44;
  }
};

/// Entry (i, j) of a matrix that the library made.
double entry(const olp_matrix& A, std::int64_t i, std::int64_t j) {
  const auto* start = static_cast<const std::int64_t*>(A.start);
  const auto* index = static_cast<const std::int64_t*>(A.index);
  for (std::int64_t k = start[j]; k < start[j + 1]; ++k)
    if (index[k] == i) return static_cast<const double*>(A.value)[k];
  return 0;
}

TEST(CParts, EntriesOfTheInverse) {
  const SmallSymmetric small;
  const Solver solver;
  ASSERT_EQ(olp_factorize(solver, &small.A), OLP_OK) << solver.message();
  const std::vector<std::int64_t> rows{0, 2, 1}, cols{0, 0, 2};
  std::vector<double> found(3), diagonal(3);
  ASSERT_EQ(olp_inverse_entries(solver, OLP_FLOAT64, 3, rows.data(), cols.data(), found.data()), OLP_OK)
      << solver.message();
  ASSERT_EQ(olp_inverse_diagonal(solver, OLP_FLOAT64, diagonal.data()), OLP_OK);
  olp_matrix Z{};
  ASSERT_EQ(olp_selected_inverse(solver, &Z), OLP_OK);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(found[k], SmallSymmetric::inverse(int(rows[k]), int(cols[k])), 1e-15);
    EXPECT_NEAR(diagonal[k], SmallSymmetric::inverse(k, k), 1e-15);
    EXPECT_NEAR(entry(Z, k, k), SmallSymmetric::inverse(k, k), 1e-15);
  }
  EXPECT_NEAR(entry(Z, 2, 1), SmallSymmetric::inverse(2, 1), 1e-15);
  EXPECT_EQ(entry(Z, 2, 0), 0);  // no place of A
  olp_free_matrix(&Z);
  EXPECT_EQ(Z.owner, nullptr);
  expect_refused(olp_inverse_entries(solver, OLP_FLOAT64, -1, nullptr, nullptr, nullptr), OLP_BAD_INPUT,
                 solver, "count");
  expect_refused(olp_inverse_diagonal(solver, OLP_FLOAT32, diagonal.data()), OLP_BAD_INPUT, solver, "type");
  expect_refused(olp_inverse_diagonal(solver, OLP_FLOAT64, nullptr), OLP_BAD_INPUT, solver, "null pointer");
}

TEST(CParts, FactorsInOnePiece) {
  const SmallSymmetric small;
  const Solver solver;
  ASSERT_EQ(olp_factorize(solver, &small.A), OLP_OK) << solver.message();
  olp_matrix L{}, D{}, U{};
  std::vector<std::int64_t> position(3), columns(3);
  ASSERT_EQ(olp_symmetric_factors(solver, &L, &D, position.data()), OLP_OK) << solver.message();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q)
          sum += entry(L, position[i], p) * entry(D, p, q) * entry(L, position[j], q);
      EXPECT_NEAR(sum, entry(small.A, i, j), 1e-14);
    }
  olp_free_matrix(&L);
  olp_free_matrix(&D);
  ASSERT_EQ(olp_triangular_factors(solver, &L, &U, position.data(), columns.data()), OLP_OK)
      << solver.message();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int p = 0; p < 3; ++p) sum += entry(L, position[i], p) * entry(U, p, columns[j]);
      EXPECT_NEAR(sum, entry(small.A, i, j), 1e-14);
    }
  olp_free_matrix(&L);
  olp_free_matrix(&U);
}

TEST(CParts, HalfAndSubstitute) {
  const SmallSymmetric small;
  const Solver solver;
  ASSERT_EQ(olp_factorize(solver, &small.A), OLP_OK) << solver.message();
  olp_half_factors* half = nullptr;
  ASSERT_EQ(olp_make_half(solver, &half), OLP_OK) << solver.message();
  const double b[] = {6, 8, 4};  // A (1, 1, 1)
  const auto expect_ones = [&](auto&& solve) {
    double X[2][5] = {{b[0], b[1], b[2], 7, 7}, {b[0], b[1], b[2], 7, 7}};
    solve(&X[0][0]);
    for (const auto& column : X) {
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(column[i], 1, 1e-14);
      EXPECT_EQ(column[3], 7);
    }
  };
  const auto apply = [&](int part, double* X) {
    ASSERT_EQ(olp_half_apply(solver, half, OLP_FLOAT64, part, 2, X, 5), OLP_OK) << solver.message();
  };
  expect_ones([&](double* X) { apply(OLP_HALF_SUBSTITUTE, X); });
  expect_ones([&](double* X) {
    apply(OLP_HALF_SOLVE_L, X), apply(OLP_HALF_SOLVE_D, X), apply(OLP_HALF_SOLVE_LT, X);
  });
  expect_ones([&](double* X) { apply(OLP_HALF_SOLVE, X), apply(OLP_HALF_SOLVE_ADJOINT, X); });
  expect_ones([&](double* X) {
    ASSERT_EQ(olp_substitute(solver, OLP_FLOAT64, OLP_TRANS, 2, X, 5), OLP_OK) << solver.message();
  });
  double x[3] = {1, 2, 3};
  EXPECT_EQ(olp_half_apply(solver, half, OLP_FLOAT64, OLP_HALF_MULTIPLY, 1, x, 3), OLP_OK);
  EXPECT_EQ(olp_half_apply(solver, half, OLP_FLOAT64, OLP_HALF_SOLVE, 1, x, 3), OLP_OK);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[i], i + 1, 1e-14);
  expect_refused(olp_half_apply(solver, half, OLP_FLOAT64, 99, 1, x, 3), OLP_BAD_INPUT, solver, "part");
  expect_refused(olp_half_apply(solver, half, OLP_FLOAT64, 0, 1, x, 2), OLP_BAD_INPUT, solver, "ldx");
  expect_refused(olp_half_apply(solver, nullptr, OLP_FLOAT64, 0, 1, x, 3), OLP_BAD_INPUT, solver, "half");
  olp_free_half(half);
  expect_refused(olp_set_pivot_threshold(solver, 2), OLP_BAD_PLAN, solver, "pivot_threshold");
}

TEST(CParts, SchurComplement) {
  const SmallSymmetric small;
  const Solver solver;
  const std::int64_t kept[] = {1};
  olp_schur_complement* schur = nullptr;
  ASSERT_EQ(olp_make_schur(solver, &small.A, 1, kept, &schur), OLP_OK) << solver.message();
  double S = 0, c = 0, x[3] = {};
  const double b[] = {6, 8, 4};
  std::int64_t n = 0, count = 0;
  ASSERT_EQ(olp_schur_sizes(solver, schur, &n, &count), OLP_OK) << solver.message();
  EXPECT_EQ(n, 3);
  EXPECT_EQ(count, 1);
  expect_refused(olp_schur_sizes(solver, nullptr, &n, &count), OLP_BAD_INPUT, solver, "schur");
  expect_refused(olp_refuse(solver, "b is short; give 3 numbers", OLP_BEFORE_OTHERS), OLP_BAD_INPUT, solver,
                 "b is short");
  expect_refused(olp_refuse(solver, nullptr, OLP_BEFORE_OTHERS), OLP_BAD_INPUT, solver, "the message");
  ASSERT_EQ(olp_schur_matrix(solver, schur, OLP_FLOAT64, &S, 1), OLP_OK) << solver.message();
  EXPECT_NEAR(S, 5 - 4.0 / 4 - 1.0 / 3, 1e-15);
  ASSERT_EQ(olp_schur_condense(solver, schur, OLP_FLOAT64, 1, b, &c), OLP_OK) << solver.message();
  c /= S;
  ASSERT_EQ(olp_schur_expand(solver, schur, OLP_FLOAT64, 1, b, &c, x), OLP_OK) << solver.message();
  for (const double entry : x) EXPECT_NEAR(entry, 1, 1e-14);
  olp_free_schur(schur);
}

// The matrix is well conditioned; its part of the first two variables is not.
TEST(CParts, AComplementOfOtherVariablesIsBetter) {
  // [ 1 1   0 ]
  // [ 1 1+e 1 ]   A_ii = (1 1; 1 1+e) of the first two
  // [ 0 1   2 ]
  const double e = std::ldexp(1.0, -46);
  const SparseMatrix<double> K{3, 3, {0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, {1, 1, 1, 1 + e, 1, 1, 2}};
  const olp_matrix A = columns_of(K);
  const Solver solver;
  const double b[] = {2, 3 + e, 3};  // of ones
  for (const std::int64_t kept : {2, 0}) {
    const olp_status expected = kept == 2 ? OLP_ILL_CONDITIONED : OLP_OK;
    olp_schur_complement* schur = nullptr;
    const auto expect_end = [&](olp_status status) {
      EXPECT_EQ(status, expected) << solver.message();
      EXPECT_EQ(solver.message().find("choose other variables") != std::string::npos, kept == 2)
          << solver.message();
    };
    expect_end(olp_make_schur(solver, &A, 1, &kept, &schur));
    ASSERT_NE(schur, nullptr);
    double S = 0, c = 0, x[3];
    ASSERT_EQ(olp_schur_matrix(solver, schur, OLP_FLOAT64, &S, 1), OLP_OK);
    expect_end(olp_schur_condense(solver, schur, OLP_FLOAT64, 1, b, &c));
    c /= S;
    expect_end(olp_schur_expand(solver, schur, OLP_FLOAT64, 1, b, &c, x));
    for (int i = 0; i < 3 && kept == 0; ++i) EXPECT_NEAR(x[i], 1, 1e-14);
    const std::int64_t many = std::int64_t{1} << 60;
    expect_refused(olp_schur_expand(solver, schur, OLP_FLOAT64, many, b, &c, x), OLP_BAD_INPUT, solver,
                   "no array can hold");
    olp_free_schur(schur);
  }
}

TEST(CParts, EntriesOfTheInverseBesideAWeakPivotAreInDoubt) {
  const double e = std::ldexp(1.0, -46);
  const SparseMatrix<double> nearly{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 1, 1, 1 + e}};
  const olp_matrix A = columns_of(nearly);
  const Solver solver;
  ASSERT_EQ(olp_factorize(solver, &A), OLP_OK) << solver.message();
  const auto expect_doubt = [&](olp_status status) {
    EXPECT_EQ(status, OLP_ILL_CONDITIONED);
    EXPECT_NE(solver.message().find("inverse may be far off"), std::string::npos) << solver.message();
  };
  double values[2];
  const std::int64_t rows[] = {0, 1}, cols[] = {1, 1};
  expect_doubt(olp_inverse_entries(solver, OLP_FLOAT64, 2, rows, cols, values));
  expect_doubt(olp_inverse_diagonal(solver, OLP_FLOAT64, values));
  olp_matrix Z{};
  expect_doubt(olp_selected_inverse(solver, &Z));
  olp_free_matrix(&Z);
}

TEST(CParts, NullSpaceAndDiagnosis) {
  SmallSymmetric small;
  small.value = {1, -1, -1, 1, 0, 0, 3};
  const Solver solver;
  ASSERT_EQ(olp_set(solver, "null_pivots", "true"), OLP_OK) << solver.message();
  ASSERT_EQ(olp_factorize(solver, &small.A), OLP_OK) << solver.message();
  std::int64_t count = -1;
  ASSERT_EQ(olp_null_space(solver, OLP_FLOAT64, OLP_NO_TRANS, &count, nullptr), OLP_OK);
  ASSERT_EQ(count, 1);
  std::vector<double> z(3);
  ASSERT_EQ(olp_null_space(solver, OLP_FLOAT64, OLP_NO_TRANS, &count, z.data()), OLP_OK) << solver.message();
  EXPECT_NEAR(z[0] * z[1], 0.5, 1e-14);
  expect_refused(olp_inverse_diagonal(solver, OLP_FLOAT64, z.data()), OLP_SINGULAR, solver, "no inverse");
  const char* const names[] = {"left", "right", "wall"};
  const char* words = nullptr;
  ASSERT_EQ(olp_diagnose(solver, &small.A, names, 0, &words), OLP_OK) << solver.message();
  EXPECT_NE(std::string(words).find("left and right can change together"), std::string::npos) << words;
  ASSERT_EQ(olp_diagnose(solver, &small.A, nullptr, 1, &words), OLP_OK);
  EXPECT_NE(std::string(words).find("\"sound\":false"), std::string::npos) << words;
}

// The rank of factors that were made without null_pivots is open, whether Z is asked for or not.
TEST(CParts, NullSpaceWithoutNullPivotsIsRefused) {
  SmallSymmetric small;
  small.value = {1, -1, -1, 1, 0, 0, 3};
  const Solver solver;
  ASSERT_EQ(olp_factorize(solver, &small.A), OLP_OK) << solver.message();
  std::int64_t count = -1;
  std::vector<double> z(3);
  for (double* const Z : {static_cast<double*>(nullptr), z.data()})
    expect_refused(olp_null_space(solver, OLP_FLOAT64, OLP_NO_TRANS, &count, Z), OLP_SINGULAR, solver,
                   "null_pivots");
}

// The second block is singular in single precision alone: null vectors are those of factors in full precision.
TEST(CParts, NullVectorsAreThoseOfFullPrecision) {
  const double e = std::ldexp(1.0, -25);
  const SparseMatrix<double> K{
      4, 4, {0, 2, 4, 6, 8}, {0, 1, 0, 1, 2, 3, 2, 3}, {1, -1, -1, 1, 1, 1, 1, 1 + e}};
  const olp_matrix A = columns_of(K);
  const Solver solver;
  ASSERT_EQ(olp_set(solver, "null_pivots", "true"), OLP_OK);
  ASSERT_EQ(olp_set(solver, "precision", "mixed"), OLP_OK);
  ASSERT_EQ(olp_factorize(solver, &A), OLP_OK) << solver.message();
  std::int64_t count = -1;
  ASSERT_EQ(olp_null_space(solver, OLP_FLOAT64, OLP_NO_TRANS, &count, nullptr), OLP_OK);
  ASSERT_EQ(count, 1);
  std::vector<double> Z(4);
  ASSERT_EQ(olp_null_space(solver, OLP_FLOAT64, OLP_NO_TRANS, &count, Z.data()), OLP_OK) << solver.message();
  EXPECT_EQ(count, 1);
  EXPECT_NEAR(Z[0] * Z[1], 0.5, 1e-14);
}

TEST(CParts, DenseFactorsHaveNone) {
  const Solver solver;
  const double A[] = {2, 0, 0, 3};
  ASSERT_EQ(olp_factorize_dense(solver, OLP_FLOAT64, 2, A, 2), OLP_OK);
  double x[2];
  expect_refused(olp_inverse_diagonal(solver, OLP_FLOAT64, x), OLP_BAD_PLAN, solver, "sparse");
}

TEST(C, Version) { EXPECT_EQ(std::string(olp_version()).find("0."), 0u); }

TEST(C, AnIterationPreconditions) {
  const SparseMatrix<double> A = sparse::generate("cube", 5);
  const std::vector<double> x(static_cast<std::size_t>(A.rows), 1.0), b = multiply<double>(A, x);
  const olp_matrix given = columns_of(A);
  const Solver solver;
  for (const auto& [name, value] : {std::pair{"method", "multisplitting"},
                                    {"ranks", "2"},
                                    {"weights", "both"},
                                    {"coarse", "near_null_space"}})
    ASSERT_EQ(olp_set(solver, name, value), OLP_OK) << solver.message();
  ASSERT_EQ(olp_factorize(solver, &given), OLP_OK) << solver.message();
  std::vector<double> got = x, z(x.size()), w(x.size());
  ASSERT_EQ(olp_solve_from(solver, OLP_FLOAT64, 1, b.data(), A.rows, got.data(), A.rows), OLP_OK)
      << solver.message();
  EXPECT_EQ(figure(solver, "iterations.max"), 0);
  ASSERT_EQ(olp_apply(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, b.data(), A.rows, z.data(), A.rows), OLP_OK);
  ASSERT_EQ(olp_apply(solver, OLP_FLOAT64, OLP_TRANS, 1, b.data(), A.rows, w.data(), A.rows), OLP_OK);
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(z[i], w[i], 1e-12);
  ASSERT_EQ(olp_set(solver, "method", "multifrontal"), OLP_OK);
  for (const char* name : {"weights", "coarse"})
    ASSERT_EQ(olp_set(solver, name, name[0] == 'w' ? "auto" : "none"), OLP_OK) << solver.message();
  ASSERT_EQ(olp_factorize(solver, &given), OLP_OK) << solver.message();
  expect_refused(olp_apply(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, b.data(), A.rows, z.data(), A.rows),
                 OLP_BAD_PLAN, solver, "no iteration");
}

TEST(CBatch, SolvesManyOfAPattern) {
  for (const olp_layout layout : {OLP_CSC, OLP_CSR}) {
    const SmallLines<double, int> of(layout, 1);
    const std::size_t entries = of.value.size();
    olp_matrix A = of.matrix;
    std::vector<double> values, b, x(30);
    for (int k = 0; k < 10; ++k) {
      for (const double value : of.value) values.push_back(value * (k + 1));
      for (const double value : of.product({1, 2, 3}, OLP_NO_TRANS)) b.push_back(value * (k + 1));
    }
    values[4 * entries] = std::numeric_limits<double>::infinity();
    A.value = values.data();
    unsigned char wanted[10] = {1, 1, 0, 1, 1, 1, 1, 1, 1, 1};
    const Solver solver;
    olp_batch* batch = nullptr;
    ASSERT_EQ(olp_factorize_batch(solver, &A, 10, wanted, &batch), OLP_OK) << solver.message();
    int status[10];
    double error[10];
    EXPECT_EQ(olp_solve_batch(solver, batch, OLP_FLOAT64, OLP_NO_TRANS, 1, b.data(), x.data(), status, error),
              OLP_BAD_INPUT);  // that of system 4
    EXPECT_EQ(status[2], OLP_CANCELLED);
    EXPECT_EQ(status[4], OLP_BAD_INPUT);
    for (int k = 0; k < 10; ++k)
      for (int i = 0; i < 3 && k != 2 && k != 4; ++i) EXPECT_NEAR(x[3 * k + i], i + 1, 1e-13);
    values[4 * entries] = of.value[0] * 5;
    ASSERT_EQ(olp_refactorize_batch(solver, batch, values.data(), nullptr), OLP_OK) << solver.message();
    EXPECT_EQ(
        olp_solve_batch(solver, batch, OLP_FLOAT64, OLP_NO_TRANS, 1, b.data(), x.data(), nullptr, nullptr),
        OLP_OK);
    for (int k = 0; k < 30; ++k) EXPECT_NEAR(x[k], k % 3 + 1, 1e-13);
    expect_refused(
        olp_solve_batch(solver, batch, OLP_FLOAT32, OLP_NO_TRANS, 1, b.data(), x.data(), nullptr, nullptr),
        OLP_BAD_INPUT, solver, "type");
    olp_free_batch(batch);
    expect_refused(olp_factorize_batch(solver, &A, -1, nullptr, &batch), OLP_BAD_INPUT, solver, "-1 systems");
    EXPECT_EQ(batch, nullptr);
  }
}

// A status without a solution comes before one with an x, wherever the systems are.
TEST(CBatch, AnswersWithTheFirstStatusWithoutASolution) {
  const SparseMatrix<double> A{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {}};
  const std::vector<double> regular{4, 1, 1, 3}, singular{0, 0, 0, 0}, nearly{1, 1, 1, 1 + 1e-14};
  const auto solve = [&](std::initializer_list<std::vector<double>> systems, olp_status expected,
                         const std::string& words) {
    std::vector<double> values;
    for (const std::vector<double>& system : systems)
      values.insert(values.end(), system.begin(), system.end());
    olp_matrix given = columns_of(A);
    given.value = values.data();
    const auto count = static_cast<std::int64_t>(systems.size());
    const std::vector<double> b(2 * systems.size(), 1);
    std::vector<double> x(b.size());
    const Solver solver;
    olp_batch* batch = nullptr;
    ASSERT_EQ(olp_factorize_batch(solver, &given, count, nullptr, &batch), OLP_OK) << solver.message();
    expect_refused(
        olp_solve_batch(solver, batch, OLP_FLOAT64, OLP_NO_TRANS, 1, b.data(), x.data(), nullptr, nullptr),
        expected, solver, words);
    olp_free_batch(batch);
  };
  solve({regular, regular}, OLP_OK, "");
  solve({regular, nearly}, OLP_ILL_CONDITIONED, "system 1 (from 0) has an x that may be far off");
  solve({nearly, regular, singular}, OLP_SINGULAR, "system 2 (from 0) has no solution");
}

TEST(CBatch, LooksAtTheDescriptionFirst) {
  const SmallLines<double, std::int32_t> lines(OLP_CSR, 0);
  const std::vector<std::int32_t> start{0, 2, 4, 6, 0, 0, 0, 1 << 20};  // as int64_t the last is 2^52
  const Solver solver;
  const auto refused = [&](auto change, const std::string& words) {
    olp_matrix A = lines.matrix;
    A.start = start.data();
    change(A);
    olp_batch* batch = nullptr;
    expect_refused(olp_factorize_batch(solver, &A, 1, nullptr, &batch), OLP_BAD_INPUT, solver, words);
  };
  refused([](olp_matrix& A) { A.index_bytes = 0; }, "index_bytes is 0");
  refused([](olp_matrix& A) { A.base = -7; }, "base is -7");
  refused([](olp_matrix& A) { A.layout = 5; }, "layout is 5");
  refused([](olp_matrix& A) { A.rows = A.cols = -1; }, "-1 rows");
}

// Made with the options of a solver, whose progress function they share while it lives.
TEST(CBatch, OutlivesItsSolver) {
  const SmallSymmetric small;
  const Solver other;  // made first: its memory is not that of the solver below
  int calls = 0;
  const auto count = [](const char*, double, void* data) { return ++*static_cast<int*>(data), 0; };
  olp_batch* batch = nullptr;
  olp_schur_complement* schur = nullptr;
  const std::int64_t kept[] = {1};
  const SmallLines<double, std::int64_t> lines(OLP_CSC, 0);
  {
    const Solver solver;
    ASSERT_EQ(olp_set_progress(solver, count, &calls), OLP_OK);
    ASSERT_EQ(olp_factorize_batch(solver, &lines.matrix, 1, nullptr, &batch), OLP_OK) << solver.message();
    ASSERT_EQ(olp_make_schur(solver, &small.A, 1, kept, &schur), OLP_OK) << solver.message();
    EXPECT_GT(calls, 0);
  }
  calls = 0;
  const double b[] = {6, 8, 4};
  double x[3], c = 0;
  EXPECT_EQ(olp_solve_batch(other, batch, OLP_FLOAT64, OLP_NO_TRANS, 1, b, x, nullptr, nullptr), OLP_OK)
      << other.message();
  EXPECT_EQ(olp_schur_condense(other, schur, OLP_FLOAT64, 1, b, &c), OLP_OK) << other.message();
  EXPECT_EQ(calls, 0);
  olp_free_batch(batch);
  olp_free_schur(schur);
}

/// Rows of the upper triangle of a symmetric matrix, from 0.
olp_matrix upper_triangle(std::int64_t n, const int* start, const int* index, const double* value) {
  olp_matrix A{};
  A.type = OLP_FLOAT64;
  A.layout = OLP_CSR;
  A.half = OLP_SYMMETRIC;
  A.index_bytes = 4;
  A.rows = A.cols = n;
  A.start = start;
  A.index = index;
  A.value = value;
  return A;
}

TEST(CSigns, ArePivotsOfAQuasidefiniteMatrix) {
  // (2 1 0; 1 -3 1; 0 1 4) by its upper triangle
  const int start[] = {0, 2, 4, 5}, index[] = {0, 1, 1, 2, 2};
  const double value[] = {2, 1, -3, 1, 4}, b[] = {3, -1, 5};
  const olp_matrix A = upper_triangle(3, start, index, value);
  const Solver solver;
  const int signs[] = {1, -1, 1}, odd[] = {1, 0, 1};
  expect_refused(olp_set_signs(solver, 3, odd), OLP_BAD_INPUT, solver, "sign 1 (from 0) is 0");
  expect_refused(olp_set_signs(solver, -1, signs), OLP_BAD_INPUT, solver, "-1 signs");
  expect_refused(olp_set_signs(solver, 3, nullptr), OLP_BAD_INPUT, solver, "signs");
  EXPECT_EQ(olp_set(solver, "factorization", "quasidefinite"), OLP_OK);
  EXPECT_EQ(olp_set_signs(solver, 2, signs), OLP_OK);
  expect_refused(olp_factorize(solver, &A), OLP_BAD_INPUT, solver, "signs has 2 entries");
  EXPECT_EQ(olp_set_signs(solver, 3, signs), OLP_OK);
  ASSERT_EQ(olp_factorize(solver, &A), OLP_OK) << solver.message();
  double x[3];
  ASSERT_EQ(olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, b, 3, x, 3), OLP_OK);
  for (const double found : x) EXPECT_NEAR(found, 1, 1e-14);
  EXPECT_EQ(text(solver, "factorization"), "quasidefinite");
  EXPECT_EQ(figure(solver, "pivots.negative"), 1);
  EXPECT_EQ(figure(solver, "pivots.wrong_sign"), 0);
}

TEST(CApi, AnOrderOfTheCaller) {
  const int start[] = {0, 2, 4, 5}, index[] = {0, 1, 1, 2, 2};
  const double value[] = {4, 1, 3, 1, 5}, b[] = {5, 5, 6};
  const olp_matrix A = upper_triangle(3, start, index, value);
  const Solver solver;
  const std::int64_t order[] = {2, 0, 1}, repeated[] = {2, 0, 0};
  EXPECT_EQ(olp_set(solver, "ordering", "user"), OLP_OK);
  EXPECT_EQ(olp_set_order(solver, 3, repeated), OLP_OK);
  EXPECT_EQ(olp_factorize(solver, &A), OLP_BAD_INPUT);
  EXPECT_EQ(olp_set_order(solver, 3, order), OLP_OK);
  ASSERT_EQ(olp_factorize(solver, &A), OLP_OK) << solver.message();
  double x[3];
  ASSERT_EQ(olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, b, 3, x, 3), OLP_OK);
  for (const double found : x) EXPECT_NEAR(found, 1, 1e-14);
  EXPECT_EQ(text(solver, "ordering"), "user");
  EXPECT_EQ(olp_set_pivot_threshold(solver, 0.1), OLP_OK) << solver.message();
  EXPECT_EQ(olp_refactorize(solver, &A), OLP_OK) << solver.message();
  expect_refused(olp_set_order(solver, -1, order), OLP_BAD_INPUT, solver, "-1");
}

}  // namespace
}  // namespace overlapack
