#pragma once
#include "overlapack/sparse_matrix.hpp"
#include "sparse/block_triangular/columns/column_factors.hpp"
#include "sparse/block_triangular/columns/rounding_test.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <vector>

namespace overlapack::sparse {
struct FactorPlan;
}

namespace overlapack::sparse::block_triangular {

/// Statistics of a factorisation column by column.
struct ColumnStats {
  /// kept: pivots of an earlier factorisation, or predicted ones, that passed the test
  PivotFigures pivots;
  Index shared_columns = 0;   ///< columns in sets for several threads
  bool has_given_up = false;  ///< LDL^T gave up: no factors (ColumnPlan::may_give_up)
  SmallestPivot smallest;     ///< relative to the largest entry of its column
  double flops = 0;
};

/// Left-looking LU of the diagonal blocks, one column after the other, on one rank. A depth-first search
/// through the graph of L, which symmetric pruning keeps short, finds the pattern of a column; then come its
/// numbers, and its pivot: the diagonal entry if it is at least threshold x the largest of the column, else
/// the largest. BlockTriangular runs it.
/// Source  Gilbert and Peierls, Sparse partial pivoting in time proportional to arithmetic operations, SIAM J. Sci. Stat.
///         Comput. 9 (1988); Eisenstat and Liu, Exploiting structural symmetry in a sparse partial pivoting code, ibid. 14 (1993)
template <class T>
class ColumnLu {
 public:
  /// factors: the caller's; their memory is reused
  /// test: with replacement > 0, smaller pivots are replaced by it; else the plan says what becomes of small
  ///         ones
  /// right_until: number of columns that ColumnRefactor has already computed in `factors`
  ColumnLu(const SparseMatrix<T>& A, const Analysis& analysis, const PivotTest<T>& test,
           const FactorPlan& plan, ColumnFactors<T>& factors, Index right_until = 0);

  /// Factorise up to `count` columns more.
  /// Errors  Singular where the plan refuses it; BadInput when numbers leave the range of their type
  void advance(Index count);
  bool is_done() const { return column_ == factors_.columns(); }
  Index column() const { return column_; }
  const ColumnStats& stats() const { return stats_; }

 private:
  void start_factors();
  void start_behind(Index right_until);
  void start_block();
  void swap_diagonals(Node pivot_row);
  void finish_block();
  void factorize_column();
  void scatter();
  void find_pattern();
  void search_from(Node pivot);
  void eliminate();
  Node choose_pivot();
  void store_column(Node pivot_row);
  void prune_columns(Node pivot_row);
  void replace_pivot(Node& pivot_row, Real<T> size);
  void check_pivot(Node& pivot_row);

  const SparseMatrix<T>& A_;
  const Analysis& analysis_;
  PivotTest<T> test_;
  const FactorPlan& plan_;
  ColumnFactors<T>& factors_;
  ColumnStats stats_;
  RoundingTest<T> rounding_;
  std::vector<Node> row_position_;
  Index column_ = 0;  ///< the next column to factorise
  Index block_ = 0;   ///< its block, from first_ to end_
  Index first_ = 0, end_ = 0;
  Real<T> column_size_ = 0;  ///< largest entry of the column in its block

  LargeVector<Node> pivot_of_row_;  ///< row -> its pivot, -1: not yet
  LargeVector<Node> diagonal_of_;   ///< column -> the row that counts as its diagonal
  LargeVector<Node> column_of_diagonal_;
  LargeVector<Index> pruned_end_;  ///< end of column j's rows of L that a search follows
  LargeVector<Node> marked_by_;    ///< row -> the last column that reached it
  LargeVector<T> x_;               ///< the column by rows; zero between columns
  std::vector<Node> reached_;      ///< rows of the column that have no pivot yet
  std::vector<Node> topological_;  ///< from top_ on: pivots that update the column, in topological order
  Index top_ = 0;
  std::vector<Node> path_;
  std::vector<Index> path_next_;
};

}  // namespace overlapack::sparse::block_triangular
