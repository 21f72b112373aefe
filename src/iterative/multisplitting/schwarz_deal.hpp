#pragma once
#include "base/bytes_of.hpp"
#include "comm/message.hpp"
#include "iterative/driver/row_deal.hpp"

#include <memory>

namespace overlapack::iterative {

/// The rank that has a block: consecutive blocks, as many on each rank as can be.
inline int rank_of_block(int block, int blocks, int ranks) {
  return static_cast<int>(static_cast<std::int64_t>(block) * ranks / blocks);
}

/// `own`, then the rows reached from them in `layers` steps along the entries of A, ascending.
/// Cost    the entries of these rows
template <class T>
RowNumbers extended_rows(const RowDistribution<T>& deal, const RowNumbers& own, int layers);

/// How rank 0 deals a matrix in overlapping blocks: each rank the rows of its blocks. Empty on the other ranks.
template <class T>
struct BlockDeal {
  struct Rows {
    RowNumbers W, S;  ///< the block's rows; these and then those of its overlap
  };
  std::vector<int> owner;  ///< of each row
  std::unique_ptr<RowDistribution<T>> rows;
  std::vector<std::vector<Rows>> blocks;  ///< by rank
};
/// Shapes  block: of each row, below `blocks`; A: null elsewhere than on rank 0
template <class T>
BlockDeal<T> deal_blocks(const SparseMatrix<T>* A, std::span<const int> block, int blocks, int ranks,
                         int overlap);

/// The rows S of an extended block, split into A(S, S), and A(S, rest) by rows.
template <class T>
struct ExtendedBlock {
  SparseMatrix<T> inside;
  RowNumbers own;              ///< of W: positions in the rank's state
  RowNumbers start, position;  ///< of A(S, rest): offsets; positions of the unknowns in the rank's state
  RowNumbers beyond;           ///< of S without W: positions in the state, where they are in it
  RowNumbers shared_by;        ///< of S: number of blocks that have this row
  std::vector<T> value;

  std::size_t order() const { return own.size() + beyond.size(); }
  double bytes() const {
    return bytes_of(inside.start, inside.row, inside.value, own, start, position, beyond, shared_by, value);
  }
};

/// Whether a rank's halo has what a block's equations need from beyond S, or the rows of S themselves.
enum class BlockHalo : std::uint8_t { around, inside };

/// Scatters the blocks from rank 0, after it has added to the halos in `deal` what `halo` says; A(S, rest) is empty for `inside`,
/// beyond is -1 for unknowns that are not in the state.
/// Sync    collective
template <class T>
std::vector<ExtendedBlock<T>> scatter_blocks(comm::Rank& rank, BlockDeal<T>& deal, Symmetry symmetry,
                                             BlockHalo halo);

}  // namespace overlapack::iterative
