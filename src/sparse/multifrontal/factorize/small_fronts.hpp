#pragma once
#include "sparse/multifrontal/factorize/front_kind.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"

#include <vector>

namespace overlapack::sparse::multifrontal {

/// Small fronts of symmetric matrices whose children are in the same task, each done in one go: entries, children, pivots, C. What
/// larger fronts have around that (lists of children, kernels by blocks, blocks of the pool) takes several times longer than the
/// arithmetic of a front with some rows. C goes on a stack where the parent is in the same task, whose fronts come in postorder.
template <class T>
class SmallFronts {
 public:
  SmallFronts(const FrontContext<T>& here, const PivotTest<T>& test, const Eliminator<T>& eliminator);

  /// Eliminate f if it is one of them; returns whether it was. It is none if it is too large, or a child of its delayed pivots.
  bool eliminate_if_small(Index f);
  /// Front f has all that its children left: so much of the stack is free again.
  void pop_children(Index f);

 private:
  bool is_small_enough(Index f) const;
  Front<T>& begin(Index f);
  void add_entries(const Front<T>& front);
  void add_child(const Front<T>& front, const Front<T>& child);
  Elimination eliminate_pivots(Front<T>& front);
  void find_remaining_pivots(Front<T>& front, Elimination& done);
  MatrixView<const T> multiply_by_d(const Front<T>& front, MatrixView<const T> L21);
  void update(const Front<T>& front);
  void store_contribution(Front<T>& front);
  void set_top(Index top);
  MatrixView<T> block(const Front<T>& front) {
    return {block_.data(), front.border, front.border, padded_ld(front.border)};
  }

  const FrontContext<T> here_;
  FrontSpace<T>& space_;
  const PivotTest<T> test_;
  const Eliminator<T>& eliminator_;
  const bool is_phantom_;     ///< memory is held and nothing computed
  Ledger::Entry held_;        ///< what is on the stack
  const Index most_;          ///< order
  std::vector<T> block_, w_;  ///< C and L21 D of the front at hand
  bool has_pairs_ = false;    ///< of it, for 2x2 pivots
};

}  // namespace overlapack::sparse::multifrontal
