#pragma once
#include "sparse/rows/row_slab.hpp"

namespace overlapack::api {

/// Distribute entries, held by the ranks in any way, as rows of one square matrix.
/// mine: 0 x 0 if the rank has no part, not even the shape
/// bounds: those of an earlier slab, or empty: the rows are distributed so that each rank gets about as many entries
/// Sync    collective
/// Errors  BadInput, the same on all ranks: no rank has a part, shapes or types differ, the matrix is not square; or naming the
///         rank: lists of different lengths, indices outside, values that are not finite
template <class T>
sparse::RowSlab<T> distribute_entries_as_rows(comm::Rank& rank, Triplets<T> mine, std::vector<Index> bounds);

}  // namespace overlapack::api
