#pragma once
#include "comm/message.hpp"
#include "iterative/driver/row_deal.hpp"

namespace overlapack::iterative {

/// The rows of rank r, and then those that `layers` steps from row to unknown reach from them, each group ascending.
/// Cost    the entries of these rows
template <class T>
RowNumbers extended_rows(const RowDistribution<T>& deal, int r, int layers);

/// The rows of an extended block, cut where the block ends: A(S, S), and A(S, rest) by rows.
template <class T>
struct ExtendedBlock {
  SparseMatrix<T> inside;
  RowNumbers start, position;  ///< of A(S, rest): offsets; where the rank's state has the unknown
  std::vector<T> value;
};

/// Shapes  S: as extended_rows gives it; the deal knows what unknowns beyond S rank r needs (needs_also)
template <class T>
ExtendedBlock<T> extended_block(const RowDistribution<T>& deal, int r, const RowNumbers& S,
                                Symmetry symmetry);

/// Rank r's block from rank 0 to rank r.
/// Shapes  blocks: by rank, on rank 0
/// Sync    collective
template <class T>
ExtendedBlock<T> scatter_blocks(comm::Rank& rank, std::vector<ExtendedBlock<T>> blocks);

}  // namespace overlapack::iterative
