#include "sparse/multifrontal/piece.hpp"

#include "kernels/extend_add.hpp"
#include "kernels/operand.hpp"
#include "sparse/multifrontal/copy_columns.hpp"
#include "sparse/multifrontal/message_kinds.hpp"
#include "sparse/multifrontal/packing.hpp"

#include <algorithm>
#include <complex>

namespace overlapack::sparse {

template <class T>
std::pair<comm::Header, comm::Body> pack_piece(const comm::Rank& rank, const Piece<T>& piece) {
  const std::vector<Index> shape{piece.first_row, piece.first_col, piece.block.rows, piece.block.cols,
                                 piece.delayed.cols};
  const auto entries = [](const MatrixView<const T>& part) {
    return static_cast<std::size_t>(part.rows * part.cols);
  };
  Packing packing(Packing::bytes_of<Index>(shape.size()) + Packing::bytes_of<T>(entries(piece.block)) +
                  Packing::bytes_of<T>(entries(piece.delayed)));
  packing.add(shape);
  for (const MatrixView<const T>& part : {piece.block, piece.delayed})
    append_columns(rank, part, packing.room_for<T>(entries(part)));
  comm::Header header;
  header.kind = MessageKind::contribution_piece;
  header.id[2] = piece.front;
  return {header, std::move(packing).body()};
}

template <class T>
Piece<T> piece_of(const comm::Message& message) {
  Unpacking unpacking(message.body);
  const auto numbers = unpacking.next<Index>();
  const Index rows = numbers[2], cols = numbers[3], delayed = numbers[4];
  Piece<T> piece{message.header.id[2], numbers[0], numbers[1], {}, {}};
  piece.block = {unpacking.next<T>().data(), rows, cols, rows};
  piece.delayed = {unpacking.next<T>().data(), rows, delayed, rows};
  return piece;
}

template <class T>
void add_piece(const Piece<T>& piece, bool lower, const std::int32_t* row_place,
               const std::int32_t* col_place, MatrixView<T> target) {
  const Index r0 = piece.first_row, r1 = piece.end_row(), c0 = piece.first_col, c1 = piece.end_col();
  if (!lower) return kernels::extend_add<T>(piece.block, row_place + r0, col_place + c0, target);
  // left of the diagonal's first row, then column by column down from the diagonal
  const Index square = std::clamp(r0, c0, c1);
  kernels::extend_add<T>(piece.block.block(0, 0, r1 - r0, square - c0), row_place + r0, col_place + c0,
                         target);
  for (Index j = square; j < c1; ++j) {
    const Index i = std::max(j, r0);
    if (i < r1)
      kernels::extend_add<T>(piece.block.block(i - r0, j - c0, r1 - i, 1), row_place + i, col_place + j,
                             target);
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                              \
  template std::pair<comm::Header, comm::Body> pack_piece(const comm::Rank&, const Piece<T>&); \
  template Piece<T> piece_of(const comm::Message&);                                            \
  template void add_piece(const Piece<T>&, bool, const std::int32_t*, const std::int32_t*, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
