#pragma once
#include "comm/rank.hpp"
#include "kernels/pivoting/panel_steps.hpp"
#include "sparse/factors/pivot_test.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <memory>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Flops of eliminating e pivots of a front of order f in its panel alone.
template <class T>
double panel_flops(FactorKind kind, Index f, Index e);

/// Pivots that a step takes at the least: narrower ones make slow updates.
constexpr Index least_step = 32;

/// The signs of a front's fully summed variables from `first` on, where they are known: nothing is delayed then, so that these are its own.
template <class T>
kernels::PivotSigns<T> signs_of(const Structure& structure, const PivotTest<T>& test, const Front<T>& front,
                                Index first) {
  return test.signs.from(structure.tree.first_pivot[static_cast<std::size_t>(front.number)] + first);
}

/// The pivots of `width` variables from `first` on, step by step, tested against all rows behind them: as the kind of factors asks.
template <class T>
std::unique_ptr<kernels::PanelSteps<T>> panel_steps(const Structure& structure, const PivotTest<T>& test,
                                                    Front<T>& front, Index first, Index width,
                                                    std::vector<std::int32_t>& row_order,
                                                    std::vector<std::int32_t>& col_order);

/// The fully summed part of an assembled front, eliminated in steps of some pivots between which, and between the tiles of
/// what they change behind them, bytes move: how large fronts are eliminated, and those whose border is distributed to ranks.
template <class T>
class FrontSteps {
 public:
  /// The orders travel with the columns and rows of A; both are used until the object goes. A phantom rank takes each pivot
  /// where it stands.
  FrontSteps(const comm::Rank& rank, const Structure& structure, const PivotTest<T>& test, Front<T>& front,
             std::vector<std::int32_t>& row_order, std::vector<std::int32_t>& col_order);

  /// So many pivots at once as take at most `flops`, but at least 32.
  Index width(double flops) const;
  /// As PanelSteps::next, one event of the trace.
  Index next(comm::Rank& rank, Index width);
  /// What they change behind their columns, in tiles of at most `flops`.
  void update(comm::Rank& rank, double flops);
  const kernels::PanelSteps<T>& panel() const { return *steps_; }

 private:
  double step_flops(Index width) const;

  FactorKind kind_;
  const Front<T>& front_;
  std::unique_ptr<kernels::PanelSteps<T>> steps_;
  Index gained_ = 0;
};

}  // namespace overlapack::sparse::multifrontal
