#pragma once
#include "dist/grid/distributed_matrix.hpp"

#include <vector>

namespace overlapack::api {

/// A ColumnSource of the strictly lower triangle of a matrix: its columns below the diagonal.
template <class T>
class StrictTriangle {
 public:
  explicit StrictTriangle(const dist::DistributedMatrix<T>& A) : A_(A) {}

  MatrixView<const T> operator()(Index first, Index count) {
    buffer_.clear();
    for (Index j = first; j < first + count; ++j) {
      buffer_.insert(buffer_.end(), A_.local.column(j), A_.local.column(j) + A_.local.rows);
      const dist::Global diagonal = A_.cols.global({j}, A_.me.col);
      if (A_.owns_row(diagonal))
        buffer_[static_cast<std::size_t>((j - first) * A_.local.rows + A_.first_row(diagonal))] = T(0);
    }
    return {buffer_.data(), A_.local.rows, count, A_.local.rows};
  }

 private:
  const dist::DistributedMatrix<T>& A_;
  std::vector<T> buffer_;
};

}  // namespace overlapack::api
