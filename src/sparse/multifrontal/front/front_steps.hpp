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

/// The signs of the pivots of a front's fully summed variables from `first` on, if they are known. Nothing is
/// delayed then, so that all fully summed variables are the front's own.
template <class T>
kernels::PivotSigns<T> signs_of(const Structure& structure, const PivotTest<T>& test, const Front<T>& front,
                                Index first) {
  return test.signs.from(structure.tree.first_pivot[static_cast<std::size_t>(front.number)] + first);
}

/// Elimination by steps of the `width` fully summed variables from `first` on, for this kind of factors. Each
/// pivot is tested against all rows of the front behind it.
template <class T>
std::unique_ptr<kernels::PanelSteps<T>> panel_steps(const Structure& structure, const PivotTest<T>& test,
                                                    Front<T>& front, Index first, Index width,
                                                    std::vector<std::int32_t>& row_order,
                                                    std::vector<std::int32_t>& col_order);

/// Eliminates the fully summed part of an assembled front in steps of some pivots. The rank polls between
/// steps, and between the tiles that a step updates, so that messages move. Eliminator::eliminate_in_slices
/// uses it for long fronts, FrontMasters for fronts whose border is in strips.
template <class T>
class FrontSteps {
 public:
  /// row_order and col_order begin as 0 .. s - 1 and travel with the rows and columns of A; both must outlive
  /// the object. A phantom rank takes each pivot where it stands.
  FrontSteps(const comm::Rank& rank, const Structure& structure, const PivotTest<T>& test, Front<T>& front,
             std::vector<std::int32_t>& row_order, std::vector<std::int32_t>& col_order);

  /// The number of pivots that a step may take in at most `flops`; at least least_step, unless fewer are
  /// left.
  Index width(double flops) const;
  /// PanelSteps::eliminate_next as one event of the trace.
  Index next(comm::Rank& rank, Index width);
  /// Updates the columns behind the step's pivots, in tiles of about `flops` at most.
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
