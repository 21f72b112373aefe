#pragma once
#include "kernels/product/operand.hpp"

#include <algorithm>

namespace overlapack::kernels {

/// A 2x2 pivot of a symmetric or Hermitian matrix:  E = [a b~; b c],  where b~ is b, or its conjugate if the matrix is Hermitian.
template <class T>
class PairPivot {
 public:
  PairPivot(T a, T b, T c, bool hermitian)
      : a_(a),
        b_(b),
        b_mirrored_(hermitian ? conjugate(b) : b),
        c_(c),
        scale_(std::max({magnitude(a), magnitude(b), magnitude(c)})),
        det_((a / scale_) * c - (b / scale_) * b_mirrored_) {}

  /// |det(E)| / (largest entry of E), which is the size of E's smaller eigenvalue up to a factor of two.
  Real<T> size() const { return magnitude(det_); }

  /// Whether |E^{-1}| (max_1, max_2)^T <= 1/u, size() >= least, and det(E) is not lost in cancellation.
  /// max_1, max_2: the largest entries of the pivot's two columns outside of E
  /// Source  Duff & Reid, ACM TOMS 9 (1983)
  bool passes_threshold_test(Real<T> max_1, Real<T> max_2, Real<T> u, Real<T> least) const {
    if (!(scale_ >= least)) return false;
    const T product = (a_ / scale_) * c_, square = (b_ / scale_) * b_mirrored_;
    if (!(size() >= std::max({least, magnitude(product) / 2, magnitude(square) / 2}))) return false;
    const Real<T> a = magnitude(a_) / scale_, b = magnitude(b_) / scale_, c = magnitude(c_) / scale_;
    return u * (c * max_1 + b * max_2) <= size() && u * (b * max_1 + a * max_2) <= size();
  }

  /// [x1 x2] <- [x1 x2] E^{-1},  E^{-1} = [c -b~; -b a] / det(E), row by row.
  void divide(T* x1, T* x2, Index rows) const {
    const T a_det = a_ / scale_ / det_, b_det = b_ / scale_ / det_, bt_det = b_mirrored_ / scale_ / det_,
            c_det = c_ / scale_ / det_;
    for (Index i = 0; i < rows; ++i) {
      const T l1 = c_det * x1[i] - b_det * x2[i];
      x2[i] = a_det * x2[i] - bt_det * x1[i];
      x1[i] = l1;
    }
  }

  /// [x1; x2] <- E^{-1} [x1; x2]
  void solve(T& x1, T& x2) const {
    const T y1 = x1 / scale_ / det_, y2 = x2 / scale_ / det_;
    x1 = c_ * y1 - b_mirrored_ * y2;
    x2 = a_ * y2 - b_ * y1;
  }

  /// Number of negative eigenvalues of a real or Hermitian E.
  Index negative() const { return std::real(det_) < 0 ? 1 : std::real(a_) < 0 ? 2 : 0; }

 private:
  T a_, b_, b_mirrored_, c_;
  Real<T> scale_;  ///< largest entry
  T det_;          ///< det(E) / scale
};

}  // namespace overlapack::kernels
