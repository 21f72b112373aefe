#pragma once
#include "sparse/factors/pivot_test.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/plan/structure.hpp"
#include "sparse/multifrontal/tiles/front_cuts.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// The arithmetic of an elimination by tiles with a posteriori pivoting. Step k eliminates pivots of block k of the fully summed
/// variables:
///
///   diagonal(k)      P(k, k) is factorised with exchanges inside of it; some of its columns may find no pivot
///   solve(i, k)      L(i, k) of the other rows; each tile votes for the number of columns whose entries pass the test
///   accept(k, e)     the least vote decides; the columns behind it have failed, and stay where they are
///   restore(i, k)    failed columns as they were, less what the accepted pivots take from them
///   update(i, j, k)  P(i, j) -= L(i, k) U(k, j)
///
/// A column that failed takes part in all later steps as row and column behind the pivots: the live part of
/// its block. The calls for different tiles may come in any order in which each finds its inputs
/// (FrontTasks); the numbers do not depend on it.
///
/// Storage: P(i, k) becomes L(i, k), and P(k, j) becomes U(k, j). In a symmetric front the part above the
/// diagonal is work space: it holds U(k, j) = D L(j, k)^T (^H).
///
/// Source  Duff, Hogg, Lopez, SIAM J. Sci. Comput. 42 (2020), section 3: a posteriori threshold pivoting, for L D L^T. Failed columns
///         that stay in their place, and the same for LU with rows and columns of their own, are ours.
template <class T>
class TileSteps {
 public:
  /// row_order, col_order: labels of the fully summed variables, which travel; one list where the front is symmetric
  /// backup: work space, order x widest block
  TileSteps(const Structure& structure, const PivotTest<T>& test, Front<T>& front, const FrontCuts& cuts,
            std::span<std::int32_t> row_order, std::span<std::int32_t> col_order, std::vector<T>& backup);

  /// Returns the number of columns of block k that have found a pivot.
  /// Errors  BadInput of Cholesky: a pivot is not positive
  Index diagonal(Index k);
  /// Returns the number of columns of block k, of those with a pivot, that pass the test in these rows.
  Index solve(Index i, Index k);
  /// Symmetric: solve for the variables that failed in block j < k. Their entries with block k stand in block
  /// row k.
  Index solve_failed(Index k, Index j);
  /// Returns the number of accepted pivots: `vote`, or one less where that cuts a 2x2 pivot.
  Index accept(Index k, Index vote);
  void restore(Index i, Index k);
  void restore_failed(Index k, Index j);
  /// LU: U(k, j), once the pivots are accepted.
  void solve_row(Index k, Index j);
  void update(Index i, Index j, Index k);

  /// LU: L21 of rows b, counted from the first block of the border.
  void solve_lower(Index b, Index k);
  void update_lower(Index b, Index j, Index k);

  /// Subtracts the products of the pivots of steps from .. to - 1 from the tile of C. The first ones of the
  /// front write the tile without reading it.
  void update_contribution(const ContributionCut& tile, Index from, Index to);

  /// After the last step: puts the rows of L (and columns of U) of block j into the order that later steps
  /// have given to them.
  void finish(Index j);
  /// After everything else: moves the failed columns behind the accepted ones. Returns the number of accepted
  /// ones.
  Index compact();

  bool is_symmetric() const { return structure_.is_symmetric(); }
  bool has_failed(Index block) const { return accepted_[block] < cuts_.width(block); }
  Index failed(Index block) const { return cuts_.width(block) - accepted_[block]; }
  Index cut_pairs() const { return cut_pairs_; }
  const kernels::MendedPivots& mended() const { return mended_; }
  /// 2x2 pivots, and negative eigenvalues of D, among the first e pivots.
  Index two_by_two(Index e) const;
  Index negative(Index e) const;

 private:
  struct Range {
    Index first, size;
  };
  /// The variables of a block that take part in a step: all, or the failed ones if the block's own step is
  /// over.
  Range remaining(Index block, Index step) const {
    const Index first = cuts_.start[block] + (block < step ? accepted_[block] : 0);
    return {first, cuts_.start[block + 1] - first};
  }
  MatrixView<T> part(Range rows, Range cols) const {
    return P_.block(rows.first, cols.first, rows.size, cols.size);
  }
  Range block(Index k) const { return {cuts_.start[k], cuts_.width(k)}; }
  Range pivots(Index k) const { return {cuts_.start[k], accepted_[k]}; }
  Range failed_range(Index k) const { return {cuts_.start[k] + accepted_[k], failed(k)}; }
  std::span<std::int32_t> local(std::vector<std::int32_t>& order, Index k) const {
    return {order.data() + cuts_.start[k], static_cast<std::size_t>(cuts_.width(k))};
  }
  std::span<std::int32_t> rows_of(Index k) { return local(local_rows_, k); }
  std::span<std::int32_t> columns_of(Index k) { return local(is_symmetric() ? local_rows_ : local_cols_, k); }
  std::span<T> d_of(Index k) const {
    return {front_.d + cuts_.start[k], static_cast<std::size_t>(cuts_.width(k))};
  }
  std::span<T> d_off_of(Index k) const {
    return {front_.d_off + cuts_.start[k], static_cast<std::size_t>(cuts_.width(k))};
  }
  /// The copy of tile (i, k), or (k, i), as it was before the present step.
  MatrixView<T> backup_of(Index i, Index rows, Index cols) const {
    return {backup_.data() + cuts_.start[i] * widest_, rows, cols, rows};
  }
  Index count_passed(MatrixView<const T> L) const;
  void restore_diagonal(Index k);
  void move_failed();

  const Structure& structure_;
  const PivotTest<T> test_;
  Front<T>& front_;
  const FrontCuts& cuts_;
  const MatrixView<T> P_, L21_;
  std::span<std::int32_t> row_order_, col_order_;
  std::vector<T>& backup_;
  std::vector<T> kept_diagonal_;
  std::vector<std::int32_t> local_rows_, local_cols_;  ///< position -> which variable of its block is there
  std::vector<Index> tried_, accepted_;  ///< block -> pivots of its diagonal tile; accepted ones
  Index widest_ = 0, cut_pairs_ = 0;
  kernels::MendedPivots mended_;  ///< by the diagonals, which come one after the other
};

}  // namespace overlapack::sparse::multifrontal
