#pragma once
#include "dense/check/column_source.hpp"

#include <cstdint>
#include <vector>

namespace overlapack::dense {

/// out <- my rows of the local columns from `first` on of the random matrix number `seed`. Entries, or both parts of complex entries, are
/// in [-1/2, 1/2). Entry (i, j) depends on seed, i and j alone, so that every grid and block size makes the same matrix.
/// Shapes  out: A.local.rows x any; indices below 2^31; A.local's memory is not read
template <class T>
void random_columns(std::uint64_t seed, const dist::DistributedMatrix<T>& A, Index first, MatrixView<T> out);

/// ColumnSource of the random matrix, regenerated at each call instead of stored.
template <class T>
class RandomColumns {
 public:
  RandomColumns(std::uint64_t seed, const dist::DistributedMatrix<T>& A) : seed_(seed), A_(A) {}

  MatrixView<const T> operator()(Index first, Index count) {
    buffer_.resize(static_cast<std::size_t>(A_.local.rows * count));
    const MatrixView<T> columns{buffer_.data(), A_.local.rows, count, A_.local.rows};
    random_columns(seed_, A_, first, columns);
    return columns;
  }

 private:
  std::uint64_t seed_;
  dist::DistributedMatrix<T> A_;
  std::vector<T> buffer_;
};

}  // namespace overlapack::dense
