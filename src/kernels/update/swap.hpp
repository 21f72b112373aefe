#pragma once
#include "kernels/product/operand.hpp"

#include <cstdint>
#include <span>

namespace overlapack::kernels {

/// Exchange rows a and b of X.  Cost  4 n words for n columns
template <class T>
void swap_rows(MatrixView<T> X, Index a, Index b);

/// Exchange columns a and b of X.
template <class T>
void swap_columns(MatrixView<T> X, Index a, Index b);

/// New column j of X <- old column order[j].  order: a permutation of 0..X.cols-1, which is used for marks and restored;
/// workspace: at least X.rows entries.  Cost  each column that moves is copied once, plus one copy for each cycle
template <class T>
void permute_columns(MatrixView<T> X, std::span<std::int32_t> order, std::span<Scalar<T>> workspace);

/// New row i of X <- old row order[i].  workspace: at least X.rows entries
template <class T>
void permute_rows(MatrixView<T> X, std::span<const std::int32_t> order, std::span<Scalar<T>> workspace);

}  // namespace overlapack::kernels
