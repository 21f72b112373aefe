#include "sparse/multifrontal/factorize/contribution_rows.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::multifrontal {

namespace {

template <class T>
Piece<T> part_of_piece(const Piece<T>& piece, Index r0, Index r1, Index c0, Index c1) {
  const Index row = r0 - piece.first_row, rows = r1 - r0;
  return {
      piece.front, r0, c0, piece.block.block(row, c0 - piece.first_col, rows, c1 - c0),
      piece.delayed.cols > 0 ? piece.delayed.block(row, 0, rows, piece.delayed.cols) : MatrixView<const T>{}};
}

}  // namespace

template <class T>
void send_piece(const FrontContext<T>& here, int to, Piece<T> piece, bool is_for_strip) {
  piece.is_for_strip = is_for_strip;
  auto [header, body] = piece.pack(here.rank);
  here.state.stats.pieces += to != here.rank.rank();
  here.walk.post(to, header, std::move(body));
}

template <class T>
void send_rows(const StripContext<T>& here, const Piece<T>& rows, const Strips& parent) {
  const Structure& structure = here.structure;
  const PositionsInParent positions = positions_in_parent(structure.tree, rows.front);
  const Index first = rows.first_row, end = rows.end_row(), summed = positions.summed;
  const bool is_symmetric = structure.is_symmetric();
  for (Index i = 0; i < parent.count(); ++i) {
    const Index r0 = std::max(first, positions.rows_before(parent.start[i])),
                r1 = std::min(end, positions.rows_before(parent.start[i + 1]));
    if (r0 < r1)
      send_piece(here, parent.rank[i],
                 part_of_piece(rows, r0, r1, is_symmetric ? summed : 0, is_symmetric ? r1 : rows.end_col()),
                 true);
  }
  // early = wait: every sender sends the master a piece, if need be an empty one: the strips then have all of
  // the sender's
  const Index last = is_symmetric ? (summed > 0 ? end : first) : std::clamp(summed, first, end);
  if (first < last || here.waits_for_late_messages())
    send_piece(
        here, structure.owner[structure.tree.parent[rows.front]],
        part_of_piece(rows, first, last, Index{0}, is_symmetric ? std::min(summed, end) : rows.end_col()),
        false);
}

template <class T>
void send_delayed(const FrontContext<T>& here, const Front<T>& front, bool in_pieces, bool is_last) {
  const Index parent = here.structure.tree.parent[front.number];
  Contribution<T> delayed = contribution_of(front);
  if (in_pieces) delayed.cols = {};
  if (!here.structure.has_panel(parent)) delayed.square = delayed.rows = {};
  auto [header, body] = pack_delayed(here.rank, delayed);
  here.walk.send(here.structure.task_of[parent], header, std::move(body), is_last);
}

template <class T>
std::vector<Piece<T>> sort_pieces(const std::vector<HeldMessage>& held) {
  std::vector<Piece<T>> pieces;
  for (const HeldMessage& piece : held) pieces.push_back(Piece<T>::parse(piece.message));
  std::ranges::sort(pieces, {}, [](const Piece<T>& p) { return std::pair(p.front, p.first_row); });
  return pieces;
}

double bytes_while_adding(const std::vector<HeldMessage>& pieces) {
  double bytes = 0;
  for (const HeldMessage& piece : pieces) bytes += 3 * static_cast<double>(piece.message.body.size());
  return bytes;
}

#define OVERLAPACK_INSTANTIATE(T)                                                  \
  template void send_piece(const FrontContext<T>&, int, Piece<T>, bool);           \
  template void send_rows(const StripContext<T>&, const Piece<T>&, const Strips&); \
  template void send_delayed(const FrontContext<T>&, const Front<T>&, bool, bool); \
  template std::vector<Piece<T>> sort_pieces<T>(const std::vector<HeldMessage>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
