#pragma once
#include "base/copy_into.hpp"
#include "comm/values.hpp"

#include <type_traits>

namespace overlapack::sparse::multifrontal {

/// to <- from, entry by entry.
template <class T>
void copy_columns(const comm::Rank& rank, std::type_identity_t<MatrixView<const T>> from, MatrixView<T> to) {
  comm::run_unless_phantom(rank, [&] { copy_into(from, to); });
}

/// The columns of a matrix one after the other, to `to`; returns the position behind them.
template <class T>
T* append_columns(const comm::Rank& rank, std::type_identity_t<MatrixView<const T>> from, T* to) {
  copy_columns(rank, from, MatrixView<T>{to, from.rows, from.cols, from.rows});
  return to + from.rows * from.cols;
}

}  // namespace overlapack::sparse::multifrontal
