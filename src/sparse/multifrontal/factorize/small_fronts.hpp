#pragma once
#include "sparse/multifrontal/factorize/front_kind.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"

#include <vector>

namespace overlapack::sparse::multifrontal {

/// Eliminates small fronts of symmetric matrices, each in one go: entries, children, pivots, C. The machinery
/// for larger fronts (lists of children, kernels by blocks, blocks of the pool) takes several times longer
/// than the arithmetic of a front with some rows. C goes on a stack if the parent is in the same task, whose
/// fronts come in postorder.
template <class T>
class SmallFronts {
 public:
  SmallFronts(const FrontContext<T>& here, const PivotTest<T>& test, const Eliminator<T>& eliminator);

  /// Eliminates f if it is small, and returns whether it is. A front is not small if its order is too large,
  /// or if one of its children is in another task, delayed pivots or has its block in tiles.
  bool eliminate_if_small(Index f);
  /// Called when front f has taken all that its children left: frees their part of the stack.
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
  Ledger::Entry held_;        ///< bytes of the stack in use
  const Index most_;          ///< largest order of a small front; 0: there are none
  std::vector<T> block_, w_;  ///< C and L21 D of the present front
  bool has_pairs_ = false;    ///< the present front has 2x2 pivots
};

}  // namespace overlapack::sparse::multifrontal
