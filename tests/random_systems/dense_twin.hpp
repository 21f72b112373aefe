#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

namespace overlapack {

using Long = std::complex<long double>;

/// A as an array by columns, duplicates summed, in extended precision.
template <class T>
std::vector<Long> dense_of(const SparseMatrix<T>& A) {
  std::vector<Long> values(static_cast<std::size_t>(A.rows * A.cols));
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) values[A.row[k] + j * A.rows] += Long(A.value[k]);
  return values;
}

/// The slow, obvious twin: Gauss-Jordan with complete pivoting, rows and columns brought to 1 first.
class DenseTwin {
 public:
  DenseTwin(std::vector<Long> values, Index n) : n_(n), A_(std::move(values)) {
    row_.assign(static_cast<std::size_t>(n), 1);
    col_ = row_;
    for (int sweep = 0; sweep < 6; ++sweep) equilibrate();
    invert();
  }

  /// The smallest of its pivots, beside 1; 0: the matrix is singular to extended precision.
  long double smallest_pivot() const { return smallest_; }
  bool has_inverse() const { return smallest_ > 0; }
  /// || |A^{-1}| scale ||_oo / ||x||_oo, by unknowns of like sizes: how residuals of that scale change x.
  long double condition(const std::vector<long double>& scale, const std::vector<Long>& x) const {
    return change_of(scale, x, std::vector<long double>(x.size(), 1), col_);
  }
  /// The same by unknowns as they are.
  long double unscaled_condition(const std::vector<long double>& scale, const std::vector<Long>& x) const {
    return change_of(scale, x, col_, std::vector<long double>(x.size(), 1));
  }
  /// ||A||_1 ||A^{-1}||_1 of the matrix as it was given, without scaling.
  long double norm_condition() const {
    long double most = 0, most_inverse = 0;
    for (Index j = 0; j < n_; ++j) {
      long double sum = 0, sum_inverse = 0;
      for (Index i = 0; i < n_; ++i) {
        sum += std::abs(A_[i + j * n_]) / (row_[i] * col_[j]);
        sum_inverse += col_[i] * std::abs(inverse_[i + j * n_]) * row_[j];
      }
      most = std::max(most, sum);
      most_inverse = std::max(most_inverse, sum_inverse);
    }
    return most * most_inverse;
  }
  /// The same in the infinity norm, of rows and columns brought to 1.
  long double scaled_condition() const {
    long double most = 0, most_inverse = 0;
    for (Index i = 0; i < n_; ++i) {
      long double sum = 0, sum_inverse = 0;
      for (Index j = 0; j < n_; ++j)
        sum += std::abs(A_[i + j * n_]), sum_inverse += std::abs(inverse_[i + j * n_]);
      most = std::max(most, sum);
      most_inverse = std::max(most_inverse, sum_inverse);
    }
    return most * most_inverse;
  }
  /// log |det A| and det A / |det A|; of a regular matrix.
  long double log_determinant() const { return log_determinant_; }
  Long determinant_phase() const { return phase_; }
  /// x with A x = b.
  std::vector<Long> solve(const std::vector<Long>& b) const {
    std::vector<Long> x(static_cast<std::size_t>(n_));
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) x[i] += col_[i] * inverse_[i + j * n_] * row_[j] * b[j];
    return x;
  }
  /// max |x - y| / max |y|, by unknowns of like sizes.
  long double distance(const std::vector<Long>& x, const std::vector<Long>& y) const {
    long double most = 0, size = 0;
    for (Index i = 0; i < n_; ++i) {
      most = std::max(most, std::abs(x[i] - y[i]) / col_[i]);
      size = std::max(size, std::abs(y[i]) / col_[i]);
    }
    return size > 0 ? most / size : most;
  }

 private:
  long double change_of(const std::vector<long double>& scale, const std::vector<Long>& x,
                        const std::vector<long double>& by, const std::vector<long double>& over) const {
    long double most = 0, size = 0;
    for (Index i = 0; i < n_; ++i) {
      long double sum = 0;
      for (Index j = 0; j < n_; ++j) sum += std::abs(inverse_[i + j * n_]) * row_[j] * scale[j];
      most = std::max(most, sum * by[i]);
      size = std::max(size, std::abs(x[i]) / over[i]);
    }
    return size > 0 ? most / size : 0;
  }
  void equilibrate() {
    for (const bool by_rows : {true, false})
      for (Index i = 0; i < n_; ++i) {
        long double most = 0;
        for (Index j = 0; j < n_; ++j)
          most = std::max(most, std::abs(by_rows ? A_[i + j * n_] : A_[j + i * n_]));
        if (!(most > 0)) continue;
        for (Index j = 0; j < n_; ++j) (by_rows ? A_[i + j * n_] : A_[j + i * n_]) /= most;
        (by_rows ? row_ : col_)[i] /= most;
      }
  }
  static bool is_odd(std::vector<Index> permutation) {
    bool odd = false;
    for (Index k = 0; k < static_cast<Index>(permutation.size()); ++k)
      while (permutation[k] != k) {
        std::swap(permutation[k], permutation[permutation[k]]);
        odd = !odd;
      }
    return odd;
  }
  void invert() {
    std::vector<Long> W = A_;
    std::vector<Index> row_of(static_cast<std::size_t>(n_)), col_of = row_of;
    std::vector<char> has_row(static_cast<std::size_t>(n_)), has_col = has_row;
    for (Index k = 0; k < n_; ++k) {
      Index r = -1, c = -1;
      long double most = -1;
      for (Index j = 0; j < n_; ++j)
        for (Index i = 0; i < n_ && !has_col[j]; ++i)
          if (!has_row[i] && std::abs(W[i + j * n_]) > most) most = std::abs(W[i + j * n_]), r = i, c = j;
      smallest_ = std::min(smallest_, most);
      if (!(most > 0)) return;
      has_row[r] = has_col[c] = 1;
      row_of[k] = r, col_of[k] = c;
      const Long pivot = W[r + c * n_];
      log_determinant_ += std::log(most) - std::log(row_[k]) - std::log(col_[k]);
      phase_ *= pivot / most;
      W[r + c * n_] = 1;
      for (Index j = 0; j < n_; ++j) W[r + j * n_] /= pivot;
      for (Index i = 0; i < n_; ++i) {
        if (i == r) continue;
        const Long factor = W[i + c * n_];
        W[i + c * n_] = 0;
        if (factor == Long(0)) continue;
        for (Index j = 0; j < n_; ++j) W[i + j * n_] -= factor * W[r + j * n_];
      }
    }
    if (is_odd(row_of) != is_odd(col_of)) phase_ = -phase_;
    // row r of W belongs to unknown c, column c of W to equation r
    inverse_.resize(W.size());
    for (Index k = 0; k < n_; ++k)
      for (Index l = 0; l < n_; ++l) inverse_[col_of[k] + row_of[l] * n_] = W[row_of[k] + col_of[l] * n_];
  }

  Index n_;
  std::vector<Long> A_, inverse_;
  std::vector<long double> row_, col_;
  long double smallest_ = 1, log_determinant_ = 0;
  Long phase_ = 1;
};

