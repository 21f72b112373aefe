#pragma once
#include <complex>
#include <cstdint>

/// The kernels that are compiled once for each level of the instruction set. This header is shared by all levels, so it
/// holds declarations only: an inline function here could be merged by the linker across levels.
namespace overlapack::kernels::small {

/// Widest triangle of solve_rows and most columns of subtract_columns at once.
constexpr int base_width = 8;

template <class T, class R>
struct Table {
  /// C <- C - A B, or C <- -A B where not `accumulate`; conj(B) if conj_b.  B(l, j) is b[l * b_row + j * b_col].
  void (*gemm)(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, std::int64_t lda, const T* b,
               std::int64_t b_row, std::int64_t b_col, bool conj_b, bool accumulate, T* c, std::int64_t ldc);
  /// X <- X t^{-T} for m rows of n <= 8 columns; t is packed, 8 to a column, with reciprocals on its diagonal.
  void (*solve_rows)(std::int64_t m, int n, const T* t, T* x, std::int64_t ldx);
  /// y <- y - L c for n columns; returns the largest magnitude of y (also for n = 0).
  R (*subtract_columns)(std::int64_t m, std::int64_t n, const T* l, std::int64_t ldl, const T* c, T* y);
  /// c_p <- sum_i L(i, p) x_i  (conj(L)) for n columns.
  void (*dots)(std::int64_t m, std::int64_t n, const T* l, std::int64_t ldl, bool conj, const T* x, T* c);
  /// The largest magnitude of y; 0 for m = 0. NaN is passed over.
  R (*largest)(std::int64_t m, const T* y);
  /// y <- factor y.
  void (*scale)(std::int64_t m, const T* factor, T* y);
};

struct Tables {
  Table<float, float> s;
  Table<double, double> d;
  Table<std::complex<float>, float> c;
  Table<std::complex<double>, double> z;
  /// next(i) <- the mean of the six neighbours of u(i), 0 <= i < n; `row` and `plane` are the distances of those across.
  void (*stencil_row)(std::int64_t n, std::int64_t row, std::int64_t plane, const double* u, double* next);
};

}  // namespace overlapack::kernels::small
