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

/// The elimination of a front's fully summed part in steps of some pivots, so that a step's results can be sent, and
/// messages polled, before all of it is done:
///
///   while (steps.eliminate_next(width) > 0)
///     for (const Tile& tile : steps.tiles_to_update(flops)) steps.update(tile);
///
/// does what lu_panel, ldlt_panel or cholesky_panel does at once.
template <class T>
class PanelSteps {
 public:
  virtual ~PanelSteps() = default;

  /// Eliminates the next pivots, at most `width` and at least one unless none is left; their columns are final then.
  /// Returns their number; 0 at the end: the remaining columns failed the pivot test.
  virtual Index eliminate_next(Index width) = 0;
  /// Tiles, of about `flops` each at most, of the part behind the step's columns, which its pivots update.
  virtual std::vector<Tile> tiles_to_update(double flops) const = 0;
  /// Update all tiles of a step before the next step, in any order or at the same time.
  virtual void update(const Tile& tile) = 0;
  /// Of the last step, LU only: pivot i was row exchanged()[i] of P, which was exchanged with the pivot's own row.
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
/// As in cholesky_panel: where fewer than P.cols are eliminated at the end, the next pivot is not positive.
template <class T>
std::unique_ptr<PanelSteps<T>> cholesky_panel_steps(MatrixView<T> P);

/// For phantom ranks, without numbers: the first `cols` columns of a panel of `rows` rows are pivots in order.
template <class T>
std::unique_ptr<PanelSteps<T>> pivots_in_order(Index rows, Index cols, bool is_lower);

/// Which columns of a panel the next step tries: rounds over those that failed, until a round gains nothing.
struct PanelRound {
  Index next = 0;    ///< columns before it are eliminated
  Index end = 0;     ///< columns next..end-1 have not been tried in this round
  Index gained = 0;  ///< pivots of this round
  Index number = 0;  ///< 1: the first round

  // The last step: it eliminated columns first..first+pivots-1 of first..first+width-1.
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
  /// The first column behind those of the last step.
  Index first_column_behind() const { return first + width; }
  /// Exchanges the failed columns of the last step, by exchange(a, b), with the last untried ones.
  template <class F>
  void move_failed_columns_back(F&& exchange) {
    const Index failed = width - pivots, rest = end - first_column_behind();
    for (Index i = 0; i < std::min(failed, rest); ++i) exchange(next + i, end - 1 - i);
    end -= failed;
    width = pivots;
  }
};

}  // namespace overlapack::kernels
