#pragma once
#include "kernels/operand.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

namespace overlapack::kernels {

/// The elimination of a front's fully summed part in steps of some pivots, so that what one step made can be on its way
/// to others before the next begins. All steps together do what lu_panel, ldlt_panel or cholesky_panel does at once.
template <class T>
class PanelSteps {
 public:
  virtual ~PanelSteps() = default;

  /// The next pivots, at most `width` of them and at least one unless none is left. Afterwards every column is up to date
  /// with them. Returns how many; 0 at the end: then the columns that are left failed the pivot test.
  virtual Index next(Index width) = 0;
  /// Of the last step, LU only: pivot i was row exchanged()[i] of P, which took the place of the pivot's own row.
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

/// Without numbers: each of `summed` pivots is taken where it stands.
template <class T>
std::unique_ptr<PanelSteps<T>> pivots_in_order(Index summed) {
  class InOrder final : public PanelSteps<T> {
   public:
    explicit InOrder(Index summed) : summed_(summed) {}
    Index next(Index width) override {
      exchanged_.resize(static_cast<std::size_t>(std::min(width, summed_ - this->eliminated_)));
      std::iota(exchanged_.begin(), exchanged_.end(), static_cast<std::int32_t>(this->eliminated_));
      this->eliminated_ += static_cast<Index>(exchanged_.size());
      return static_cast<Index>(exchanged_.size());
    }
    std::span<const std::int32_t> exchanged() const override { return exchanged_; }

   private:
    Index summed_;
    std::vector<std::int32_t> exchanged_;
  };
  return std::make_unique<InOrder>(summed);
}

/// Which columns of a panel the next step tries: rounds over those that failed, until a round gains nothing.
struct PanelRound {
  Index next = 0;    ///< columns before it are eliminated
  Index end = 0;     ///< columns next..end-1 have not been tried in this round
  Index gained = 0;  ///< pivots of this round
  Index number = 0;  ///< 1: the first round

  bool is_over() const { return next == end; }
  void begin(Index cols) {
    end = cols;
    gained = 0;
    ++number;
  }
  void took(Index pivots, Index failed) {
    next += pivots;
    end -= failed;
    gained += pivots;
  }
};

}  // namespace overlapack::kernels
