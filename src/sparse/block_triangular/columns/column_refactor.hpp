#pragma once
#include "comm/rank.hpp"
#include "sparse/block_triangular/columns/column_lu.hpp"

#include <vector>

namespace overlapack::sparse::block_triangular {

/// The numbers of L and U where pivots and patterns are known: those of other values, or predicted. No search, no
/// choice, no memory but a vector and one more for each thread, and products by nodes (arrange_by_nodes, the first time). Source: as KLU's
/// refactorisation, Davis and Palamadai Natarajan, ACM TOMS 37 (2010), but for nodes, tests and threads. Sets of columns that need
/// none of each other are slices, which others of this process may take; the numbers are the same, whoever computes them. Where a
/// pivot does not pass the test that a diagonal entry must pass in ColumnLu, though with less than its threshold
/// (pivot_share), or a number is not finite, only the columns before it are right: ColumnLu goes on from there.
template <class T>
class ColumnRefactor {
 public:
  /// factors: of ColumnLu on a matrix with the pattern of A and the same analysis, or as predicted_columns makes them
  /// pivot_share: of the threshold, that a pivot must reach
  /// threads: that may take slices of mine (comm::slice_threads)
  ColumnRefactor(const SparseMatrix<T>& A, const Analysis& analysis, const PivotTest<T>& test,
                 const FactorPlan& plan, double pivot_share, ColumnFactors<T>& factors, int threads = 1);

  /// The sets of columns, before all others.
  void run_sets(comm::Rank& rank);
  /// Up to `count` columns more.
  void advance(Index count);
  bool is_done() const {
    const auto rest = factors_.sets.rest();
    return next_ == rest.size() || rest[next_] >= failed_;
  }
  /// How many are done.
  Index column() const { return factors_.sets.start[factors_.sets.count()] + static_cast<Index>(next_); }
  /// Once it is done: the first column whose pivot failed, or their number.
  Index right_until() const { return failed_; }
  const ColumnStats& stats() const { return rest_.stats; }

 private:
  /// What the columns of one set, or of the rest, need for themselves.
  struct Part {
    LargeVector<T> x{};  ///< the column by pivots; zero between columns
    Index block = 0;     ///< of the column at hand
    ColumnStats stats{};
    RoundingTest<T> rounding;
  };

  Index run(std::span<const Node> columns, Part& part) const;
  bool refactorize_column(Index column, Part& part) const;
  void subtract_node(Index j, Index last, T* upper, Part& part) const;
  bool accepts(Index column, Real<T> largest, Real<T> column_size, Part& part) const;

  const SparseMatrix<T>& A_;
  const Analysis& analysis_;
  PivotTest<T> test_;  ///< of a pivot that is kept
  ColumnFactors<T>& factors_;
  LargeVector<Node> pivot_of_row_;  ///< of A
  Part rest_;                       ///< with the figures of all
  std::size_t next_ = 0;            ///< of the rest
  Index failed_;                    ///< the first column that did, so far
};

}  // namespace overlapack::sparse::block_triangular
