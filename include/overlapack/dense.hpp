#pragma once
/// Dense matrices on a grid of ranks: LU with partial pivoting, Cholesky, QR and least squares, products, triangles.
///
///   std::vector<double> A = ...;                     // by columns, n x n
///   auto [x, report] = overlapack::dense::solve<double>({A.data(), n, n, n}, b);
///
/// Factor once, solve often:
///
///   auto factors = overlapack::dense::lu_factor<double>({A.data(), n, n, n}, {.ranks = 4});
///   auto x = factors.solve(b).x;
///   auto [mantissa, exponent] = factors.determinant();
///
/// More equations than unknowns:
///
///   auto [x, report] = overlapack::dense::lstsq<double>({A.data(), m, n, m}, b);
#include "overlapack/handle.hpp"
#include "overlapack/overlapack.hpp"

namespace overlapack::api {
template <class T>
class SessionMatrix;
}

namespace overlapack::dense {

/// A view of a matrix in the caller's memory. Entry (i, j) is data[i row_stride + j ld]. With the default row_stride the matrix is stored
/// by columns with leading dimension ld. For storage by rows, row_stride is the distance between two rows, and ld = 1. Parts of
/// distributed matrices are always by columns.
template <class T>
struct View {
  const T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index ld = 0;
  Index row_stride = 1;

  const T& operator()(Index i, Index j) const { return data[i * row_stride + j * ld]; }
};

using overlapack::Determinant;
using overlapack::Transpose;

/// A block-cyclic distribution of a rows x cols matrix over a grid of ranks, as in ScaLAPACK's descriptors. Block (i, j), of
/// block x block entries, is on process row (i + first_row) mod grid_rows and process column (j + first_col) mod grid_cols.
struct Layout {
  Index rows = 0, cols = 0;
  Index block = 1;
  int grid_rows = 1, grid_cols = 1;
  /// true: ranks fill the grid row by row (BLACS's order "Row"); false: column by column
  bool is_row_major = true;
  int first_row = 0, first_col = 0;
};
/// The numbers of rows and columns of a rank's part; 0 for a rank outside the grid. A part holds its rows and columns in ascending order.
/// Errors  BadPlan if the layout has no processes or blocks
OVERLAPACK_API Index local_rows(const Layout& layout, int rank);
OVERLAPACK_API Index local_cols(const Layout& layout, int rank);

/// The factors of a dense matrix, spread over the ranks that made them, and the matrix itself. Movable. Concurrent calls on one
/// object are serialised, different objects are independent. Under MPI all ranks of the communicator call each function.
template <class T>
class OVERLAPACK_API DenseFactors : public Factors<T> {
 public:
  /// Solve op(A) X = B with iterative refinement; QR: the X for which ||B - A X||_2 is least, column by column.
  /// Shapes  A: m x n, square but for QR. b: m x nrhs by columns; on rank 0, ignored on the others; X: n x nrhs, on every rank
  /// Cost    LU and Cholesky: 2 n^2 nrhs flops (8 complex) a solve; a refinement step of LU 4 n^2 nrhs, of Cholesky 6 n^2 nrhs.
  ///         QR: 4 m n nrhs flops (16 complex), twice that for the figures of the report
  /// Errors  BadInput if b has a wrong size or holds NaN or infinity; Cancelled; CommFailure; BadPlan from QR for another op than none.
  ///         A solution above RefinementOptions::accuracy is returned with status inaccurate.
  Solution<T> solve(std::span<const T> b, Index nrhs = 1, Transpose op = Transpose::none) override;

  /// Solve op(A) X = B, as solve does, for a distributed B. x of the result is this rank's part of X. X has n rows and otherwise the
  /// layout of B.
  /// Shapes  layout: of B, m x nrhs, any layout over the same ranks; mine: this rank's part of B
  Solution<T> solve_distributed(const Layout& layout, View<T> mine, Transpose op = Transpose::none);

  /// The determinant of A: with LU the product of the pivots, with Cholesky the square of the product of L's diagonal. It does not
  /// overflow.
  /// Errors  BadPlan for QR
  Determinant<T> determinant() override;
  /// The reciprocal condition number 1 / (||A||_1 ||A^{-1}||_1). The norm of the inverse is estimated (Higham and Hager). The result is
  /// mostly within a factor 3 of the truth, and never below it.
  /// Errors  BadPlan for QR
  double reciprocal_condition() override;

