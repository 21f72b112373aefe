#pragma once
#include "comm/mailbox/exchange.hpp"
#include "dist/grid/distributed_matrix.hpp"
#include "overlapack/dense.hpp"

#include <string>

/// Turns matrices as callers lay them out, whole on rank 0 or distributed in parts, into distributed matrices of this library.
namespace overlapack::api {

[[noreturn]] inline void refuse(Status status, const std::string& message) { throw Error(status, message); }

/// "3 x 4"
std::string shape_text(Index rows, Index cols);

/// The block size of the layout, at most the size of the matrix.
Index block_of(const dense::Layout& layout);
dist::BlockCyclic rows_of(const dense::Layout& layout);
dist::BlockCyclic cols_of(const dense::Layout& layout);
/// The layout's processes among the ranks of a team.  Errors  BadPlan if there are fewer ranks
dist::ProcessGrid grid_of(const dense::Layout& layout, int ranks);

/// Check the layout.
/// Errors  BadPlan if the layout has no processes or blocks, or begins outside its grid
void require_layout(const dense::Layout& layout);

/// Check that all ranks pass the same layout and type.
/// Sync    collective over the team
/// Errors  as require_layout; BadInput
void require_same_layout(comm::Rank& rank, const dense::Layout& layout, ScalarType type);

/// The layout of a caller's whole matrix: all of it on the first rank.
inline dense::Layout whole_on_rank_0(Index rows, Index cols) {
  return {.rows = rows, .cols = cols, .block = std::max<Index>({rows, cols, 1})};
}

/// A caller's part of a matrix, as the source or the target of a move.
/// Errors  BadInput if its shape is not what the layout distributes to this rank, or there is no memory behind it
template <class T>
dist::DistributedMatrix<T> part_of(const dist::ProcessGrid& grid, comm::Rank& rank,
                                   const dense::Layout& layout, dense::View<T> mine);

/// Copy A to B, which may have another layout.
/// Sync    collective over the team
template <class T>
void redistribute(comm::Rank& rank, const dist::DistributedMatrix<T>& A, const dist::DistributedMatrix<T>& B,
                  const comm::InboxOptions& inbox);

/// Check that all entries of A are finite.
/// Errors  BadInput, naming an entry that is NaN or infinite
template <class T>
void require_numbers(const dist::DistributedMatrix<T>& A);

}  // namespace overlapack::api