/// How many eigenvalues of a Hermitian matrix are negative: L D L^H with complete pivoting (Bunch and Parlett 1971), in extended precision.
inline Index negative_eigenvalues(std::vector<Long> W, Index n) {
  const auto at = [&](Index i, Index j) -> Long& { return W[i + j * n]; };
  std::vector<Index> left(static_cast<std::size_t>(n));
  for (Index k = 0; k < n; ++k) left[k] = k;
  Index negative = 0;
  const auto drop = [&](Index k) { left.erase(std::find(left.begin(), left.end(), k)); };
  while (!left.empty()) {
    Index p = left.front(), q = p, d = p;
    for (const Index j : left)
      for (const Index i : left)
        if (std::abs(at(i, j)) > std::abs(at(p, q))) p = i, q = j;
    for (const Index k : left)
      if (std::abs(at(k, k)) > std::abs(at(d, d))) d = k;
    if (std::abs(at(d, d)) >= 0.64L * std::abs(at(p, q))) {
      const Long pivot = at(d, d);
      negative += pivot.real() < 0 ? 1 : 0;
      drop(d);
      if (pivot == Long(0)) continue;
      for (const Index j : left)
        for (const Index i : left) at(i, j) -= at(i, d) * at(d, j) / pivot;
      continue;
    }
    const Long det = at(p, p) * at(q, q) - at(p, q) * at(q, p);
    negative += det.real() < 0 ? 1 : at(p, p).real() < 0 ? 2 : 0;
    drop(p), drop(q);
    for (const Index j : left)
      for (const Index i : left)
        at(i, j) -= (at(i, p) * (at(q, q) * at(p, j) - at(p, q) * at(q, j)) +
                     at(i, q) * (at(p, p) * at(q, j) - at(q, p) * at(p, j))) /
                    det;
  }
  return negative;
}

}  // namespace overlapack