  void agree(const std::function<void()>& check) override;
  const Report& report() const override;
  const trace::Timeline& timeline() const override;
  void between_calls(const std::function<void()>& read) const override;

 protected:
  explicit DenseFactors(Handle<api::SessionMatrix<T>> matrix) : matrix_(std::move(matrix)) {}

  Handle<api::SessionMatrix<T>> matrix_;
};

/// The factors of P A = L U, made by lu_factor.
template <class T>
class OVERLAPACK_API LuFactorization final : public DenseFactors<T> {
 public:
  struct Implementation;
  explicit LuFactorization(Handle<api::SessionMatrix<T>> matrix) : DenseFactors<T>(std::move(matrix)) {}
};

/// Factorise P A = L U with partial pivoting. If factors in single precision (Options::precision mixed) do not lead to
/// RefinementOptions::accuracy, a solve factorises A again in its own precision.
/// Shapes  A: square; under MPI on rank 0, ignored on the others. The caller may free it afterwards
/// Units   memory: two copies of A over all ranks (half a copy more with factors in single precision)
/// Errors  BadInput, BadPlan, OutOfMemory, Cancelled, CommFailure
///         Singular: a row or column is zero, or A is proved to be singular in its precision and the options refuse that
template <class T>
OVERLAPACK_API LuFactorization<T> lu_factor(View<T> A, const Options& options = {});

/// Factorise P A = L U, as lu_factor does, for an A that is distributed over the ranks of an MPI communicator
/// (RunOptions::mpi_communicator), or is on one rank. The factors have the layout of A. DenseOptions::grid and block are ignored.
/// Shapes  layout: of A, square, the same on all ranks; mine: this rank's part, local_rows x local_cols
/// Errors  as lu_factor; BadPlan on several ranks of the thread engine
template <class T>
OVERLAPACK_API LuFactorization<T> lu_factor_distributed(const Layout& layout, View<T> mine,
                                                        const Options& options = {});

/// Solve A x = b: lu_factor and solve in one.
/// Units   memory: one copy of A over all ranks, if these are threads and A is stored by columns or by rows, since A is read in place
template <class T>
OVERLAPACK_API Solution<T> solve(View<T> A, std::span<const T> b, const Options& options = {});
template <class T>
Solution<T> solve(View<T> A, const std::vector<T>& b, const Options& options = {}) {
  return solve(A, std::span<const T>(b), options);
}

/// The factors of A = L L^H for a symmetric or Hermitian positive definite A, made by cholesky_factor.
template <class T>
class OVERLAPACK_API CholeskyFactorization final : public DenseFactors<T> {
 public:
  struct Implementation;
  explicit CholeskyFactorization(Handle<api::SessionMatrix<T>> matrix) : DenseFactors<T>(std::move(matrix)) {}
};

/// Which part of a symmetric or Hermitian matrix the caller stores.
enum class Stored : std::uint8_t {
  lower,  ///< the lower triangle alone is read, and only the real part of its diagonal
  whole,  ///< both triangles are read, and have to agree up to rounding: n epsilon sqrt(|a_ii a_jj|)
};

/// Factorise A = L L^H, with half the operations of LU.
/// Shapes  A: square; under MPI on rank 0, ignored on the others. The caller may free it afterwards
/// Units   memory: two copies of A over all ranks
/// Cost    n^3 / 3 flops (four times as many if complex)
/// Errors  BadInput: A is not positive definite (the sentence has the order of the first leading minor that is not positive), or its
///         two triangles differ (the sentence has a position)
///         BadPlan: also for a schedule other than lookahead with depth 1, and for mixed precision
///         OutOfMemory, Cancelled, CommFailure
/// Source  right-looking block Cholesky: ScaLAPACK's pdpotrf
template <class T>
OVERLAPACK_API CholeskyFactorization<T> cholesky_factor(View<T> A, const Options& options = {},
                                                        Stored stored = Stored::lower);

/// cholesky_factor for a distributed A. Its arguments and errors are those of lu_factor_distributed.
template <class T>
OVERLAPACK_API CholeskyFactorization<T> cholesky_factor_distributed(const Layout& layout, View<T> mine,
                                                                    const Options& options = {});

/// The factors of A = Q R, for an m x n matrix with m >= n, made by qr_factor. Q, m x m and unitary, is kept as Householder reflections.
template <class T>
class OVERLAPACK_API QrFactorization final : public DenseFactors<T> {
 public:
  /// The product op(Q) C.
  /// Shapes  C: m x columns by columns; on rank 0, ignored on the others; the product: on every rank
  /// Errors  BadInput if C has a wrong size or holds NaN or infinity; BadPlan for op trans of complex numbers
  std::vector<T> multiply_q(std::span<const T> C, Index columns, Transpose op = Transpose::none);
  /// R, n x n by columns with zeros below the diagonal, on every rank. Diagonal entries may be negative.
  std::vector<T> r();
  /// The rank of this process in layouts. With it local_rows gives the rows of this process's part of X of solve_distributed, in a layout
  /// with n rows.
  int process() const;

