#pragma once
#include "comm/rank.hpp"
#include "sparse/block_triangular/columns/column_lu.hpp"

#include <vector>

namespace overlapack::sparse::block_triangular {

/// Computes the numbers of L and U, or of L and D, for known pivots and patterns, which come from an earlier
/// factorisation or are predicted. There is no search and no choice of pivots. The only new memory is a vector
/// or two for each thread. Products are by nodes (arrange_by_nodes or list_rows, the first time). Independent
/// sets of columns are slices, which other threads of this process may run; the numbers are the same on any
/// thread. Each pivot is tested as in ColumnLu (a diagonal entry) or ColumnLdlt, with pivot_share of the
/// threshold. If one fails, or a number is not finite, only the columns before it are right. ColumnLu goes on
/// from there; ColumnLdlt begins anew.
/// Source  as KLU's refactorisation, Davis and Palamadai Natarajan, ACM TOMS 37 (2010); nodes, tests, symmetry
///         and threads are ours
template <class T>
class ColumnRefactor {
 public:
  /// factors: made by ColumnLu or ColumnLdlt for a matrix with the pattern of A and the same analysis, or by
  ///         predicted_columns
  /// pivot_share: share of the threshold that a pivot must reach
  /// threads: number of threads that may run slices of this rank (comm::slice_threads)
  ColumnRefactor(const SparseMatrix<T>& A, const Analysis& analysis, const PivotTest<T>& test,
                 const FactorPlan& plan, double pivot_share, ColumnFactors<T>& factors, int threads = 1);

  /// Refactorise the sets of columns; call it before advance.
  void refactorize_sets(comm::Rank& rank);
  /// Refactorise up to `count` more columns of the rest.
  void advance(Index count);
  bool is_done() const {
    const auto rest = factors_.sets.rest();
    return next_ == rest.size() || rest[next_] >= failed_;
  }
  /// Number of columns done.
  Index column() const { return factors_.sets.start[factors_.sets.count()] + static_cast<Index>(next_); }
  /// Once it is done: the first column whose pivot failed, or the number of columns.
  Index right_until() const { return failed_; }
  const ColumnStats& stats() const { return rest_.stats; }

 private:
  /// Work space of a thread.
  struct Space {
    LargeVector<T> x,
        y;             ///< the column by pivots; LDL^T: the second one of a 2x2 pivot. Zero between columns
    std::vector<T> w;  ///< LDL^T: what multiplies the columns of a node
  };
  /// State of one set of columns, or of the rest.
  struct Part {
    Space space{};
    Index block = 0;  ///< of the current column
    ColumnStats stats{};
    RoundingTest<T> rounding;
  };

  Index run(std::span<const Node> columns, Part& part) const;
  // LU
  bool refactorize_column(Index column, Part& part) const;
  void subtract_node(Index j, Index last, T* upper, Part& part) const;
  bool accepts(Index column, Real<T> largest, Real<T> column_size, Part& part) const;
  // LDL^T
  bool refactorize_pivot(Index k, Part& part) const;
  Real<T> gather(Index k, T* x, Part& part) const;
  void subtract(const RowNodes::Part& node, T* x, Part& part) const;
  Real<T> store(Index k, T* x) const;
  bool accepts_1x1(Index k, Real<T> beside, Real<T> size, Part& part) const;
  bool is_above_rounding(Index k, Real<T> pivot, Real<T> size, Part& part) const;

  const SparseMatrix<T>& A_;
  const Analysis& analysis_;
  const double least_share_;    ///< LDL^T: smaller pivots, relative to the size of their column, are rounding
  PivotTest<T> test_;           ///< its threshold is that of kept pivots
  const Index joint_accesses_;  ///< ColumnPlan
  ColumnFactors<T>& factors_;
  LargeVector<Node> pivot_of_row_;  ///< row of A -> its pivot
  Part rest_;                       ///< its stats are those of all columns
  std::size_t next_ = 0;            ///< position in the rest
  Index failed_;                    ///< the first column that has failed so far
};

}  // namespace overlapack::sparse::block_triangular
