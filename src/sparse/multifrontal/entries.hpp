#pragma once
#include "comm/rank.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/multifrontal/assemble.hpp"
#include "sparse/multifrontal/structure.hpp"

#include <span>

namespace overlapack::sparse {

/// The entries of one rank's fronts, front after front.
template <class T>
class EntryStore {
 public:
  /// Entries of the rank's k-th front (its fronts in ascending order).
  FrontEntries<T> of_front(Index k) const;

  /// The largest entry of each row and column of B in magnitude, by permuted index (one list where B is symmetric).
  std::span<const double> row_size() const { return row_size_.as<double>(); }
  std::span<const double> col_size() const { return col_size_.as<double>(); }

  /// Collective: permute and scale rank 0's A, B = Dr P A Q Dc, and bring each entry to the rank whose front takes it.
  /// Cost    two passes over A on rank 0; 8 + sizeof(T) bytes an entry to its rank, 16 n to every rank
  static EntryStore distribute(comm::Rank& rank, const Structure& structure, const Analysis* on_rank_0,
                               const SparseMatrix<T>* A_on_rank_0);

 private:
  comm::Body start_, row_, col_, value_;  ///< Index, int32, int32, T
  comm::Body row_size_, col_size_;        ///< double, n
};

}  // namespace overlapack::sparse