  struct Implementation;
  explicit QrFactorization(Handle<api::SessionMatrix<T>> matrix) : DenseFactors<T>(std::move(matrix)) {}

 private:
  Implementation& own() const;
};

/// Factorise A = Q R by Householder reflections, without column pivoting.
/// Shapes  A: m x n, m >= n >= 1; under MPI on rank 0, ignored on the others. The caller may free it afterwards
/// Units   memory: two copies of A over all ranks
/// Cost    2 n^2 (m - n / 3) flops (four times as many if complex)
/// Errors  BadInput: fewer rows than columns
///         Singular: the columns are linearly dependent in A's precision
///         BadPlan: also for a schedule other than flat and lookahead, and for mixed precision
///         OutOfMemory, Cancelled, CommFailure
/// Source  LAPACK's xGEQRF, ScaLAPACK's pxGEQRF
template <class T>
OVERLAPACK_API QrFactorization<T> qr_factor(View<T> A, const Options& options = {});

/// qr_factor for a distributed A. Its arguments and errors are those of lu_factor_distributed.
template <class T>
OVERLAPACK_API QrFactorization<T> qr_factor_distributed(const Layout& layout, View<T> mine,
                                                        const Options& options = {});

/// Find the x for which ||b - A x||_2 is least: qr_factor and solve in one.
template <class T>
OVERLAPACK_API Solution<T> lstsq(View<T> A, std::span<const T> b, const Options& options = {});
template <class T>
Solution<T> lstsq(View<T> A, const std::vector<T>& b, const Options& options = {}) {
  return lstsq(A, std::span<const T>(b), options);
}

/// A rank's part of a distributed matrix, by columns.
template <class T>
struct Part {
  Layout layout;  ///< the layout of the whole matrix
  std::vector<T> values;
};

/// Multiply distributed matrices: returns this rank's part of C = A B. The rows of C are distributed as those of A, its columns as
/// those of B.
/// Shapes  A: m x k, B: k x n, in blocks of the same size on the same grid. Each may begin at any process of the grid
/// Cost    2 m n k flops (8 complex) over all ranks. The panels of A travel along process rows, those of B along process columns
/// Errors  BadInput: the shapes do not fit
///         BadPlan: blocks or grids differ, or the thread engine has several ranks
///         CommFailure
/// Source  SUMMA: van de Geijn, Watts, Concurrency: Practice and Experience 9 (1997)
template <class T>
OVERLAPACK_API Part<T> multiply_distributed(const Layout& of_A, View<T> A, const Layout& of_B, View<T> B,
                                            const Options& options = {});

/// Which triangle of a matrix is used, and whether its diagonal is. unit: the diagonal is not read and is taken as ones.
enum class Uplo : std::uint8_t { lower, upper };
enum class Diagonal : std::uint8_t { general, unit };
struct TriangleForm {
  Uplo uplo = Uplo::lower;
  Diagonal diagonal = Diagonal::general;
};

/// Solve with a distributed triangular matrix A: returns this rank's part of X = op(A)^{-1} B. X is distributed as B.
/// Shapes  A: n x n, of which one triangle is read
///         B: n x nrhs on the same grid, in blocks of the same size, with its first row on the process row of A's. Its first column may
///         be on any process column
/// Cost    n^2 nrhs flops over all ranks (four times as many if complex). The triangle does not move
/// Errors  BadInput: the shapes do not fit
///         Singular: a zero on the diagonal
///         BadPlan: blocks or grids differ, or the thread engine has several ranks
///         CommFailure
template <class T>
OVERLAPACK_API Part<T> solve_triangle_distributed(const TriangleForm& form, const Layout& of_A, View<T> A,
                                                  const Layout& of_B, View<T> B,
                                                  Transpose op = Transpose::none,
                                                  const Options& options = {});

}  // namespace overlapack::dense
