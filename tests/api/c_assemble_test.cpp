#include "c_solver.hpp"
#include "overlapack/assemble.hpp"
#include "overlapack/error.hpp"

#include <complex>
#include <cstdint>
#include <vector>

namespace overlapack {
namespace {

using Numbers = std::vector<std::int32_t>;

/// The entries of a matrix that the library made, by rows, and the matrix is given back.
template <class T>
std::vector<T> dense(olp_matrix& A) {
  std::vector<T> entries(static_cast<std::size_t>(A.rows * A.cols));
  const auto* const start = static_cast<const std::int64_t*>(A.start);
  const auto* const row = static_cast<const std::int64_t*>(A.index);
  for (std::int64_t j = 0; j < A.cols; ++j)
    for (std::int64_t p = start[j]; p < start[j + 1]; ++p)
      entries[static_cast<std::size_t>(row[p] * A.cols + j)] = static_cast<const T*>(A.value)[p];
  olp_free_matrix(&A);
  return entries;
}

/// Two bars of stiffness 1 and 2 between nodes 1, 2 and 3, numbers from 1.
struct Bars {
  Numbers start{1, 3, 5}, variable{1, 2, 2, 3};
  std::vector<double> whole{1, -1, -1, 1, 2, -2, -2, 2}, lower{1, -1, 1, 2, -2, 2};
};
const std::vector<double> of_bars{1, -1, 0, -1, 3, -2, 0, -2, 2};

TEST(CAssemble, Elements) {
  const Bars bars;
  const Solver solver;
  olp_matrix A{};
  for (const int half : {OLP_WHOLE, OLP_SYMMETRIC}) {
    const double* const value = half == OLP_WHOLE ? bars.whole.data() : bars.lower.data();
    ASSERT_EQ(olp_assemble_elements(solver, OLP_FLOAT64, half, 3, 2, 4, 1, bars.start.data(),
                                    bars.variable.data(), value, &A),
              OLP_OK)
        << solver.message();
    EXPECT_EQ(dense<double>(A), of_bars);
  }
  ASSERT_EQ(olp_assemble_elements(solver, OLP_FLOAT64, OLP_WHOLE, 2, 0, 8, 0, nullptr, nullptr, nullptr, &A),
            OLP_OK)
      << solver.message();
  EXPECT_EQ(dense<double>(A), std::vector<double>(4));
}

TEST(CAssemble, HermitianElements) {
  using C = std::complex<float>;
  const std::vector<std::int64_t> start{0, 2},
      variable{1, 0};  // the first variable of the element is the second one
  const std::vector<C> lower{2, C(1, 3), 5};
  const Solver solver;
  olp_matrix A{};
  ASSERT_EQ(olp_assemble_elements(solver, OLP_COMPLEX64, OLP_HERMITIAN, 2, 1, 8, 0, start.data(),
                                  variable.data(), lower.data(), &A),
            OLP_OK)
      << solver.message();
  EXPECT_EQ(dense<C>(A), (std::vector<C>{5, C(1, 3), C(1, -3), 2}));
}

TEST(CAssemble, EntriesAreAddedUpAndSolvedWith) {
  const Numbers row{0, 1, 1, 0, 0}, col{0, 0, 1, 1, 0};
  const std::vector<double> value{3, 1, 2, -1, 1};
  const Solver solver;
  olp_matrix A{};
  ASSERT_EQ(olp_assemble_entries(solver, OLP_FLOAT64, OLP_WHOLE, 2, 2, 5, 4, 0, row.data(), col.data(),
                                 value.data(), &A),
            OLP_OK)
      << solver.message();
  ASSERT_EQ(olp_factorize(solver, &A), OLP_OK) << solver.message();
  EXPECT_EQ(dense<double>(A), (std::vector<double>{4, -1, 1, 2}));
  const Numbers start{0, 1, 1}, of_b{1};
  const double nine = 9;
  const olp_matrix B{.type = OLP_FLOAT64,
                     .layout = OLP_CSC,
                     .half = OLP_WHOLE,
                     .index_bytes = 4,
                     .base = 0,
                     .rows = 2,
                     .cols = 2,
                     .first = 0,
                     .count = 0,
                     .start = start.data(),
                     .index = of_b.data(),
                     .value = &nine,
                     .owner = nullptr};
  std::vector<double> X(5, -7);
  ASSERT_EQ(olp_solve_sparse(solver, OLP_NO_TRANS, 2, &B, X.data(), 3), OLP_OK)
      << solver.message();  // A x = (0, 9), A x = 0
  EXPECT_EQ(X, (std::vector<double>{1, 4, -7, 0, 0}));
  ASSERT_EQ(olp_solve_sparse(solver, OLP_TRANS, 2, &B, X.data(), 3), OLP_OK) << solver.message();
  EXPECT_EQ(X, (std::vector<double>{-1, 4, -7, 0, 0}));
  expect_refused(olp_solve_sparse(solver, OLP_NO_TRANS, 1, &B, X.data(), 3), OLP_BAD_INPUT, solver,
                 "give 2 x 1");
  olp_matrix other = B;
  other.type = OLP_FLOAT32;
  expect_refused(olp_solve_sparse(solver, OLP_NO_TRANS, 2, &other, X.data(), 3), OLP_BAD_INPUT, solver,
                 "type is 0");
}

TEST(CAssemble, OneTriangleOfEntries) {
  using C = std::complex<double>;
  const std::vector<std::int64_t> row{1, 2, 2}, col{1, 1, 2};
  const std::vector<C> value{1, C(0, 2), 3};
  const Solver solver;
  olp_matrix A{};
  ASSERT_EQ(olp_assemble_entries(solver, OLP_COMPLEX128, OLP_HERMITIAN, 2, 2, 3, 8, 1, row.data(), col.data(),
                                 value.data(), &A),
            OLP_OK)
      << solver.message();
  EXPECT_EQ(dense<C>(A), (std::vector<C>{1, C(0, -2), C(0, 2), 3}));
}

TEST(CAssemble, RefusesWhatDoesNotFit) {
  Bars bars;
  const Solver solver;
  olp_matrix A{};
  const auto elements = [&](int half = OLP_WHOLE, int bytes = 4, int base = 1, std::int64_t n = 3,
                            std::int64_t count = 2) {
    return olp_assemble_elements(solver, OLP_FLOAT64, half, n, count, bytes, base, bars.start.data(),
                                 bars.variable.data(), bars.whole.data(), &A);
  };
  expect_refused(elements(7), OLP_BAD_INPUT, solver, "half is 7");
  expect_refused(elements(OLP_WHOLE, 2), OLP_BAD_INPUT, solver, "index_bytes is 2");
  expect_refused(elements(OLP_WHOLE, 4, 2), OLP_BAD_INPUT, solver, "base is 2");
  expect_refused(elements(OLP_WHOLE, 4, 1, 2), OLP_BAD_INPUT, solver, "outside a matrix of 2 x 2");
  expect_refused(elements(OLP_WHOLE, 4, 1, 3, -1), OLP_BAD_INPUT, solver, "elements is -1");
  expect_refused(elements(OLP_WHOLE, 4, 0), OLP_BAD_INPUT, solver,
                 "start of elements begins with 0, or base");
  std::swap(bars.start[1], bars.start[2]);
  expect_refused(elements(), OLP_BAD_INPUT, solver, "start decreases after element 1");
  const Numbers row{0, 1}, col{1, 0};
  const auto entries = [&](int half, std::int64_t cols, const void* value) {
    return olp_assemble_entries(solver, OLP_FLOAT64, half, 2, cols, 2, 4, 0, row.data(), col.data(), value,
                                &A);
  };
  expect_refused(entries(OLP_SYMMETRIC, 2, bars.whole.data()), OLP_BAD_INPUT, solver,
                 "both sides of the diagonal");
  expect_refused(entries(OLP_SYMMETRIC, 3, bars.whole.data()), OLP_BAD_INPUT, solver, "only a square matrix");
  expect_refused(entries(OLP_WHOLE, 1, bars.whole.data()), OLP_BAD_INPUT, solver,
                 "outside a matrix of 2 x 1");
  expect_refused(entries(OLP_WHOLE, 2, nullptr), OLP_BAD_INPUT, solver, "value is a null pointer");
}

TEST(Assemble, ElementsHaveAsManyNumbersAsTheirVariablesSay) {
  Elements<double> all{
      .n = 2, .start = {0, 2}, .variable = {0, 1}, .value = {1, 2, 3}, .symmetry = Symmetry::symmetric};
  EXPECT_EQ(assemble(all).value, (std::vector<double>{1, 2, 2, 3}));
  EXPECT_EQ(numbers_of(all), 3);
  const auto refusal = [&] {
    try {
      assemble(all);
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_input);
      return std::string(error.what());
    }
    return std::string("none");
  };
  all.value.pop_back();
  EXPECT_NE(refusal().find("the elements have 3 numbers, but 2 are given"), std::string::npos) << refusal();
  all.variable.pop_back();
  EXPECT_NE(refusal().find("the elements have 2 variables, but 1 are given"), std::string::npos) << refusal();
  all.symmetry = Symmetry::skew;
  EXPECT_NE(refusal().find("give skew-symmetric ones whole"), std::string::npos) << refusal();
}

}  // namespace
}  // namespace overlapack
