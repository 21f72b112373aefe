#pragma once
#include "dist/moves/moves.hpp"

namespace overlapack::dense {

/// Columns [first, first + width) of A, rows from `first` on: panel = Q R by Householder's reflections, in place: R in the upper
/// triangle, V below the diagonal (without its ones). Returns S and V as a body (ReflectorMemory).
/// Shapes  the panel inside one block column, width at most the rows from `first` on
///         number: the panel's, for the messages
/// Sync    collective over the process column that owns it; the others do not call. Charges its work itself
/// Cost    4 rows width^2 flops about, of which 4 rows width smallest by columns; a column costs 2 log2 P messages of up
///         to 2 smallest words, one after the other (none for P = 1)
/// Source  recursion by columns, whose halves give S: Elmroth, Gustavson, IBM J. Res. Dev. 44 (2000)
template <class T>
comm::Body reflect_panel(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first, Index width,
                         Index smallest, Index number);

/// Charges the time and messages of reflect_panel on a phantom rank; returns a phantom body.
template <class T>
comm::Body charge_reflections(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                              Index width, Index number);

}  // namespace overlapack::dense
