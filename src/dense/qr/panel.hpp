#pragma once
#include "dist/moves/moves.hpp"

namespace overlapack::dense {

/// Factorises the panel of columns [first, first + width) of A and rows from `first` on by Householder reflections, in place: panel =
/// Q R, with R in the upper triangle and V, without its ones, below the diagonal. Returns S and V as a body (ReflectorMemory).
/// Shapes  the panel is inside one block column; width is at most the number of rows from `first` on
///         smallest: at most so many columns are reflected one by one
///         number: the panel's, for the keys of its messages
/// Sync    collective over the process column that owns the panel; other process columns do not call. Charges its work itself
/// Cost    about 4 rows width^2 flops, of which 4 rows width smallest column by column; a column costs 2 log2 P messages of up
///         to 2 smallest words, one after the other (none for P = 1)
/// Source  recursion by columns, in which the two halves of S give the whole: Elmroth, Gustavson, IBM J. Res. Dev. 44 (2000)
template <class T>
comm::Body reflect_panel(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first, Index width,
                         Index smallest, Index number);

/// Charges the time and messages of reflect_panel on a phantom rank; returns a phantom body.
template <class T>
comm::Body charge_reflections(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                              Index width, Index number);

}  // namespace overlapack::dense
