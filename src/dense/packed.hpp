#pragma once
#include "base/copy_into.hpp"
#include "comm/message.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace overlapack::dense {

/// The columns of a matrix side by side, without gaps.
template <class T>
std::vector<T> packed(MatrixView<const T> M) {
  std::vector<T> values;
  values.reserve(static_cast<std::size_t>(M.rows * M.cols));
  for (Index j = 0; j < M.cols; ++j) values.insert(values.end(), M.column(j), M.column(j) + M.rows);
  return values;
}

/// The packed columns as a message body.
template <class T>
comm::Body packed_body(MatrixView<const T> M) {
  return comm::Body::adopt(packed<T>(M));
}

/// The matrix in a body of packed_body; a view of its memory.
template <class T>
MatrixView<const T> packed_matrix(const comm::Body& body, Index rows, Index cols) {
  return {body.as<T>().data(), rows, cols, std::max<Index>(rows, 1)};
}

}  // namespace overlapack::dense
