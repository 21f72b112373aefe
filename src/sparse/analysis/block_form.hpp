#pragma once
#include "sparse/analysis/scaling.hpp"
#include "sparse/analysis/tree_choice.hpp"

#include <optional>

namespace overlapack::sparse {

/// Whether block triangular form is worth a trial, by the plan and what is already known about A.
template <class T>
bool may_use_block_triangular_form(const SparseMatrix<T>& A, const Scaling& scaling,
                                   const AnalysisPlan& plan);

/// What analyse_by_blocks found out about the diagonal blocks, if they are not used.
struct BlockTrial {
  /// plan.block_form is auto and there is only one block, so that analyse_one_block may follow.
  bool is_one_block = false;
  std::size_t edges = 0;    ///< edges of the blocks' graph, counted from both ends
  std::vector<Node> order;  ///< AMD's order of the columns by that graph
};

/// Analyse the block triangular form of the matched matrix. Its diagonal blocks depend on each other in one direction only. Each is ordered by
/// itself, and entries outside the diagonal blocks are never factorised. No value if plan.block_form is auto and fronts are likely to be
/// faster; `trial` then has the facts that were found.
/// Shapes  scaling: as choose_scaling makes it, of full structural rank
/// Cost    O(nnz) and the ordering of the blocks
/// Source  Davis and Palamadai Natarajan, Algorithm 907: KLU, ACM TOMS 37 (2010), sections 2 and 3
template <class T>
std::optional<Analysis> analyse_by_blocks(const SparseMatrix<T>& A, const Scaling& scaling,
                                          const AnalysisPlan& plan, BlockTrial& trial, comm::Tasks& tasks);

/// Analyse a matrix that is one block, as analyse_by_blocks does, with its columns in this order.
template <class T>
Analysis analyse_one_block(const SparseMatrix<T>& A, const Scaling& scaling, const AnalysisPlan& plan,
                           std::span<const Node> columns, comm::Tasks& tasks);

/// Whether LU in this order has so much work that fronts are faster than columns (AnalysisPlan::low_fill).
bool wants_fronts(const OrderedTree& tree, const AnalysisPlan& plan);

/// The smaller of two numbers of factorisations (Analysis::order_pays_after), where 0 means none.
inline double first_of(double a, double b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

/// The diagonal block B(b, b) of an analysis by blocks, permuted and scaled.
/// row_position: row_position[analysis.row_perm[i]] = i
template <class T>
SparseMatrix<T> diagonal_block(const SparseMatrix<T>& A, const Analysis& analysis,
                               std::span<const Node> row_position, Index block);

/// The inverse of a permutation: position[perm[k]] = k.
std::vector<Node> positions(std::span<const Index> perm);

}  // namespace overlapack::sparse
