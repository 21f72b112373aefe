#include "kernels/product/gemm.hpp"

#include "base/instantiate.hpp"
#include "base/touched.hpp"
#include "kernels/product/blas.hpp"
#include "kernels/product/blas_call.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/small/dispatch.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace overlapack::kernels {
namespace {

char blas_letter(Op op) { return op == Op::none ? 'N' : op == Op::trans ? 'T' : 'C'; }

blas::Int blas_int(Index n) { return static_cast<blas::Int>(n); }

/// Leading dimensions must be at least 1 for BLAS, also for views of one column.
template <class T>
blas::Int leading_dimension(MatrixView<T> A) {
  return blas_int(std::max<Index>(A.ld, 1));
}

/// Whether the small kernels, which do not pack, are faster for these sizes than a BLAS that packs.
template <class T>
bool is_small_product(Index m, Index n, Index k) {
  const sizes::Products& s = sizes::products<T>();
  if (k > s.most_k) return n == 1;
  return n <= s.few_cols || m <= s.few_rows || k <= s.few_k || n * k <= s.most_of_B ||
         (n <= s.narrow_cols && m * k <= s.most_of_A) || (n <= s.wider_cols && m * k <= s.most_of_less_A);
}

/// Whether the product has few rows and long inner products, as QR's V^H C. Then each entry of B is used little, and a BLAS loses
/// time by copying B.
template <class T>
bool is_flat_product(Index m, Index n, Index k) {
  const sizes::Products& s = sizes::products<T>();
  return m <= s.most_flat_rows && n > 2 && k > s.most_k;
}

/// C <- C - A op(B), or C <- -A op(B), by the small kernels. For a single column of C, the kernel runs down eight columns of A at
/// a time.
template <class T>
void subtract_small_product(Op op_b, Index k, ConstView<T> A, ConstView<T> B, bool accumulate,
                            MatrixView<T> C) {
  const auto& fast = small::kernels<T>();
  if (C.cols == 1 && op_b == Op::none) {
    if (!accumulate) std::fill_n(C.data, C.rows, T(0));
    fast.subtract_columns(C.rows, k, A.data, A.ld, B.data, C.data);
    return;
  }
  const Index b_row = op_b == Op::none ? 1 : B.ld, b_col = op_b == Op::none ? B.ld : 1;
  fast.gemm(C.rows, C.cols, k, A.data, A.ld, B.data, b_row, b_col, op_b == Op::conj_trans, accumulate, C.data,
            C.ld);
}

/// C <- C - A B, or C <- -A B, by pieces of the inner dimension, such that a piece of A and some columns of the piece of B stay
/// in the second-level cache.
template <class T>
void subtract_flat_product(ConstView<T> A, ConstView<T> B, bool accumulate, MatrixView<T> C) {
  constexpr Index depth = sizes::flat_depth, columns = sizes::flat_columns;
  for (Index l = 0; l < A.cols; l += depth) {
    const Index inner = std::min(depth, A.cols - l);
    for (Index j = 0; j < C.cols; j += columns) {
      const Index n = std::min(columns, C.cols - j);
      subtract_small_product<T>(Op::none, inner, A.block(0, l, A.rows, inner), B.block(l, j, inner, n),
                                accumulate || l > 0, C.block(0, j, C.rows, n));
    }
  }
}

/// Whether an update A B^T, of the size of a front's tiles, is faster by gemm_strips, which copies B alone into strips and reads
/// A and C where they are. A BLAS copies both A and B, and writes zeros first.
template <class T>
bool is_faster_in_strips(Index m, Index n, Index k) {
  const auto& s = sizes::products<T>().strips;
  return m >= s.least_rows && n >= s.least_cols && n <= s.most_cols && k >= s.least_k && k <= s.most_k;
}

/// Whether the product is an update C <- C - A op(B), or C <- -A op(B).
template <class T>
bool is_update(Scalar<T> alpha, Scalar<T> beta) {
  return alpha == T(-1) && (beta == T(0) || beta == T(1));
}

/// B^T copied into strips for gemm_strips; valid until this thread's next call.
template <class T>
const T* copied_in_strips(ConstView<T> B) {
  thread_local std::vector<T> numbers;
  const Index width = small::tables->strip_columns, k = B.cols, strips = (B.rows + width - 1) / width;
  const auto size = static_cast<std::size_t>(strips * width * k);
  if (numbers.size() < size) numbers.resize(size);
  // the usual width as a constant, so that the compiler unrolls the copy
  constexpr Index usual = sizes::update_columns;
  T* to = numbers.data();
  for (Index first = 0; first < B.rows; first += width) {
    const Index count = std::min(width, B.rows - first);
    for (Index l = 0; l < k; ++l, to += width)
      std::copy_n(B.column(l) + first, count == usual ? usual : count, to);
  }
  return numbers.data();
}

/// The lower trapezoid of an update of n columns, by blocks of rows. subtract(top, rows, cols) updates the rows top .. top + rows
/// - 1 in the first `cols` columns.
template <class T, class Subtract>
void subtract_lower_by_rows(ConstView<T> A, Index n, Subtract subtract) {
  constexpr Index height = sizes::update_rows, line = sizes::cache_line;
  const Index m = A.rows;
  // the first block ends at the end of a cache line of A, so that the others read whole lines
  const auto behind_line = static_cast<Index>(reinterpret_cast<std::uintptr_t>(A.data) % line);
  Index top = std::min(n, (line - behind_line) % line / static_cast<Index>(sizeof(T)));
  if (top > 0) subtract(0, top, top);
  for (; top < n; top += height) subtract(top, std::min(height, m - top), std::min(n, top + height));
  if (top < m) subtract(top, m - top, n);
}

/// C <- beta C + alpha A^T B for few columns, by inner products.
template <class T>
void gemm_by_dots(bool conj, T alpha, ConstView<T> A, ConstView<T> B, T beta, MatrixView<T> C) {
  constexpr Index strip = sizes::dots_at_once;
  T sums[strip];
  for (Index j = 0; j < C.cols; ++j)
    for (Index i = 0; i < C.rows; i += strip) {
      const Index count = std::min(strip, C.rows - i);
      small::kernels<T>().dots(A.rows, count, A.column(i), A.ld, conj, B.column(j), sums);
      for (Index p = 0; p < count; ++p)
        C(i + p, j) = beta == T(0) ? alpha * sums[p] : beta * C(i + p, j) + alpha * sums[p];
    }
}

}  // namespace

