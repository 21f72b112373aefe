#pragma once
#include "sparse/block_triangular/column_lu.hpp"

#include <vector>

namespace overlapack::sparse {

/// The numbers of L and U for other values of the same pattern, where pivots and patterns stay what they are: no search, no
/// choice, no memory but two vectors, and products by nodes (arrange_by_nodes, the first time). Source: as KLU's
/// refactorisation, Davis and Palamadai Natarajan, ACM TOMS 37 (2010), but for nodes and tests. As soon as a pivot does not pass the test that a diagonal entry must pass in ColumnLu, or
/// a number is not finite, it gives up; the factors are of no use then.
template <class T>
class ColumnRefactor {
 public:
  /// factors: of ColumnLu on a matrix with the pattern of A and the same analysis
  ColumnRefactor(const SparseMatrix<T>& A, const Analysis& analysis, const PivotTest<T>& test,
                 double singular_pivot, ColumnFactors<T>& factors);

  /// Up to `count` columns more.
  void advance(Index count);
  bool is_done() const { return has_failed_ || column_ == factors_.columns(); }
  bool has_failed() const { return has_failed_; }
  Index column() const { return column_; }
  const ColumnStats& stats() const { return stats_; }

 private:
  bool refactorize_column();
  void subtract_node(Index j, Index last, T* upper);
  bool accepts(Real<T> pivot, Real<T> largest, Real<T> column_size);

  const SparseMatrix<T>& A_;
  const Analysis& analysis_;
  PivotTest<T> test_;
  double singular_pivot_;
  ColumnFactors<T>& factors_;
  ColumnStats stats_;
  std::vector<Node> pivot_of_row_;  ///< of A
  std::vector<T> x_;                ///< the column by pivots; zero between columns
  Index column_ = 0, block_ = 0;
  Index multiply_adds_ = 0, divisions_ = 0;
  bool has_failed_ = false;
};

}  // namespace overlapack::sparse
