#pragma once
#include "sparse/rows/row_slab.hpp"

namespace overlapack::api {

/// Distribute the entries that the ranks hold in any way, so that each rank gets consecutive rows of the square matrix.
/// mine: 0 x 0 if the rank has no part and does not know the shape
/// bounds: the bounds of the rows of an earlier slab; empty: rows are distributed so that all ranks get about the same number of entries
/// Sync    collective
/// Errors  BadInput, the same on all ranks: no rank has a part, shapes or types differ, or the matrix is not square
///         BadInput, naming the rank: lists of different lengths, an index outside, or a value that is not finite
template <class T>
sparse::RowSlab<T> distribute_entries_as_rows(comm::Rank& rank, Triplets<T> mine, std::vector<Index> bounds);

}  // namespace overlapack::api
