#include "iterative/multisplitting/coarse_parts.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <initializer_list>

namespace overlapack::iterative {
namespace {

/// A line of rows: right[i] is A(i, i + 1), left[i] is A(i + 1, i).
template <class T = double>
SparseMatrix<T> line(const std::vector<double>& right, const std::vector<double>& left) {
  SparseMatrix<T> A;
  A.rows = A.cols = std::ssize(right) + 1;
  for (Index j = 0; j < A.cols; ++j) {
    const auto add = [&](Index i, double value) { A.row.push_back(i), A.value.push_back(T(Real<T>(value))); };
    if (j > 0) add(j - 1, right[j - 1]);
    add(j, 1);
    if (j + 1 < A.rows) add(j + 1, left[j]);
    A.start.push_back(A.nnz());
  }
  return A;
}

template <class T = double>
CoarseParts parts_of_line(const std::vector<double>& right, const std::vector<double>& left,
                          const std::vector<int>& block, int blocks, const CoarsePartPlan& plan = {}) {
  return coarse_parts(line<T>(right, left), line<T>(left, right), block, blocks, plan);
}

TEST(CoarseParts, ABlockOfOneCoefficientIsWhole) {
  const std::vector<double> equal{-1, -1, -1};
  EXPECT_EQ(parts_of_line(equal, equal, {0, 0, 1, 1}, 2).of_row, (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(parts_of_line(equal, equal, {0, 0, 1, 1}, 2, {}).count, 2);
}

TEST(CoarseParts, ACoefficientThatJumpsCutsABlock) {
  // 1 1 | 1e4 1e4 1e4 | 1: the larger part of a block comes first
  const std::vector<double> jumps{-1, -2, -1e4, -1e4, -2, -1};
  EXPECT_EQ(parts_of_line(jumps, jumps, {0, 0, 0, 0, 0, 0, 0}, 1).of_row,
            (std::vector<int>{1, 1, 0, 0, 0, 2, 2}));
}

TEST(CoarseParts, AWindDoesNotCount) {
  const std::vector<double> diffusion{-1, -1, -1}, upstream{-1000, -1000, -1000};
  EXPECT_EQ(parts_of_line(diffusion, upstream, {0, 0, 0, 0}, 1).of_row, (std::vector<int>{0, 0, 0, 0}));
}

TEST(CoarseParts, RowsWithoutACouplingOfBothSidesAreTheRestOfTheirBlock) {
  const std::vector<double> one_way{-1, -1, -1}, none{0, 0, 0};
  EXPECT_EQ(parts_of_line(one_way, none, {0, 0, 1, 1}, 2).of_row, (std::vector<int>{0, 0, 1, 1}));
}

TEST(CoarseParts, WhatIsBeyondTheMostIsTheRest) {
  const std::vector<double> pairs{-1, -1e-4, -1, -1e-4, -1};
  EXPECT_EQ(parts_of_line(pairs, pairs, {0, 0, 0, 0, 0, 0}, 1, {.most = 1}).of_row,
            (std::vector<int>{0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(parts_of_line(pairs, pairs, {0, 0, 0, 0, 0, 0}, 1, {.most = 1}).count, 2);
  EXPECT_EQ(parts_of_line(pairs, pairs, {0, 0, 0, 0, 0, 0}, 1, {}).count, 3);
}

TEST(CoarseParts, OfAnyUnit) {
  for (const double unit : {1e-200, 1e200}) {
    const std::vector<double> jumps{-unit, -1e-4 * unit, -unit};
    EXPECT_EQ(parts_of_line(jumps, jumps, {0, 0, 0, 0}, 1).of_row, (std::vector<int>{0, 0, 1, 1})) << unit;
  }
}

TEST(CoarseParts, OfAllTypes) {
  const std::vector<double> jumps{-1, -1e-3, -1};
  const std::vector<int> block{0, 0, 0, 0}, expected{0, 0, 1, 1};
  EXPECT_EQ(parts_of_line<float>(jumps, jumps, block, 1).of_row, expected);
  EXPECT_EQ(parts_of_line<std::complex<float>>(jumps, jumps, block, 1).of_row, expected);
  EXPECT_EQ(parts_of_line<std::complex<double>>(jumps, jumps, block, 1).of_row, expected);
}

}  // namespace
}  // namespace overlapack::iterative
