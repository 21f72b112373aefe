#pragma once
#include "kernels/pivoting/pivot_signs.hpp"
#include "kernels/product/operand.hpp"
#include "kernels/update/update.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace overlapack::kernels {

/// The elimination of a front's fully summed columns in steps of some pivots, so that a rank can send a step's results, and poll
/// for messages, before the whole panel is done. The loop
///
///   while (steps.eliminate_next(width) > 0)
///     for (const Tile& tile : steps.tiles_to_update(flops)) steps.update(tile);
///
/// does step by step what lu_panel, ldlt_panel or cholesky_panel does at once.
template <class T>
class PanelSteps {
 public:
  virtual ~PanelSteps() = default;

  /// Eliminates the next pivots, at most `width` and at least one unless none is left; afterwards their columns are final.
  /// Returns their number. 0 means the end: no column is left, or the remaining columns failed the pivot test.
  virtual Index eliminate_next(Index width) = 0;
  /// The part behind the step's columns, which the step's pivots update, as tiles of at most about `flops` each.
  virtual std::vector<Tile> tiles_to_update(double flops) const = 0;
  /// Update one tile. All tiles of a step must be updated before the next step, in any order or at the same time.
  virtual void update(const Tile& tile) = 0;
  /// LU only, of the last step: its pivot number i was found in row exchanged()[i] of P, which was exchanged with the pivot's own
  /// row.
  virtual std::span<const std::int32_t> exchanged() const { return {}; }

  Index eliminated() const { return eliminated_; }
  Index two_by_two() const { return two_by_two_; }
  Index negative() const { return negative_; }  ///< as in LdltPanelResult
  const MendedPivots& mended() const { return mended_; }

 protected:
  Index eliminated_ = 0, two_by_two_ = 0, negative_ = 0;
  MendedPivots mended_;
};

/// Arguments as in lu_panel; their memory must outlive the object.
template <class T>
std::unique_ptr<PanelSteps<T>> lu_panel_steps(MatrixView<T> P, Real<Scalar<T>> u,
                                              std::span<std::int32_t> row_order,
                                              std::span<std::int32_t> column_order,
                                              Real<Scalar<T>> least = 0);
/// As in ldlt_panel.
template <class T>
std::unique_ptr<PanelSteps<T>> ldlt_panel_steps(MatrixView<T> P, bool hermitian, Real<Scalar<T>> u,
                                                std::span<std::int32_t> order, std::span<Scalar<T>> d,
                                                std::span<Scalar<T>> d_off, Real<Scalar<T>> least = 0,
                                                const PivotSigns<Scalar<T>>& signs = {});
/// As in cholesky_panel. If fewer than P.cols columns are eliminated at the end, the next pivot is not positive.
template <class T>
std::unique_ptr<PanelSteps<T>> cholesky_panel_steps(MatrixView<T> P);

/// For phantom ranks, which have no numbers: the `cols` columns of a panel of `rows` rows are pivots in their order.
template <class T>
std::unique_ptr<PanelSteps<T>> pivots_in_order(Index rows, Index cols, bool is_lower);

/// Which columns of a panel the next step tries. A round tries all columns that are not eliminated; further rounds try those that
/// failed again, until a round finds no pivot.
struct PanelRound {
  Index next = 0;  ///< columns before this one are eliminated
  /// Columns next..end-1 have not been tried in this round, the columns from end on have failed
  Index end = 0;
  Index gained = 0;  ///< number of pivots found in this round
  Index number = 0;  ///< number of this round; 1: the first

  // The last step tried columns first..first+width-1 and eliminated first..first+pivots-1.
  Index first = 0, pivots = 0, width = 0;

  bool is_over() const { return next == end; }
  void begin_round(Index cols) {
    end = cols;
    gained = 0;
    ++number;
  }
  void end_step(Index eliminated, Index tried) {
    first = next;
    pivots = eliminated;
    width = tried;
    next += eliminated;
    gained += eliminated;
  }
  /// The first column behind those that the last step tried.
  Index first_column_behind() const { return first + width; }
  /// Moves the failed columns of the last step to the end, by exchanging them with the last untried columns; exchange(a, b)
  /// exchanges two columns.
  template <class F>
  void move_failed_columns_back(F&& exchange) {
    const Index failed = width - pivots, rest = end - first_column_behind();
    for (Index i = 0; i < std::min(failed, rest); ++i) exchange(next + i, end - 1 - i);
    end -= failed;
    width = pivots;
  }
};

}  // namespace overlapack::kernels
