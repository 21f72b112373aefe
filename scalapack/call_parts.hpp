#pragma once
#include "arguments.hpp"
#include "call.hpp"
#include "submatrix.hpp"

/// The common parts of the routines for LU and for Cholesky.
namespace overlapack::scalapack {

/// Check A for a factorisation, in addition to CHK1MAT: it is served if it begins a block and its blocks are square.
void require_square_blocks(ArgumentCheck& check, const Submatrix& A);

/// Check B for a solve, in addition to CHK1MAT: its rows are distributed as A's.
void require_rows_beside(ArgumentCheck& check, const Grid& grid, const Submatrix& A, const Submatrix& B);

/// The grid of a matrix.
inline Grid grid_of(const Submatrix& X) { return find_grid(X[DescriptorEntry::ctxt]); }
inline int no_grid(const Submatrix& X) {
  return -(100 * X.descriptor_at + static_cast<int>(DescriptorEntry::ctxt));
}

/// Add the counters of a factorisation to those of the session.
void count(const dense::FactorResult& result);

/// Call solve(columns) for the columns of sub(B). If sub(B) begins inside a block, the columns up to the next block are solved separately.
template <class T, class Solve>
void for_columns(const Position& position, const Submatrix& B, T* local_b, Solve&& solve) {
  const Index next_block = std::min<Index>(B.cols, B[DescriptorEntry::nb] - B.j_in_block());
  for (const auto& [c0, c1] : {std::pair<Index, Index>{0, next_block}, {next_block, B.cols}})
    if (c0 < c1) solve(view(B, local_b, position.grid, position.me, c0, c1));
}

}  // namespace overlapack::scalapack
