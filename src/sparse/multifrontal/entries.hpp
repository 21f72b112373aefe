#pragma once
#include "comm/rank.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/multifrontal/assemble.hpp"
#include "sparse/multifrontal/structure.hpp"
#include "sparse/rows/row_slab.hpp"

#include <span>

namespace overlapack::sparse {

/// Where the values of A are: all on rank 0, or some rows on each rank.
template <class T>
struct EntrySource {
  EntrySource(const SparseMatrix<T>* on_rank_0) : whole(on_rank_0) {}  ///< null on the other ranks
  EntrySource(const RowSlab<T>& mine) : slab(&mine) {}                 ///< on every rank

  const SparseMatrix<T>* whole = nullptr;
  const RowSlab<T>* slab = nullptr;
};

/// The entries of one rank's fronts, front after front.
template <class T>
class EntryStore {
 public:
  /// Entries of the rank's k-th front (its fronts in ascending order).
  FrontEntries<T> of_front(Index k) const;

  /// The largest entry of each row and column of B in magnitude, by permuted index (one list where B is symmetric).
  std::span<const double> row_size() const { return row_size_.as<double>(); }
  std::span<const double> col_size() const { return col_size_.as<double>(); }

  /// Collective: permute and scale A, B = Dr P A Q Dc, and bring each entry from the rank that has it to the rank whose
  /// front takes it.
  /// Cost    two passes over a rank's part of A; 8 + sizeof(T) bytes an entry to its rank, 16 n to every rank, from slabs
  ///         24 n more
  static EntryStore distribute(comm::Rank& rank, const Structure& structure, const Analysis* on_rank_0,
                               const EntrySource<T>& A);

  Index size() const { return start_.as<Index>().back(); }

 private:
  comm::Body start_, row_, col_, value_;  ///< Index, int32, int32, T
  void take(std::vector<comm::Body> start, std::vector<comm::Body> row, std::vector<comm::Body> col,
            std::vector<comm::Body> value);

  comm::Body row_size_, col_size_;  ///< double, n
};

}  // namespace overlapack::sparse
