#pragma once
#include "sparse/multifrontal/factorize/strip_context.hpp"
#include "sparse/multifrontal/message/piece.hpp"
#include "sparse/multifrontal/plan/strips.hpp"

#include <vector>

namespace overlapack::sparse::multifrontal {

template <class T>
void send_piece(const FrontContext<T>& here, int to, Piece<T> piece, bool is_for_strip);

/// Sends rows of a contribution block, with the delayed columns, to the ranks that have them in the parent: to the strips
/// first, to its master last. Of a symmetric matrix the columns that are fully summed in the parent go to its master.
template <class T>
void send_rows(const StripContext<T>& here, const Piece<T>& rows, const Strips& parent);

/// What a front delayed, to the owner of its parent: numbers, or names alone where these go to their positions on a grid.
/// in_pieces: its columns go with the rows of C
/// is_last: the parent's task waits for nothing more of this front's
template <class T>
void send_delayed(const FrontContext<T>& here, const Front<T>& front, bool in_pieces, bool is_last);

/// By child, then by row: sums come out the same whatever the order of arrival.
template <class T>
std::vector<Piece<T>> sort_pieces(const std::vector<HeldMessage>& pieces);

/// Memory traffic of adding pieces to a front: each entry is read, its position read and written.
double bytes_while_adding(const std::vector<HeldMessage>& pieces);

}  // namespace overlapack::sparse::multifrontal
