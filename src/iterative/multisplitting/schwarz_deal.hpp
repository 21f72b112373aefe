#pragma once
#include "comm/message.hpp"
#include "iterative/driver/row_deal.hpp"

namespace overlapack::iterative {

/// The rows of rank r, then the rows reached from them in `layers` steps along the entries of A; each group ascending.
/// Cost    the entries of these rows
template <class T>
RowNumbers extended_rows(const RowDistribution<T>& deal, int r, int layers);

/// The rows S of an extended block, split into A(S, S), and A(S, rest) by rows.
template <class T>
struct ExtendedBlock {
  SparseMatrix<T> inside;
  RowNumbers start, position;  ///< of A(S, rest): offsets; positions of the unknowns in the rank's state
  std::vector<T> value;
};

/// Shapes  S: as extended_rows gives it; the unknowns beyond S are in rank r's halo (needs_also)
template <class T>
ExtendedBlock<T> extended_block(const RowDistribution<T>& deal, int r, const RowNumbers& S,
                                Symmetry symmetry);

/// Scatters the blocks from rank 0: block r to rank r.
/// Shapes  blocks: by rank, on rank 0
/// Sync    collective
template <class T>
ExtendedBlock<T> scatter_blocks(comm::Rank& rank, std::vector<ExtendedBlock<T>> blocks);

}  // namespace overlapack::iterative
