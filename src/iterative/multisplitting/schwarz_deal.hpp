#pragma once
#include "base/bytes_of.hpp"
#include "comm/message.hpp"
#include "iterative/driver/row_deal.hpp"

#include <memory>

namespace overlapack::iterative {

/// The rank of a block: each rank has consecutive blocks, nearly the same number of them.
inline int rank_of_block(int block, int blocks, int ranks) {
  return static_cast<int>(static_cast<std::int64_t>(block) * ranks / blocks);
}

/// `own`, then, ascending, the other rows that are reached from them in `layers` steps along the entries of A.
/// Cost    a pass over the entries of these rows
template <class T>
RowNumbers extended_rows(const RowDistribution<T>& deal, const RowNumbers& own, int layers);

/// How rank 0 distributes a matrix in overlapping blocks: which rows each rank's blocks have. Empty on the other ranks.
template <class T>
struct BlockDeal {
  struct Rows {
    RowNumbers W, S;  ///< W: the block's rows; S: these, then the rows of its overlap
  };
  std::vector<int> owner;  ///< by row: its rank
  std::unique_ptr<RowDistribution<T>> rows;
  std::vector<std::vector<Rows>> blocks;  ///< by rank
};
/// Makes the blocks on rank 0.
/// Shapes  block: by row, its block, below `blocks`; A: null except on rank 0
template <class T>
BlockDeal<T> deal_blocks(const SparseMatrix<T>* A, std::span<const int> block, int blocks, int ranks,
                         int overlap);

/// The rows S of a block with its overlap, on the block's rank: A(S, S) by columns, and A(S, rest) by rows.
template <class T>
struct ExtendedBlock {
  SparseMatrix<T> inside;  ///< A(S, S)
  RowNumbers own;          ///< by row of W: its position in the rank's state
  /// A(S, rest): offsets by row; positions of the unknowns in the rank's state
  RowNumbers start, position;
  RowNumbers beyond;     ///< by row of S but not W: its position in the state, or -1
  RowNumbers shared_by;  ///< by row of S: number of blocks that have it
  std::vector<T> value;  ///< of A(S, rest)

  std::size_t order() const { return own.size() + beyond.size(); }
  double bytes() const {
    return bytes_of(inside.start, inside.row, inside.value, own, start, position, beyond, shared_by, value);
  }
};

/// What a rank's halo has. around: the unknowns outside of S that the equations of a block need; inside: the unknowns of S
/// themselves.
enum class BlockHalo : std::uint8_t { around, inside };

/// Scatters the blocks from rank 0, which first adds to the halos in `deal` what `halo` says. For `inside`, A(S, rest) is empty.
/// Sync    collective
template <class T>
std::vector<ExtendedBlock<T>> scatter_blocks(comm::Rank& rank, BlockDeal<T>& deal, Symmetry symmetry,
                                             BlockHalo halo);

}  // namespace overlapack::iterative
