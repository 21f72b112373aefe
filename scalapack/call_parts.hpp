#pragma once
#include "arguments.hpp"
#include "call.hpp"
#include "submatrix.hpp"

/// What the routines for LU and for Cholesky have in common.
namespace overlapack::scalapack {

/// Checks of A for factorisations, besides CHK1MAT.
void require_square_blocks(ArgumentCheck& check, const Submatrix& A);

/// Checks of B for solves, besides CHK1MAT: its rows are distributed as A's.
void require_rows_beside(ArgumentCheck& check, const Grid& grid, const Submatrix& A, const Submatrix& B);

/// The grid of a matrix.
inline Grid grid_of(const Submatrix& X) { return find_grid(X[DescriptorEntry::ctxt]); }
inline int no_grid(const Submatrix& X) {
  return -(100 * X.descriptor_at + static_cast<int>(DescriptorEntry::ctxt));
}

/// Add to the counters of the session.
void count(const dense::FactorResult& result);

/// solve(columns) for the columns of sub(B), which may begin inside of a block: those up to the next block apart.
template <class T, class Solve>
void for_columns(const Position& position, const Submatrix& B, T* local_b, Solve&& solve) {
  const Index next_block = std::min<Index>(B.cols, B[DescriptorEntry::nb] - B.j_in_block());
  for (const auto& [c0, c1] : {std::pair<Index, Index>{0, next_block}, {next_block, B.cols}})
    if (c0 < c1) solve(view(B, local_b, position.grid, position.me, c0, c1));
}

}  // namespace overlapack::scalapack
