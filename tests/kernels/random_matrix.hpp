#pragma once
#include "base/matrix_view.hpp"
#include "base/random.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <vector>

namespace overlapack::kernels {

using AllScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;

template <class T>
constexpr Real<T> eps = std::numeric_limits<Real<T>>::epsilon();

template <class T>
T random_scalar(Random& random) {
  if constexpr (ScalarTraits<T>::is_complex) {
    const auto re = static_cast<Real<T>>(random.uniform(-1, 1));
    return T(re, static_cast<Real<T>>(random.uniform(-1, 1)));
  } else {
    return static_cast<T>(random.uniform(-1, 1));
  }
}

/// A matrix that owns its entries, with a leading dimension larger than its rows and guard entries between the columns.
template <class T>
class Matrix {
 public:
  Matrix(Index rows, Index cols, T value = T(0))
      : rows_(rows), cols_(cols), entries_((rows + guard) * cols, value) {}

  static Matrix random(Index rows, Index cols, Random& random) {
    Matrix A(rows, cols);
    for (T& x : A.entries_) x = random_scalar<T>(random);
    return A;
  }

  T& operator()(Index i, Index j) { return entries_[i + j * (rows_ + guard)]; }
  const T& operator()(Index i, Index j) const { return entries_[i + j * (rows_ + guard)]; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  MatrixView<T> view() { return {entries_.data(), rows_, cols_, rows_ + guard}; }
  MatrixView<const T> view() const { return {entries_.data(), rows_, cols_, rows_ + guard}; }
  operator MatrixView<T>() { return view(); }
  operator MatrixView<const T>() const { return view(); }

  /// The entries between the columns, which no kernel may touch.
  std::vector<T> guards() const {
    std::vector<T> between;
    for (Index j = 0; j < cols_; ++j)
      for (Index i = rows_; i < rows_ + guard; ++i) between.push_back(entries_[i + j * (rows_ + guard)]);
    return between;
  }

 private:
  static constexpr Index guard = 3;
  Index rows_, cols_;
  std::vector<T> entries_;
};

/// |A - B| <= tolerance, entry by entry; counts what differs, so that one failure is one line.
template <class T>
::testing::AssertionResult all_near(MatrixView<const T> A, MatrixView<const T> B, double tolerance) {
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) {
      const double difference = std::abs(A(i, j) - B(i, j));
      if (!(difference <= tolerance))
        return ::testing::AssertionFailure()
               << "entry (" << i << ", " << j << ") of " << A.rows << " x " << A.cols << ": " << A(i, j)
               << " and " << B(i, j) << " differ by " << difference << " > " << tolerance;
    }
  return ::testing::AssertionSuccess();
}

}  // namespace overlapack::kernels
