#pragma once
#include "base/large_memory.hpp"
#include "base/shared_list.hpp"
#include "comm/rank.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/rows/row_slab.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace overlapack::sparse {

/// Where the values of A come from: all are on rank 0, or some rows are on each rank.
template <class T>
struct EntrySource {
  EntrySource(const SparseMatrix<T>* on_rank_0) : whole(on_rank_0) {}  ///< null on the other ranks
  EntrySource(const RowSlab<T>& mine) : slab(&mine) {}                 ///< on every rank

  const SparseMatrix<T>* whole = nullptr;
  const RowSlab<T>* slab = nullptr;
};

/// Where the entries of B go: each entry to a slot (a front, a panel, a block), each slot to its owner. Only
/// the lower triangle of a symmetric B is stored. Each method implements it.
class EntrySlots {
 public:
  virtual ~EntrySlots() = default;
  virtual Index order() const = 0;
  virtual bool is_symmetric() const = 0;
  /// Owner of each slot.
  virtual const std::vector<int>& owners() const = 0;
  /// slot[k] <- the slot of B(row[k], column); -1: its mirror image is stored instead
  virtual void find(std::span<const std::int32_t> row, std::int32_t column, std::int32_t* slot) const = 0;
};

/// Entries of B, by permuted rows and columns. For a symmetric B only those with row >= column.
template <class T>
struct EntryList {
  std::span<const std::int32_t> row, col;
  std::span<const T> value;
};

template <class T>
struct MatrixPart;
struct EntryScaling;
struct DistributedColumns;
struct DistributedEntries;

/// The entries of B in the slots of one rank, slot after slot. Factors distribute A with it at the start of
/// each factorisation.
template <class T>
class EntryStore {
 public:
  /// Entries of the rank's k-th slot (its slots in ascending order).
  EntryList<T> of_slot(Index k) const;

  /// The largest entry of each row and column of B in magnitude, by permuted index (one list where B is symmetric).
  std::span<const double> row_size() const { return row_size_; }
  /// Size of the largest entry of B.
  double largest() const { return row_size_.empty() ? 0.0 : *std::ranges::max_element(row_size_); }
  std::span<const double> col_size() const { return col_size_; }

  /// Permute and scale A, B = Dr P A Q Dc, and send each entry to the owner of its slot; other threads of this process may work on
  /// slices of columns.  Collective
  /// keeps_positions: store the position of each entry, 8 bytes an entry of A and 24 n. The next call, for an
  ///         A with other values alone, only scales and scatters these, unless the owners of slots have
  ///         changed
  /// Cost    two passes over a rank's part of A, with 8 bytes an entry of it, with positions one; sizeof(T) bytes an entry to its
  ///         owner, without positions 8 more; 16 n to every rank, from slabs without positions 24 n more
  void distribute(comm::Rank& rank, const EntrySlots& slots, const Analysis* on_rank_0,
                  const EntrySource<T>& A, bool keeps_positions);

  Index size() const { return start_.as<Index>().back(); }

 private:
  void find_positions(comm::Rank& rank, const EntrySlots& slots, const Analysis* on_rank_0,
                      const EntrySource<T>& A, bool keeps_positions);
  DistributedEntries distribute(comm::Rank& rank, const MatrixPart<T>& part, const EntrySlots& slots,
                                bool keeps_positions);
  EntryScaling scaling();
  void fill_values(comm::Rank& rank, const MatrixPart<T>& part, const EntrySlots& slots);
  void join_row_sizes(std::vector<DistributedColumns>& columns);
  template <class V>
  comm::Body merge_by_slot(std::vector<comm::Body> parts) const;
  void combine_sizes(comm::Rank& rank, bool is_symmetric, bool is_distributed);
  SharedList<double> sizes_over_ranks(comm::Rank& rank, bool is_distributed, std::vector<double> seen) const;

  comm::Body start_, row_, col_, value_;       ///< Index, int32, int32, T
  std::vector<comm::Body> starts_;             ///< start_ of the part from each rank, in rank order
  SharedList<double> row_size_, col_size_;     ///< one list if B is symmetric
  std::vector<double> seen_rows_, seen_cols_;  ///< during distribute: the sizes in this rank's part of A

  // For this rank's part of A: the position of each entry among those to be sent, which are ordered by owner
  // (-1: the entry is not stored), and the first position of each owner.
  LargeVector<Index> position_;
  std::vector<Index> first_;
  std::shared_ptr<LargeVector<T>> filled_;                          ///< values at these positions
  comm::Body row_position_, col_position_, row_scale_, col_scale_;  ///< permutation and scales of A to B
  std::vector<int> owner_;                                          ///< the slots' owners for these positions
  bool has_routes_ = false;
};

}  // namespace overlapack::sparse
