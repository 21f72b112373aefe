#pragma once
#include "kernels/pivoting/ldlt_panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace overlapack::kernels::reference {

/// The front's entry (i, j) out of the lower part.
template <class T>
T symmetric_entry(MatrixView<T> P, bool hermitian, Index i, Index j) {
  if (i >= j) return P(i, j);
  return hermitian ? conjugate(P(j, i)) : P(j, i);
}

/// Exchange rows and columns a < b of the lower part.
template <class T>
void symmetric_exchange(MatrixView<T> P, bool hermitian, Index a, Index b) {
  if (a == b) return;
  for (Index j = 0; j < a; ++j) std::swap(P(a, j), P(b, j));
  std::swap(P(a, a), P(b, b));
  for (Index i = a + 1; i < b; ++i) std::swap(P(i, a), P(b, i));
  for (Index i = a + 1; hermitian && i <= b; ++i) P(i, a) = conjugate(P(i, a));
  for (Index i = a + 1; hermitian && i < b; ++i) P(b, i) = conjugate(P(b, i));
  for (Index i = b + 1; i < P.rows; ++i) std::swap(P(i, a), P(i, b));
}

/// Largest |a_ik| over rows k0..f-1 but k and skip.
template <class T>
Real<T> largest_off_pivot(MatrixView<T> P, Index k0, Index k, Index skip) {
  Real<T> largest = 0;
  for (Index i = k0; i < P.rows; ++i)
    if (i != k && i != skip)
      largest = std::max(largest, magnitude(i < P.cols ? symmetric_entry(P, false, i, k) : P(i, k)));
  return largest;
}

/// ldlt_panel one pivot at a time, partners sought among all fully summed rows.
template <class T>
class LdltPanel {
 public:
  LdltPanel(MatrixView<T> P, bool hermitian, Real<T> u, std::span<std::int32_t> order, std::span<T> d,
            std::span<T> d_off)
      : P_(P),
        hermitian_(hermitian && ScalarTraits<T>::is_complex),
        u_(u),
        order_(order),
        d_(d),
        d_off_(d_off) {}

  LdltPanelResult run() {
    make_diagonal_real();
    for (Index before = -1; before < k_ && k_ < P_.cols;) {
      before = k_;
      for (Index end = P_.cols; k_ < end;)
        if (!eliminate_next()) exchange(k_, --end);
    }
    result_.eliminated = k_;
    return result_;
  }

 private:
  void exchange(Index a, Index b) {
    if (a == b) return;
    symmetric_exchange(P_, hermitian_, a, b);
    std::swap(order_[a], order_[b]);
    ++result_.exchanges;
  }

  /// Rounding leaves imaginary parts that would grow like 1/u^2.
  void make_diagonal_real() {
    for (Index k = k_; hermitian_ && k < P_.cols; ++k) P_(k, k) = std::real(P_(k, k));
  }

  bool eliminate_next() {
    if (accepts_one(k_)) return eliminate_one();
    Index r = k_;
    for (Index i = k_ + 1; i < P_.cols; ++i)
      if (r == k_ || magnitude(P_(i, k_)) > magnitude(P_(r, k_))) r = i;
    if (r == k_) return false;
    if (accepts_one(r)) {
      exchange(k_, r);
      return eliminate_one();
    }
    if (!accepts_two(r)) return false;
    exchange(k_ + 1, r);
    return eliminate_two();
  }

  bool accepts_one(Index k) const {
    const Real<T> size = magnitude(P_(k, k));
    return size >= std::numeric_limits<Real<T>>::min() && size >= u_ * largest_off_pivot(P_, k_, k, k);
  }

  bool accepts_two(Index r) const {
    const T a = P_(k_, k_), b = P_(r, k_), c = P_(r, r);
    const Real<T> scale = std::max({magnitude(a), magnitude(b), magnitude(c)});
    if (!(scale >= std::numeric_limits<Real<T>>::min())) return false;
    const T product = (a / scale) * c, square = (b / scale) * (hermitian_ ? conjugate(b) : b);
    const Real<T> det = magnitude(product - square);  // |det(E)| / scale
    if (det < std::max(magnitude(product), magnitude(square)) / 2 ||
        !(det >= std::numeric_limits<Real<T>>::min()))
      return false;
    const Real<T> max_k = largest_off_pivot(P_, k_, k_, r), max_r = largest_off_pivot(P_, k_, r, k_);
    const Real<T> as = magnitude(a) / scale, bs = magnitude(b) / scale, cs = magnitude(c) / scale;
    return u_ * (cs * max_k + bs * max_r) <= det && u_ * (bs * max_k + as * max_r) <= det;
  }

  bool eliminate_one() {
    const T a = d_[k_] = P_(k_, k_);
    d_off_[k_] = T(0);
    for (Index j = k_ + 1; j < P_.cols; ++j) {
      const T w = hermitian_ ? conjugate(P_(j, k_)) : P_(j, k_);  // D L^T
      for (Index i = j; i < P_.rows; ++i) P_(i, j) -= P_(i, k_) * (w / a);
    }
    for (Index i = k_ + 1; i < P_.rows; ++i) P_(i, k_) /= a;
    if (!ScalarTraits<T>::is_complex || hermitian_) result_.negative += std::real(a) < 0;
    note(magnitude(a));
    ++k_;
    make_diagonal_real();
    return true;
  }

  bool eliminate_two() {
    const Index k = k_;
    const T a = P_(k, k), b = P_(k + 1, k), c = P_(k + 1, k + 1), bt = hermitian_ ? conjugate(b) : b;
    const T det = a * c - b * bt;
    for (Index j = k + 2; j < P_.cols; ++j) {
      const T x1 = P_(j, k), x2 = P_(j, k + 1);
      const T l1 = (c * x1 - b * x2) / det, l2 = (a * x2 - bt * x1) / det;
      for (Index i = j; i < P_.rows; ++i)
        P_(i, j) -=
            P_(i, k) * (hermitian_ ? conjugate(l1) : l1) + P_(i, k + 1) * (hermitian_ ? conjugate(l2) : l2);
    }
    for (Index i = k + 2; i < P_.rows; ++i) {
      const T x1 = P_(i, k), x2 = P_(i, k + 1);
      P_(i, k) = (c * x1 - b * x2) / det;
      P_(i, k + 1) = (a * x2 - bt * x1) / det;
    }
    P_(k + 1, k) = T(0);
    d_[k] = a, d_[k + 1] = c, d_off_[k] = b, d_off_[k + 1] = T(0);
    if (!ScalarTraits<T>::is_complex || hermitian_)
      result_.negative += std::real(det) < 0 ? 1 : (std::real(a) < 0 ? 2 : 0);
    ++result_.two_by_two;
    note(std::sqrt(static_cast<double>(magnitude(det))));
    k_ += 2;
    make_diagonal_real();
    return true;
  }

  void note(double size) {
    result_.smallest_pivot = k_ == 0 ? size : std::min(result_.smallest_pivot, size);
    result_.largest_pivot = std::max(result_.largest_pivot, size);
  }

  MatrixView<T> P_;
  bool hermitian_;
  Real<T> u_;
  std::span<std::int32_t> order_;
  std::span<T> d_, d_off_;
  Index k_ = 0;
  LdltPanelResult result_;
};

template <class T>
LdltPanelResult ldlt_panel(MatrixView<T> P, bool hermitian, Real<Scalar<T>> u, std::span<std::int32_t> order,
                           std::span<Scalar<T>> d, std::span<Scalar<T>> d_off) {
  return LdltPanel<T>(P, hermitian, u, order, d, d_off).run();
}

}  // namespace overlapack::kernels::reference
