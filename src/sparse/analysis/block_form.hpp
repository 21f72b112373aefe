#pragma once
#include "sparse/analysis/scaling.hpp"
#include "sparse/analysis/tree_choice.hpp"

#include <optional>

namespace overlapack::sparse {

/// Is block triangular form worth a look, by the plan and what is known of A already?
template <class T>
bool may_use_block_triangular_form(const SparseMatrix<T>& A, const Scaling& scaling,
                                   const AnalysisPlan& plan);

/// What a look at the diagonal blocks shows where they are not used.
struct BlockTrial {
  bool is_one_block =
      false;  ///< plan.block_form is auto, and there is one block alone: analyse_one_block may follow
  std::size_t edges = 0;    ///< of the blocks' graph, counted from both ends
  std::vector<Node> order;  ///< of the columns, by AMD on that graph
};

/// Diagonal blocks of the matched matrix that depend on each other in one direction only, each ordered for itself: what
/// stands beside them is never factorised. Nothing if plan.block_form is auto and fronts are likely to be faster.
/// trial <- what is known then
/// Shapes  scaling: as choose_scaling makes it, of full structural rank
/// Cost    O(nnz) and the ordering of the blocks
/// Source  Davis and Palamadai Natarajan, Algorithm 907: KLU, ACM TOMS 37 (2010), sections 2 and 3
template <class T>
std::optional<Analysis> analyse_by_blocks(const SparseMatrix<T>& A, const Scaling& scaling,
                                          const AnalysisPlan& plan, BlockTrial& trial, comm::Tasks& tasks);

/// The same of a matrix of one block, its columns in this order.
template <class T>
Analysis analyse_one_block(const SparseMatrix<T>& A, const Scaling& scaling, const AnalysisPlan& plan,
                           std::span<const Node> columns, comm::Tasks& tasks);

/// Does the work of LU in this order want fronts (AnalysisPlan::low_fill)?
bool wants_fronts(const OrderedTree& tree, const AnalysisPlan& plan);

/// B(b, b) of an analysis by blocks: permuted and scaled.
/// row_position: row_position[analysis.row_perm[i]] = i
template <class T>
SparseMatrix<T> diagonal_block(const SparseMatrix<T>& A, const Analysis& analysis,
                               std::span<const Node> row_position, Index block);

/// position[perm[k]] = k.
std::vector<Node> positions(std::span<const Index> perm);

}  // namespace overlapack::sparse
