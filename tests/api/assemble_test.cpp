#include "overlapack/assemble.hpp"

#include "overlapack/error.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// Matrices from arrays of the caller.
namespace overlapack {
namespace {

using Complex = std::complex<double>;

template <class T>
std::vector<T> dense_of(const SparseMatrix<T>& A) {
  std::vector<T> dense(static_cast<std::size_t>(A.rows * A.cols));
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) dense[A.row[p] + j * A.rows] += A.value[p];
  return dense;
}

template <class I>
void expect_both_ways(I base) {
  std::vector<I> start{0, 2, 3, 6}, index{0, 1, 2, 1, 0, 1};
  const std::vector<double> value{4, 1, 5, 3, 7, 2};  // line 2 has position 1 twice
  for (I& number : start) number = static_cast<I>(number + base);
  for (I& number : index) number = static_cast<I>(number + base);
  const Compressed<double, I> rows{
      .rows = 3, .cols = 3, .start = start, .index = index, .value = value, .base = base};
  Compressed<double, I> columns = rows;
  columns.by = Lines::columns;
  EXPECT_EQ(dense_of(assemble(rows)), (std::vector<double>{4, 0, 7, 1, 0, 5, 0, 5, 0}));
  EXPECT_EQ(dense_of(assemble(columns)), (std::vector<double>{4, 1, 0, 0, 0, 5, 7, 5, 0}));
  EXPECT_EQ(assemble(rows).nnz(), 5);
}

TEST(Compressed, RowsAndColumnsInBothTypesOfIndices) {
  expect_both_ways<std::int32_t>(0);
  expect_both_ways<std::int32_t>(1);
  expect_both_ways<std::int64_t>(0);
  expect_both_ways<std::int64_t>(1);
}

TEST(Compressed, EitherTriangleMakesTheWholeMatrix) {
  const std::vector<int> start{0, 2, 3, 3}, index{0, 2, 2};  // of the third line the diagonal is left out
  const std::vector<Complex> value{{4, 0}, {1, 2}, {5, -1}};
  Compressed<Complex> half{
      .rows = 3, .cols = 3, .start = start, .index = index, .value = value, .half = Symmetry::hermitian};
  const Complex a(1, 2), c(5, -1);
  EXPECT_EQ(dense_of(assemble(half)),
            (std::vector<Complex>{4, 0, std::conj(a), 0, 0, std::conj(c), a, c, 0}));
  half.by = Lines::columns;
  EXPECT_EQ(dense_of(assemble(half)),
            (std::vector<Complex>{4, 0, a, 0, 0, c, std::conj(a), std::conj(c), 0}));
  half.half = Symmetry::symmetric;
  EXPECT_EQ(dense_of(assemble(half)), (std::vector<Complex>{4, 0, a, 0, 0, c, a, c, 0}));
}

TEST(Compressed, RectanglesAndNothing) {
  const std::vector<int> start{0, 1}, index{2};
  const std::vector<double> value{3};
  const auto A =
      assemble(Compressed<double>{.rows = 1, .cols = 4, .start = start, .index = index, .value = value});
  EXPECT_EQ(A.rows, 1);
  EXPECT_EQ(dense_of(A), (std::vector<double>{0, 0, 3, 0}));
  EXPECT_EQ(assemble(Compressed<float>{}).nnz(), 0);
  EXPECT_EQ(assemble(Compressed<float>{.cols = 5}).cols, 5);
}

template <class I>
void expect_refusal(const Compressed<double, I>& arrays, const std::string& words) {
  try {
    assemble(arrays);
    ADD_FAILURE() << "accepted; expected: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_input);
    EXPECT_EQ(error.where(), "assemble");
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Compressed, MistakesAreNamedInTheCallersNumbers) {
  const std::vector<int> start{1, 3, 4, 5}, falling{1, 4, 3, 5}, index{1, 2, 3, 3};
  const std::vector<double> value{1, 2, 3, 4};
  const Compressed<double> good{
      .rows = 3, .cols = 3, .start = start, .index = index, .value = value, .base = 1};
  EXPECT_EQ(assemble(good).nnz(), 4);
  const auto with = [&](auto&& change) {
    Compressed<double> arrays = good;
    change(arrays);
    return arrays;
  };
  expect_refusal(with([](auto& a) { a.base = 0; }), "start begins with 1, but base is 0");
  expect_refusal(with([](auto& a) { a.base = 2; }), "base is 2");
  expect_refusal(with([](auto& a) { a.rows = 4; }), "start has 4 numbers, but the matrix needs 5");
  expect_refusal(with([](auto& a) { a.rows = -1; }), "-1 rows");
  expect_refusal(with([&](auto& a) { a.start = falling; }), "start decreases after row 2");
  expect_refusal(with([](auto& a) { a.index = a.index.first(3); }),
                 "index has 3 numbers, but the matrix needs 4");
  expect_refusal(with([](auto& a) { a.value = {}; }), "value has 0 numbers");
  expect_refusal(with([](auto& a) { a.cols = 2; }), "row 2 has an entry in column 3 of a matrix with 2");
  expect_refusal(with([](auto& a) { a.by = Lines::columns, a.rows = 2; }), "column 2 has an entry in row 3");
  expect_refusal(with([](auto& a) { a.half = Symmetry::skew; }), "skew");
  expect_refusal(with([](auto& a) { a.half = Symmetry::symmetric, a.cols = 4; }), "3 x 4");
  const std::vector<int> both{1, 2, 1, 3};
  expect_refusal(with([&](auto& a) { a.half = Symmetry::symmetric, a.index = both; }), "both sides");
  const std::vector<std::int64_t> far{0, std::numeric_limits<std::int64_t>::max()}, none;
  expect_refusal(Compressed<double, std::int64_t>{.rows = 1, .cols = 1, .start = far, .index = none},
                 "index has 0");
}

}  // namespace
}  // namespace overlapack
