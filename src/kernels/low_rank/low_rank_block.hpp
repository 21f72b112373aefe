#pragma once
#include "base/single.hpp"
#include "kernels/product/operand.hpp"

#include <cstddef>
#include <vector>

/// Blocks of low rank, B ~ X V: their terms, the terms' precision, and their storage.
namespace overlapack::kernels {

/// A block in either form: full, or a product X V, which is the sum of its terms x_i v_i. The last terms may be in single
/// precision.
template <class T>
struct LowRank {
  MatrixView<const T> X;  ///< m x r; of a full block the block itself, m x n
  MatrixView<const T> V;  ///< r x n; of a full block 0 x n and never read
  bool is_full = true;
  /// M x s: the terms in single precision, which follow the r others
  MatrixView<const Single<T>> X_single = {};
  MatrixView<const Single<T>> V_single = {};  ///< s x n

  Index rows() const { return X.rows; }
  Index cols() const { return V.cols; }
  /// Number of terms of a product.
  Index rank() const { return X.cols + X_single.cols; }
  /// How many numbers the block stores.
  Index entries() const { return is_full ? X.rows * X.cols : rank() * (rows() + cols()); }
};

/// A block that is not compressed.
template <class T>
LowRank<T> full_block(ConstView<T> B) {
  return {B, {nullptr, 0, B.cols, 1}, true};
}

/// Some rows of a block.
template <class T>
LowRank<T> rows_of(const LowRank<T>& block, Index first, Index count) {
  LowRank<T> rows = block;
  rows.X = block.X.block(first, 0, count, block.X.cols);
  if (block.X_single.cols > 0) rows.X_single = block.X_single.block(first, 0, count, block.X_single.cols);
  return rows;
}

/// Some rows and columns of a product.
template <class T>
LowRank<T> part_of(const LowRank<T>& product, Index first_row, Index rows, Index first_col, Index cols) {
  LowRank<T> part = rows_of(product, first_row, rows);
  part.V = part.V.block(0, first_col, part.V.rows, cols);
  if (part.V_single.rows > 0) part.V_single = part.V_single.block(0, first_col, part.V_single.rows, cols);
  return part;
}

/// How many of the last terms of X V may be rounded to single precision so that the product changes by at most `limit` in the
/// Frobenius
/// norm: rounding x_i and v_i changes it by at most 2^-23 ||x_i||. 0 if T is single precision itself, and for limits outside of
/// single precision's range.
/// Shapes  rows of V have norm 1, as compress makes them
/// Source  Amestoy, Boiteau, Buttari, Gerest, Jezequel, L'Excellent, Mary, Mixed precision low-rank approximations and their
///         application to block low-rank LU factorization, IMA J. Numer. Anal. 43 (2023)
template <class T>
Index count_terms_for_single(const LowRank<T>& product, double limit);

/// The product with its last `terms` terms rounded to single precision, which are stored in `room`. All terms of the argument are
/// in the type's own precision.
template <class T>
LowRank<T> rounded_to_single(const LowRank<T>& product, Index terms, std::vector<Single<T>>& room);

/// The block with all terms in the type's own precision: the block itself if it has no others, else a copy in `room`.
template <class T>
LowRank<T> widened_to_own_precision(const LowRank<T>& block, std::vector<T>& room);

/// Shape of a stored block.
struct StoredShape {
  Index rows = 0, cols = 0;
  Index rank = -1;   ///< -1: the block is full
  Index single = 0;  ///< number of terms in single precision, the last ones
};
/// The shape of a block as it is stored; unlike block.rank(), its rank is -1 if the block is full.
template <class T>
StoredShape stored_shape(const LowRank<T>& block) {
  return {block.rows(), block.cols(), block.is_full ? -1 : block.rank(), block.X_single.cols};
}

/// Bytes of X, V, X_single, V_single, stored in this order without gaps; a multiple of sizeof(T).
template <class T>
std::size_t stored_bytes(const StoredShape& shape);
/// Bytes saved compared with the full block.
template <class T>
Index saved_bytes(const LowRank<T>& block) {
  return block.rows() * block.cols() * static_cast<Index>(sizeof(T)) -
         static_cast<Index>(stored_bytes<T>(stored_shape(block)));
}
/// Copies the block to `to`: stored_bytes, aligned for T.
template <class T>
void store(const LowRank<T>& block, std::byte* to);
/// A view of a stored block.
template <class T>
LowRank<T> stored_block(const std::byte* stored, const StoredShape& shape);

}  // namespace overlapack::kernels
