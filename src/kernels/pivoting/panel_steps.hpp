#pragma once
#include "kernels/product/operand.hpp"
#include "kernels/update/update.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace overlapack::kernels {

/// The elimination of a front's fully summed part in steps of some pivots, so that what one step made can be on its way
/// to others, and bytes can move, before all of it is done:
///
///   while (steps.next(width) > 0)
///     for (const Tile& tile : steps.tiles(flops)) steps.update(tile);
///
/// does what lu_panel, ldlt_panel or cholesky_panel does at once.
template <class T>
class PanelSteps {
 public:
  virtual ~PanelSteps() = default;

  /// The next pivots, at most `width` of them and at least one unless none is left; the columns of the step are final then.
  /// Returns how many; 0 at the end: then the columns that are left failed the pivot test.
  virtual Index next(Index width) = 0;
  /// Tiles of about `flops` each, at most, of what the step's pivots change behind its columns.
  virtual std::vector<Tile> tiles(double flops) const = 0;
  /// All tiles of a step are updated before the next one, in any order or at the same time.
  virtual void update(const Tile& tile) = 0;
  /// Of the last step, LU only: pivot i was row exchanged()[i] of P, which took the position of the pivot's own row.
  virtual std::span<const std::int32_t> exchanged() const { return {}; }

  Index eliminated() const { return eliminated_; }
  Index two_by_two() const { return two_by_two_; }
  Index negative() const { return negative_; }  ///< as in LdltPanelResult

 protected:
  Index eliminated_ = 0, two_by_two_ = 0, negative_ = 0;
};

/// Arguments as in lu_panel; all of them are used until the object goes.
template <class T>
std::unique_ptr<PanelSteps<T>> lu_panel_steps(MatrixView<T> P, Real<Scalar<T>> u,
                                              std::span<std::int32_t> row_order,
                                              std::span<std::int32_t> column_order,
                                              Real<Scalar<T>> least = 0);
/// As in ldlt_panel.
template <class T>
std::unique_ptr<PanelSteps<T>> ldlt_panel_steps(MatrixView<T> P, bool hermitian, Real<Scalar<T>> u,
                                                std::span<std::int32_t> order, std::span<Scalar<T>> d,
                                                std::span<Scalar<T>> d_off, Real<Scalar<T>> least = 0);
/// As in cholesky_panel: where fewer than P.cols are eliminated at the end, the next pivot is not positive.
template <class T>
std::unique_ptr<PanelSteps<T>> cholesky_panel_steps(MatrixView<T> P);

/// Without numbers: each of the first `cols` columns of a panel of `rows` rows is a pivot where it stands.
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
  void begin(Index cols) {
    end = cols;
    gained = 0;
    ++number;
  }
  void took(Index eliminated, Index tried) {
    first = next;
    pivots = eliminated;
    width = tried;
    next += eliminated;
    gained += eliminated;
  }
  /// The first column behind those of the last step.
  Index behind() const { return first + width; }
  /// The columns of the last step that failed change places, by exchange(a, b), with the last ones that have not been tried.
  template <class F>
  void put_back_failed(F&& exchange) {
    const Index failed = width - pivots, rest = end - behind();
    for (Index i = 0; i < std::min(failed, rest); ++i) exchange(next + i, end - 1 - i);
    end -= failed;
    width = pivots;
  }
};

}  // namespace overlapack::kernels
