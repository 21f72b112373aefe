#pragma once
#include "dense/lu/panel/panel.hpp"

namespace overlapack::dense {

/// The rows of a panel while PanelElimination eliminates it. Rows and columns count from the panel's first.
///
/// The rows of the pivots found so far are in top(), L11 \ U11, of which each process of the process column has a copy: each pivot row
/// is sent to all of them, whole. A process that is alone in its column works in A itself: find_pivot exchanges only the entries of the
/// pivot's column, and exchange() those of other columns later, block by block.
template <class T>
class PanelRows {
 public:
  PanelRows(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first, Index width,
            const comm::Key& key);

  comm::Rank& rank() const { return moves_.rank(); }
  bool is_alone() const { return column_.size() == 1; }
  Index width() const { return mine_.cols; }
  /// Number of pivots at the end: fewer than columns if there are fewer rows.
  Index most_pivots() const { return static_cast<Index>(factor_.pivots.size()); }

  MatrixView<T> top() const { return top_; }
  /// My rows that are not pivot rows when `pivots` pivots have been found.
  MatrixView<T> below(Index pivots) const {
    const Index begin = A_.first_row({first_ + pivots}) - A_.first_row({first_});
    return mine_.block(begin, 0, mine_.rows - begin, mine_.cols);
  }

  /// Make the row with the largest entry in column j row j; false if that entry is zero.
  bool find_pivot(Index j);
  /// Apply the row exchanges of pivots p0..p1-1 in columns c0..c1-1.
  void exchange(Index p0, Index p1, Index c0, Index c1);

  /// After the last pivot: copy top() so that both A and the result have it.
  PanelFactor<T> finish();

 private:
  void find_local_pivot(Index j);
  void find_pivot_over_ranks(Index j);
  dist::PivotRow<T> best_row(Index j) const;
  MatrixView<T> row(Index global) const;

  dist::Moves<T>& moves_;
  const dist::DistributedMatrix<T>& A_;
  comm::collective::Group column_;
  Index first_;
  comm::Key key_;
  MatrixView<T> mine_, top_;
  PanelFactor<T> factor_;
};

}  // namespace overlapack::dense
