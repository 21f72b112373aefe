#pragma once
#include "base/matrix_view.hpp"
#include "kernels/small/dispatch.hpp"

#include <cmath>

namespace overlapack::kernels {

/// A triangle of order <= 8 copied into the form that the small kernels need: lower, in the order of elimination, with the inverted
/// diagonal.
template <class T>
class PackedTriangle {
 public:
  /// entry(i, p): coefficient of unknown p in equation i, both counted in the order of elimination.
  template <class Entry>
  PackedTriangle(Index n, bool unit, Entry entry) : n_(n) {
    Real<T> sizes = 0;
    for (Index p = 0; p < n; ++p) {
      at(p, p) = unit ? T(1) : T(1) / entry(p, p);
      sizes += std::abs(at(p, p));
      for (Index i = p + 1; i < n; ++i) at(i, p) = entry(i, p);
    }
    is_inverted_ = std::isfinite(sizes);
    for (Index p = 0; p < n && !is_inverted_; ++p) at(p, p) = entry(p, p);
  }

  /// x <- L^{-1} x for `count` right-hand sides; unknown p of right-hand side i is X[i + ld p].
  void solve(Index count, T* X, Index ld) const {
    if (is_inverted_) return small::kernels<T>().solve_rows(count, static_cast<int>(n_), entries_, X, ld);
    for (Index p = 0; p < n_; ++p)
      for (Index i = 0; i < count; ++i) {
        const T x = X[i + ld * p] /= at(p, p);
        for (Index q = p + 1; q < n_; ++q) X[i + ld * q] -= at(q, p) * x;
      }
  }

 private:
  T& at(Index i, Index p) { return entries_[i + small::base_width * p]; }
  const T& at(Index i, Index p) const { return entries_[i + small::base_width * p]; }

  Index n_;
  bool is_inverted_;  ///< false if a diagonal entry is 0, or so small that its inverse would be infinite
  T entries_[small::base_width * small::base_width];
};

}  // namespace overlapack::kernels
