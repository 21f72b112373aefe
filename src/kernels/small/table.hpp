#pragma once
#include <complex>
#include <cstdint>

/// The kernels that are compiled once for each level of the instruction set. This header is shared by all levels, so it
/// holds declarations only: an inline function here could be merged by the linker across levels.
namespace overlapack::kernels::small {

/// Widest triangle of solve_rows and most columns of subtract_columns at once.
constexpr int base_width = 8;

/// Systems of one pattern that are computed with side by side; a number of each of them lies behind that of the one before.
constexpr int systems_together = 8;

/// Positions of a triangular factor without its diagonal: column k has the rows row[start[k] .. start[k + 1]).
struct SystemColumns {
  const std::int32_t *start, *row;
};

/// Entries first .. first + length - 1 of a column go to those from `to` on of another one.
struct Run {
  std::int32_t first, length, to;
};

/// Most columns of add_runs at once.
constexpr int columns_together = 4;

template <class T, class R>
struct Table {
  /// C <- C - A B, or C <- -A B where not `accumulate`; conj(B) if conj_b.  B(l, j) is b[l * b_row + j * b_col].
  using Gemm = void (*)(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, std::int64_t lda,
                        const T* b, std::int64_t b_row, std::int64_t b_col, bool conj_b, bool accumulate,
                        T* c, std::int64_t ldc);
  Gemm gemm;
  /// The same where B comes from memory and is read once: what follows is fetched ahead.
  Gemm gemm_once;
  /// gemm with B in strips of strip_columns columns, the last one maybe narrower: strip by strip, in each row by row, strip_columns
  /// numbers to a row. Null for complex numbers.
  void (*gemm_strips)(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, std::int64_t lda,
                      const T* b, bool accumulate, T* c, std::int64_t ldc);
  /// X <- X t^{-T} for m rows of n <= 8 columns, ldx apart, backwards where it is negative; t is packed, 8 to a column, with
  /// reciprocals on its diagonal.
  void (*solve_rows)(std::int64_t m, int n, const T* t, T* x, std::int64_t ldx);
  /// y <- y - L c for n columns; returns the largest magnitude of y (also for n = 0).
  R (*subtract_columns)(std::int64_t m, std::int64_t n, const T* l, std::int64_t ldl, const T* c, T* y);
  /// c_p <- sum_i L(i, p) x_i  (conj(L)) for n columns.
  void (*dots)(std::int64_t m, std::int64_t n, const T* l, std::int64_t ldl, bool conj, const T* x, T* c);
  /// The largest magnitude of y; 0 for m = 0. NaN is passed over.
  R (*largest)(std::int64_t m, const T* y);
  /// y <- factor y.
  void (*scale)(std::int64_t m, const T* factor, T* y);
  /// Adds the same runs of some columns to columns of another matrix: from[c] to to[c].
  void (*add_runs)(std::int64_t count, const Run* runs, int columns, const T* const* from, T* const* to);
  /// B <- A^T, or A^H where conj, for m rows and n columns of A.
  void (*adjoint)(std::int64_t m, std::int64_t n, const T* a, std::int64_t lda, bool conj, T* b,
                  std::int64_t ldb);

  // Of systems_together systems, each number that of all of them:
  /// For each pivot k in turn: upper <- x(k), x(k) <- 0, x(rows of L's column k) -= that column times upper.
  void (*systems_eliminate)(std::int64_t count, const std::int32_t* pivot, SystemColumns L, const T* lower,
                            T* upper, T* x);
  /// y <- L^{-1} y
  void (*systems_forward)(std::int64_t n, SystemColumns L, const T* lower, T* y);
  /// y <- U^{-1} y; inverse: of U's diagonal
  void (*systems_backward)(std::int64_t n, SystemColumns U, const T* upper, const T* inverse, T* y);
};

/// Right-hand sides of one group of residuals, side by side as lanes.
constexpr int residual_lanes = 8;

/// Columns begin .. end - 1 of a sparse matrix, restricted to rows first_row .. end_row - 1; rows ascend in a column; value: one
/// real number an entry, 2 if complex.
template <class R>
struct SparseColumns {
  std::int64_t begin, end;
  std::int64_t first_row, end_row;
  const std::int64_t* start;
  const std::int64_t* row;
  const R* value;
};

/// r <- r - A x, rounded once, and weight <- |A| |x| + |r| for some right-hand sides at once and rows first_row .. end_row - 1, with
/// which r and weight begin. x, r: for each row its real parts in turn, each with one number per right-hand side; weight, size = |x|
/// (complex only): one number per row and right-hand side. by_rows: column j is used as row j, with all its entries; begin =
/// first_row. conj: entries are conjugated. sum, low: room for as many numbers as r, where not by_rows.
/// Returns whether all numbers were in the range where rounding errors of products are exact; if not, r and weight are invalid.
template <class R>
using ResidualKernel = bool (*)(const SparseColumns<R>& A, bool by_rows, bool conj, const R* x, const R* size,
                                R* r, R* weight, double* sum, double* low);
/// For one right-hand side, and for residual_lanes of them.
template <class R>
struct ResidualKernels {
  ResidualKernel<R> one, many;
  /// m numbers of each of residual_lanes vectors, interleaved: lanes(c, i) <- vectors[c][i],
  void (*interleave)(std::int64_t m, const R* const* vectors, R* lanes);
  /// and back.
  void (*separate)(std::int64_t m, const R* lanes, R* const* vectors);
};

/// The same of a dense m x n matrix and one right-hand side: `columns` for A (m sums), `dots` for A^T (n sums).
template <class R>
struct DenseResidualKernels {
  using Kernel = void (*)(std::int64_t m, std::int64_t n, const R* a, std::int64_t lda, const R* x,
                          double* sum, double* low, R* weight);
  Kernel columns, dots;
};

/// Null where the level has no fused multiply-add.
struct Residuals {
  ResidualKernels<float> s, c;
  ResidualKernels<double> d, z;
  DenseResidualKernels<float> dense_s;
  DenseResidualKernels<double> dense_d;
};

struct Tables {
  Table<float, float> s;
  Table<double, double> d;
  Table<std::complex<float>, float> c;
  Table<std::complex<double>, double> z;
  /// next(i) <- the mean of the six neighbours of u(i), 0 <= i < n; `row` and `plane`: strides to the others.
  void (*stencil_row)(std::int64_t n, std::int64_t row, std::int64_t plane, const double* u, double* next);
  const Residuals* residuals;
  int register_bytes;  ///< of a vector
  int strip_columns;   ///< of gemm_strips
};

}  // namespace overlapack::kernels::small
