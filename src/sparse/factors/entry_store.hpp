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

/// Where the values of A are: all on rank 0, or some rows on each rank.
template <class T>
struct EntrySource {
  EntrySource(const SparseMatrix<T>* on_rank_0) : whole(on_rank_0) {}  ///< null on the other ranks
  EntrySource(const RowSlab<T>& mine) : slab(&mine) {}                 ///< on every rank

  const SparseMatrix<T>* whole = nullptr;
  const RowSlab<T>* slab = nullptr;
};

/// Where the entries of B go: each to a slot (a front, a panel, a block), each slot to a rank. A symmetric B has its lower
/// triangle alone.
class EntrySlots {
 public:
  virtual ~EntrySlots() = default;
  virtual Index order() const = 0;
  virtual bool is_symmetric() const = 0;
  /// Rank of each slot.
  virtual const std::vector<int>& owners() const = 0;
  /// slot[k] <- that of B(row[k], column), -1: it is stored as its mirror image
  virtual void find(std::span<const std::int32_t> row, std::int32_t column, std::int32_t* slot) const = 0;
};

/// Entries of B, permuted and scaled. Symmetric kinds hold row >= column only.
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

/// The entries of one rank's slots, slot after slot.
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

  /// Collective: permute and scale A, B = Dr P A Q Dc, and bring each entry from the rank that has it to the rank whose
  /// slot takes it, by slices of columns that others of my process may take.
  /// keeps_places: note where each entry goes, 8 bytes an entry of A and 24 n; the next call, of the same A but for its values,
  ///               only scales and scatters them, unless slots have other owners by then
  /// Cost    two passes over a rank's part of A, with 8 bytes an entry of it, with places one; sizeof(T) bytes an entry to its rank, without places 8 more;
  ///         16 n to every rank, from slabs without places 24 n more
  void distribute(comm::Rank& rank, const EntrySlots& slots, const Analysis* on_rank_0,
                  const EntrySource<T>& A, bool keeps_positions);

  Index size() const { return start_.as<Index>().back(); }

 private:
  void route(comm::Rank& rank, const EntrySlots& slots, const Analysis* on_rank_0, const EntrySource<T>& A,
             bool keeps_positions);
  DistributedEntries distribute(comm::Rank& rank, const MatrixPart<T>& part, const EntrySlots& slots,
                                bool keeps_positions);
  EntryScaling scaling();
  void fill(comm::Rank& rank, const MatrixPart<T>& part, const EntrySlots& slots);
  void take_row_sizes(std::vector<DistributedColumns>& columns);
  template <class V>
  comm::Body by_slot(std::vector<comm::Body> parts) const;
  void share_sizes(comm::Rank& rank, bool is_symmetric, bool is_distributed);
  SharedList<double> shared_sizes(comm::Rank& rank, bool is_distributed, std::vector<double> seen) const;

  comm::Body start_, row_, col_, value_;       ///< Index, int32, int32, T
  std::vector<comm::Body> starts_;             ///< start_ of each rank's part of them, in the order of ranks
  SharedList<double> row_size_, col_size_;     ///< where B is symmetric, the same list
  std::vector<double> seen_rows_, seen_cols_;  ///< during distribute: the same of my part of A

  // Of my part of A: place of each entry among those for all ranks, rank after rank (-1: it is not assembled), and the first of
  // each rank.
  LargeVector<Index> position_;
  std::vector<Index> first_;
  std::shared_ptr<LargeVector<T>> filled_;                          ///< the values there
  comm::Body row_position_, col_position_, row_scale_, col_scale_;  ///< of A's rows and columns in B
  std::vector<int> owner_;                                          ///< of slots, for whom that holds
  bool has_routes_ = false;
};

}  // namespace overlapack::sparse
