#pragma once
#include "base/slices.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <span>

/// Residuals with a sparse matrix stored by columns, for refinement and backward errors.
namespace overlapack::kernels {

/// One right-hand side b, its solution x, and its residual with weights.  Shapes  b, r, weight: A.rows; x: A.cols
template <class T>
struct ResidualColumn {
  std::span<const T> b, x;
  std::span<T> r;
  std::span<Real<T>> weight;
};

/// How residuals in double are summed. longest: always in two doubles if the processor can; fastest: in long double where that is
/// faster.
enum class ResidualSum { fastest, longest };

/// r <- b - A x, summed in a longer format than the working precision, so that refinement is not stopped by the rounding of long
/// rows, and in the same pass weight <- |A| |x| + |b|: the denominator of the componentwise backward error (Arioli, Demmel,
/// Duff 1989).
/// Three and more right-hand sides are treated eight at a time, so that A is read once for them. A matrix marked symmetric or
/// Hermitian must be so, square and with both triangles.
///   single precision  is summed in double
///   double            is summed in two numbers (Ogita, Rump, Oishi 2005), but in long double in three cases: for one or two
/// remaining
///                     right-hand sides of a matrix marked symmetric or Hermitian (unless ResidualSum::longest), if numbers are too
///                     small or too large for two numbers, and on processors without fused multiply-add
/// Rows of A are distributed over slices of at least 16384 products.
/// Units  work space: for one right-hand side 16 bytes a row (complex 32); for eight at a time 8 times 32 bytes a row (complex
/// 56) and
///        8 times 8 bytes a column (complex 24); nothing for the rows of a matrix marked symmetric or Hermitian
template <class T>
void residuals(const SparseMatrix<T>& A, std::span<const ResidualColumn<T>> columns,
               const SliceRunner& slices = {}, ResidualSum sum = ResidualSum::fastest);

/// Rounding error of a ResidualSum::longest residual relative to |A| |x| + |b|, for numbers in range.
template <class T>
double rounding_of_longest_residual();

/// residuals() of one right-hand side.
template <class T>
void residual(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
              std::span<const std::type_identity_t<T>> b, std::span<std::type_identity_t<T>> r,
              std::span<Real<T>> weight);

}  // namespace overlapack::kernels