template <class T>
void gemm_by_blas(Op op_a, Op op_b, Scalar<T> alpha, ConstView<T> A, ConstView<T> B, Scalar<T> beta,
                  MatrixView<T> C) {
  const Index inner = op_a == Op::none ? A.cols : A.rows;
  announce_read(A);
  announce_read(B);
  announce_write(C);
  const BlasCall inside;
  blas::gemm(blas_letter(op_a), blas_letter(op_b), blas_int(C.rows), blas_int(C.cols), blas_int(inner), alpha,
             A.data, leading_dimension(A), B.data, leading_dimension(B), beta, C.data, leading_dimension(C));
}

template <class T>
void gemm(Op op_a, Op op_b, Scalar<T> alpha, ConstView<T> A, ConstView<T> B, Scalar<T> beta,
          MatrixView<T> C) {
  if (C.empty()) return;
  const Index inner = op_a == Op::none ? A.cols : A.rows;
  if (op_a != Op::none && op_b == Op::none && C.cols <= 2)
    return gemm_by_dots<T>(op_a == Op::conj_trans, alpha, A, B, beta, C);
  if (op_a == Op::none && op_b != Op::none && is_update<T>(alpha, beta) &&
      is_faster_in_strips<T>(C.rows, C.cols, inner))
    return small::kernels<T>().gemm_strips(C.rows, C.cols, inner, A.data, A.ld, copied_in_strips<T>(B),
                                           beta == T(1), C.data, C.ld);
  if (op_a == Op::none && is_update<T>(alpha, beta) && is_small_product<T>(C.rows, C.cols, inner))
    return subtract_small_product<T>(op_b, inner, A, B, beta == T(1), C);
  if (op_a == Op::none && op_b == Op::none && is_update<T>(alpha, beta) &&
      is_flat_product<T>(C.rows, C.cols, inner))
    return subtract_flat_product<T>(A, B, beta == T(1), C);
  gemm_by_blas<T>(op_a, op_b, alpha, A, B, beta, C);
}

template <class T>
void gemm_lower(Op op_b, Scalar<T> alpha, ConstView<T> A, ConstView<T> B, Scalar<T> beta, MatrixView<T> C) {
  constexpr Index least = sizes::lower_square;
  const Index m = C.rows, n = C.cols, k = A.cols;
  if (n <= least) return gemm(Op::none, op_b, alpha, A, B, beta, C);
  if (op_b != Op::none && is_update<T>(alpha, beta) && is_faster_in_strips<T>(m, n, k)) {
    const T* const strips = copied_in_strips<T>(B);
    return subtract_lower_by_rows<T>(A, n, [&](Index top, Index rows, Index cols) {
      small::kernels<T>().gemm_strips(rows, cols, k, A.data + top, A.ld, strips, beta == T(1), C.data + top,
                                      C.ld);
    });
  }
  if (is_update<T>(alpha, beta) && sizes::products<T>().most_of_B > 0 && is_small_product<T>(m, n, k))
    return subtract_lower_by_rows<T>(A, n, [&](Index top, Index rows, Index cols) {
      subtract_small_product<T>(op_b, k, A.block(top, 0, rows, k), B, beta == T(1),
                                C.block(top, 0, rows, cols));
    });
  auto columns = [&](Index first, Index count) {  // of op(B)
    return op_b == Op::none ? B.block(0, first, k, count) : B.block(first, 0, count, k);
  };
  // [C11; C21 C22; C3]: the triangle of the first n rows by halves, then all columns of the rows below
  const Index h = sizes::first_part(n, least), r = n - h;
  gemm_lower(op_b, alpha, A.block(0, 0, h, k), columns(0, h), beta, C.block(0, 0, h, h));
  gemm(Op::none, op_b, alpha, A.block(h, 0, r, k), columns(0, h), beta, C.block(h, 0, r, h));
  gemm_lower(op_b, alpha, A.block(h, 0, r, k), columns(h, r), beta, C.block(h, h, r, r));
  gemm(Op::none, op_b, alpha, A.block(n, 0, m - n, k), B, beta, C.block(n, 0, m - n, n));
}

#define OVERLAPACK_INSTANTIATE(T)                                                                       \
  template void gemm<T>(Op, Op, T, MatrixView<const T>, MatrixView<const T>, T, MatrixView<T>);         \
  template void gemm_by_blas<T>(Op, Op, T, MatrixView<const T>, MatrixView<const T>, T, MatrixView<T>); \
  template void gemm_lower<T>(Op, T, MatrixView<const T>, MatrixView<const T>, T, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
