#pragma once
#include <complex>
#include <cstdint>

/// The kernels that are compiled once for each level of the instruction set. This header is shared by all levels, so it
/// holds declarations only: an inline function here could be merged by the linker across levels.
namespace overlapack::kernels::small {

/// Widest triangle of solve_rows and most columns of subtract_columns at once.
constexpr int base_width = 8;

/// Number of linear systems with the same pattern that the systems_* kernels treat together. Each number is stored
/// systems_together times in a row, once for each system.
constexpr int systems_together = 8;

/// Pattern of a triangular factor without its diagonal: column k has the rows row[start[k]] .. row[start[k + 1] - 1].
struct SystemColumns {
  const std::int32_t *start, *row;
};

/// A run of extend-add: the entries first .. first + length - 1 of a column are added to those from `to` on of another column.
struct Run {
  std::int32_t first, length, to;
};

/// Most columns of add_runs at once.
constexpr int columns_together = 4;

template <class T, class R>
struct Table {
  /// C <- C - A B, or C <- -A B without `accumulate`; with conj(B) if conj_b.  B(l, j) is b[l * b_row + j * b_col].
  using Gemm = void (*)(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, std::int64_t lda,
                        const T* b, std::int64_t b_row, std::int64_t b_col, bool conj_b, bool accumulate,
                        T* c, std::int64_t ldc);
  Gemm gemm;
  /// gemm for a B that comes from memory and is read once: the kernel prefetches it.
  Gemm gemm_once;
  /// gemm with B copied into strips of strip_columns columns, of which the last may be narrower. Strips follow each other; each
  /// is stored row by row, with strip_columns numbers to a row. Null for complex numbers.
  void (*gemm_strips)(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, std::int64_t lda,
                      const T* b, bool accumulate, T* c, std::int64_t ldc);
  /// X <- X t^{-T} for m rows of n <= 8 columns. The columns are ldx apart, which is negative for an upper triangle. t is packed
  /// with 8 numbers to a column and has reciprocals on its diagonal (PackedTriangle).
  void (*solve_rows)(std::int64_t m, int n, const T* t, T* x, std::int64_t ldx);
  /// y <- y - L c for n columns; returns the largest magnitude of y (also for n = 0).
  R (*subtract_columns)(std::int64_t m, std::int64_t n, const T* l, std::int64_t ldl, const T* c, T* y);
  /// c_p <- sum_i L(i, p) x_i, with conj(L) if conj, for n columns.
  void (*dots)(std::int64_t m, std::int64_t n, const T* l, std::int64_t ldl, bool conj, const T* x, T* c);
  /// The largest magnitude of y; 0 for m = 0. NaN is skipped.
  R (*largest)(std::int64_t m, const T* y);
  /// y <- factor y.
  void (*scale)(std::int64_t m, const T* factor, T* y);
  /// Adds the same runs of some columns to columns of another matrix: from[c] to to[c].
  void (*add_runs)(std::int64_t count, const Run* runs, int columns, const T* const* from, T* const* to);
  /// B <- A^T, or A^H if conj, for an m x n matrix A.
  void (*adjoint)(std::int64_t m, std::int64_t n, const T* a, std::int64_t lda, bool conj, T* b,
                  std::int64_t ldb);

  // For systems_together systems at once; each "number" below is one number for each system:
  /// One column x of an LU factorisation: for each pivot k in turn, upper <- x(k), x(k) <- 0, x(rows of L's column k) -= that
  /// column times upper.
  void (*systems_eliminate)(std::int64_t count, const std::int32_t* pivot, SystemColumns L, const T* lower,
                            T* upper, T* x);
  /// y <- L^{-1} y
  void (*systems_forward)(std::int64_t n, SystemColumns L, const T* lower, T* y);
  /// y <- U^{-1} y; inverse: the reciprocals of U's diagonal
  void (*systems_backward)(std::int64_t n, SystemColumns U, const T* upper, const T* inverse, T* y);
};

/// Number of right-hand sides that a residual kernel treats together, interleaved as lanes.
constexpr int residual_lanes = 8;

/// Columns begin .. end - 1 of a sparse matrix, restricted to the rows first_row .. end_row - 1. Rows ascend in a column. value
/// has one real number for each entry, two if the matrix is complex.
template <class R>
struct SparseColumns {
  std::int64_t begin, end;
  std::int64_t first_row, end_row;
  const std::int64_t* start;
  const std::int64_t* row;
  const R* value;
};

/// r <- r - A x, rounded once, and weight <- |A| |x| + |r|, for several right-hand sides at once and the rows first_row ..
/// end_row - 1. r, weight: begin with row first_row. x, r: for each row its real part, then, if complex, its imaginary part, each
/// with one number for each right-hand side. weight, size = |x| (complex only): one number for each row and right-hand side.
/// by_rows: column j is used as row j, with all its entries; begin = first_row. conj: entries of A are conjugated. sum, low: work
/// space of the length of r, unless by_rows. Returns whether all numbers were in the range where the rounding errors of products
/// are exact; if not, r and weight are invalid.
template <class R>
using ResidualKernel = bool (*)(const SparseColumns<R>& A, bool by_rows, bool conj, const R* x, const R* size,
                                R* r, R* weight, double* sum, double* low);
/// Residual kernels of sparse matrices.
template <class R>
struct ResidualKernels {
  ResidualKernel<R> one, many;  ///< for one right-hand side, and for residual_lanes of them
  /// Interleaves m numbers of each of residual_lanes vectors: lanes(c, i) <- vectors[c][i].
  void (*interleave)(std::int64_t m, const R* const* vectors, R* lanes);
  /// The inverse: vectors[c][i] <- lanes(c, i).
  void (*separate)(std::int64_t m, const R* lanes, R* const* vectors);
};

/// Residual kernels of a dense m x n matrix and one right-hand side: `columns` subtracts A x from m sums, `dots` A^T x from n
/// sums. A sum is kept in two numbers, sum + low; weight += |A| |x|.
template <class R>
struct DenseResidualKernels {
  using Kernel = void (*)(std::int64_t m, std::int64_t n, const R* a, std::int64_t lda, const R* x,
                          double* sum, double* low, R* weight);
  Kernel columns, dots;
};

/// All residual kernels of a level; null if the level has no fused multiply-add.
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
  /// next(i) <- the mean of the six neighbours of u(i), 0 <= i < n. row, plane: distances to the neighbours in the other two
  /// directions.
  void (*stencil_row)(std::int64_t n, std::int64_t row, std::int64_t plane, const double* u, double* next);
  const Residuals* residuals;
  int register_bytes;  ///< bytes of a vector register
  int strip_columns;   ///< columns of a strip of gemm_strips
};

}  // namespace overlapack::kernels::small
