#pragma once
#include "base/large_memory.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/analysis/graph/graph.hpp"
#include "sparse/block_triangular/columns/rounding_test.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse::block_triangular {

/// Entries by columns, column k in start[k] .. start[k + 1).
template <class T>
struct EntryColumns {
  std::vector<Index> start;
  LargeVector<Node> row;
  LargeVector<T> value;

  Index size() const { return static_cast<Index>(row.size()); }
  void reserve(std::size_t entries) {
    row.reserve(entries);
    value.reserve(entries);
  }
  void clear(Index columns) {
    start.assign(static_cast<std::size_t>(columns) + 1, 0);
    row.clear();
    value.clear();
  }
};

/// Sets of columns independent of each other, and the rest, which depends on them: as find_column_sets.
struct ColumnSets {
  std::vector<Node> column;  ///< set after set, then the rest, each in ascending order
  std::vector<Index> start;  ///< of each set and of the rest, and its end; empty: not computed
  int threads = 0;           ///< for which the sets were made

  Index count() const { return static_cast<Index>(start.size()) - 2; }
  std::span<const Node> set(Index s) const {
    return std::span(column).subspan(static_cast<std::size_t>(start[s]),
                                     static_cast<std::size_t>(start[s + 1] - start[s]));
  }
  std::span<const Node> rest() const { return set(count()); }
};

/// The factors of a matrix in block upper triangular form, its blocks' rows in the order of their pivots:
///   B(b, b) = L U for each block b that is factorised column by column; the columns of `upper` hold U above its diagonal and, for
/// every block, the entries above it in earlier blocks.
///   B = L D L^T (L D L^H) of a symmetric (Hermitian) matrix, one block whose columns have their rows' order; `upper` is empty.
template <class T>
struct ColumnFactors {
  std::vector<Index> block_start;
  std::vector<char> by_fronts;   ///< block -> 1: its factors are elsewhere
  EntryColumns<T> lower, upper;  ///< L without its diagonal of ones
  LargeVector<T> pivot;          ///< the diagonal of U, or of D
  LargeVector<T>
      pivot_off;  ///< LDL^T: pivot_off[k] != 0 couples pivots k and k + 1 as D(k + 1, k); LU: empty
  bool is_hermitian = false;
  LargeVector<Node> row_of_pivot;  ///< position of the pivot's row in the analysed order
  Index off_diagonal = 0;          ///< pivots that were not taken from the diagonal
  std::vector<Node> node_end;      ///< as arrange_by_nodes; empty: not arranged
  ColumnSets sets;

  Index columns() const { return static_cast<Index>(pivot.size()); }
  Index blocks() const { return static_cast<Index>(block_start.size()) - 1; }
  bool is_symmetric() const { return !pivot_off.empty(); }
};

/// factors <- the pattern that the analysis predicted, pivots on the diagonal; numbers are allocated, not set.
/// Shapes  analysis.columns: not empty; factors: their memory is reused
template <class T>
void predicted_columns(const Analysis& analysis, ColumnFactors<T>& factors);

/// Statistics of a factorisation column by column.
struct ColumnStats {
  /// kept: those of an earlier factorisation, or predicted, that passed the test
  PivotFigures pivots;
  Index shared_columns = 0;   ///< in sets for several threads
  bool has_given_up = false;  ///< LDL^T gave up: no factors (ColumnPlan::may_give_up)
  SmallestPivot smallest;     ///< relative to the largest entry of its column
  double flops = 0;
};

/// Left-looking LU of the diagonal blocks, one column after the other, on one rank: the pattern of a column by a search through
/// L's graph, which symmetric pruning keeps short, then its numbers, then its pivot: the diagonal entry if it is at least
/// threshold x the largest of the column, else the largest.
/// Source  Gilbert and Peierls, Sparse partial pivoting in time proportional to arithmetic operations, SIAM J. Sci. Stat.
///         Comput. 9 (1988); Eisenstat and Liu, Exploiting structural symmetry in a sparse partial pivoting code, ibid. 14 (1993)
template <class T>
class ColumnLu {
 public:
  /// factors: the caller's; their memory is reused
  /// test: replacement > 0: smaller pivots are replaced by it; else they are tested as the plan says
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
  void take_up(Index right_until);
  void start_block();
  void give_diagonal(Node pivot_row);
  void finish_block();
  void factorize_column();
  void scatter();
  void search(Node pivot);
  void eliminate();
  void choose_pivot();
  void prune(Node pivot_row);
  void replace(Node& pivot_row, Real<T> size);
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

  LargeVector<Node> pivot_of_row_;  ///< -1: not yet
  LargeVector<Node> diagonal_of_;   ///< column -> the row that counts as its diagonal
  LargeVector<Node> column_of_diagonal_;
  LargeVector<Index> pruned_end_;  ///< end of column j's rows of L that a search follows
  LargeVector<Node> marked_by_;    ///< row -> the last column that reached it
  LargeVector<T> x_;               ///< the column by rows; zero between columns
  std::vector<Node> reached_;      ///< rows without a pivot in the column
  std::vector<Node> topological_;  ///< from top_ on: pivots that update the column, in order
  Index top_ = 0;
  std::vector<Node> path_;
  std::vector<Index> path_next_;
};

/// Solves with one diagonal block and the entries above it; x: positions x width, row by row.
/// L U x = x in block b, then x <- x - U(:, b) x in earlier blocks; or L D L^T x = x.
template <class T>
void solve_block(const ColumnFactors<T>& factors, Index block, T* x, Index width);
/// x <- x - U(:, b)^T x of earlier blocks, then (L U)^T x = x in block b.
template <class T>
void solve_block_transposed(const ColumnFactors<T>& factors, Index block, T* x, Index width);

}  // namespace overlapack::sparse::block_triangular
