#pragma once
#include "comm/rank.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/multifrontal/assemble.hpp"
#include "sparse/multifrontal/structure.hpp"

namespace overlapack::sparse {

/// The entries of one rank's fronts, front after front.
template <class T>
class EntryStore {
 public:
  /// Entries of the rank's k-th front (its fronts in ascending order).
  FrontEntries<T> of_front(Index k) const;
  std::size_t bytes() const { return row_.size() + col_.size() + value_.size(); }

  /// Collective: permute and scale rank 0's A, B = Dr P A Q Dc, and bring each entry to the rank whose front takes it.
  /// Cost    two passes over A on rank 0; 8 + sizeof(T) bytes an entry to other ranks
  static EntryStore distribute(comm::Rank& rank, const Structure& structure, const Analysis* on_rank_0,
                               const SparseMatrix<T>* A_on_rank_0);

 private:
  comm::Body start_, row_, col_, value_;  ///< Index, int32, int32, T
};

}  // namespace overlapack::sparse
