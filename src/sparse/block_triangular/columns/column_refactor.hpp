#pragma once
#include "comm/rank.hpp"
#include "sparse/block_triangular/columns/column_lu.hpp"

#include <vector>

namespace overlapack::sparse::block_triangular {

/// Computes the numbers of L and U for known pivots and patterns: of an earlier factorisation, or predicted. No search, no
/// pivot choice, no memory but a vector and one more for each thread, and products by nodes (arrange_by_nodes, the first time).
/// Source: as KLU's refactorisation, Davis and Palamadai Natarajan, ACM TOMS 37 (2010), but for nodes, tests and threads.
/// Independent sets of columns are slices, which other threads of this process may run; the numbers are the same on any thread.
/// If a pivot fails the test of a diagonal entry in ColumnLu, with pivot_share of its threshold, or a number is not finite, only
/// the columns before it are right: ColumnLu goes on from there.
template <class T>
class ColumnRefactor {
 public:
  /// factors: of ColumnLu on a matrix with the pattern of A and the same analysis, or as predicted_columns makes them
  /// pivot_share: share of the threshold that a pivot must reach
  /// threads: that may run slices of this rank (comm::slice_threads)
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
  /// State of one set of columns, or of the rest.
  struct Part {
    LargeVector<T> x{};  ///< the column by pivots; zero between columns
    Index block = 0;     ///< of the current column
    ColumnStats stats{};
    RoundingTest<T> rounding;
  };

  Index run(std::span<const Node> columns, Part& part) const;
  bool refactorize_column(Index column, Part& part) const;
  void subtract_node(Index j, Index last, T* upper, Part& part) const;
  bool accepts(Index column, Real<T> largest, Real<T> column_size, Part& part) const;

  const SparseMatrix<T>& A_;
  const Analysis& analysis_;
  PivotTest<T> test_;           ///< with the threshold of kept pivots
  const Index joint_accesses_;  ///< ColumnPlan
  ColumnFactors<T>& factors_;
  LargeVector<Node> pivot_of_row_;  ///< of A
  Part rest_;                       ///< its stats: those of all columns
  std::size_t next_ = 0;            ///< position in the rest
  Index failed_;                    ///< the first column that has failed so far
};

}  // namespace overlapack::sparse::block_triangular
