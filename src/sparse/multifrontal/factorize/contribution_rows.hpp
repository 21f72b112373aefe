#pragma once
#include "sparse/multifrontal/factorize/strip_context.hpp"
#include "sparse/multifrontal/message/piece.hpp"
#include "sparse/multifrontal/plan/strips.hpp"

#include <vector>

namespace overlapack::sparse::multifrontal {

/// Sends a piece to a rank, which may be this one: for its strip of the parent, or for the parent's owner.
template <class T>
void send_piece(const FrontContext<T>& here, int to, Piece<T> piece, bool is_for_strip);

/// Sends rows of a contribution block, with the delayed columns, to the ranks that have them in the parent:
/// to the strips first, to its master last. The columns of a symmetric block that are fully summed in the
/// parent go to its master, the other columns to the strips.
template <class T>
void send_rows(const StripContext<T>& here, const Piece<T>& rows, const Strips& parent);

/// Sends what a front delayed to the owner of its parent: names and numbers. A parent on the grid gets the
/// names alone, since the numbers go straight to their positions.
/// in_pieces: the delayed columns go with the rows of C instead
/// is_last: the parent's task waits for nothing more from this front
template <class T>
void send_delayed(const FrontContext<T>& here, const Front<T>& front, bool in_pieces, bool is_last);

/// The pieces sorted by child, then by row, so that sums do not depend on the order of arrival.
template <class T>
std::vector<Piece<T>> sort_pieces(const std::vector<HeldMessage>& pieces);

/// Memory traffic of adding pieces to a front: each entry is read, its position read and written.
double bytes_while_adding(const std::vector<HeldMessage>& pieces);

}  // namespace overlapack::sparse::multifrontal
