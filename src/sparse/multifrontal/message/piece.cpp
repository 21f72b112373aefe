#include "sparse/multifrontal/message/piece.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "kernels/update/extend_add.hpp"
#include "sparse/factors/packing.hpp"
#include "sparse/multifrontal/message/copy_columns.hpp"
#include "sparse/multifrontal/message/front_header.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

template <class T>
std::pair<comm::Header, comm::Body> Piece<T>::pack(const comm::Rank& rank) const {
  const std::vector<Index> shape{first_row, first_col, block.rows, block.cols, delayed.cols};
  const auto entries = [](const MatrixView<const T>& part) {
    return static_cast<std::size_t>(part.rows * part.cols);
  };
  Packing packing(Packing::bytes_of<Index>(shape.size()) + Packing::bytes_of<T>(entries(block)) +
                  Packing::bytes_of<T>(entries(delayed)));
  packing.add(shape);
  for (const MatrixView<const T>& part : {block, delayed})
    append_columns(rank, part, packing.room_for<T>(entries(part)));
  return {header_for(MessageKind::contribution_piece, front, is_for_strip), std::move(packing).body()};
}

template <class T>
Piece<T> Piece<T>::parse(const comm::Message& message) {
  const FrontHeader header(message);
  Unpacking unpacking(message.body);
  const auto numbers = unpacking.next<Index>();
  const Index rows = numbers[2], cols = numbers[3], delayed = numbers[4];
  Piece piece{header.front, numbers[0], numbers[1], {}, {}, header.first != 0};
  piece.block = {unpacking.next<T>().data(), rows, cols, rows};
  piece.delayed = {unpacking.next<T>().data(), rows, delayed, rows};
  return piece;
}

template <class T>
void add_piece(const Piece<T>& piece, bool lower, const std::int32_t* row_position,
               const std::int32_t* col_position, MatrixView<T> target) {
  const Index r0 = piece.first_row, r1 = piece.end_row(), c0 = piece.first_col, c1 = piece.end_col();
  if (!lower) return kernels::extend_add<T>(piece.block, row_position + r0, col_position + c0, target);
  // left of the diagonal's first row, then column by column down from the diagonal
  const Index square = std::clamp(r0, c0, c1);
  kernels::extend_add<T>(piece.block.block(0, 0, r1 - r0, square - c0), row_position + r0, col_position + c0,
                         target);
  for (Index j = square; j < c1; ++j) {
    const Index i = std::max(j, r0);
    if (i < r1)
      kernels::extend_add<T>(piece.block.block(i - r0, j - c0, r1 - i, 1), row_position + i, col_position + j,
                             target);
  }
}

#define OVERLAPACK_INSTANTIATE(T) \
  template struct Piece<T>;       \
  template void add_piece(const Piece<T>&, bool, const std::int32_t*, const std::int32_t*, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
