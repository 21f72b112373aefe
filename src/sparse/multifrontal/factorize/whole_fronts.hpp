#pragma once
#include "dist/tree/tree_walk.hpp"
#include "sparse/multifrontal/factorize/front_assembly.hpp"
#include "sparse/multifrontal/factorize/tally.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"

#include <functional>
#include <utility>

namespace overlapack::sparse {

/// Fronts that are whole on their owner: single ones, or small subtrees in one event. Other ranks may take slices.
/// Source  paper 1, section 2 (type 1 nodes)
template <class T>
class WholeFronts final : public FrontKind {
 public:
  /// worked: called with the flops of a task that is done
  WholeFronts(dist::TreeWalk& walk, FactorState<T>& state, const FactorPlan& plan, const PivotTest<T>& test,
              FrontAssembly<T>& assembly, Tally<T>& tally, std::function<void(double)> worked);

  bool start(Index task) override;

 private:
  /// Do f as an event of its own, or inside the event of a small subtree.
  template <class F>
  void stage(const comm::Work& work, F&& f);
  void eliminate_front(Index f);
  Front<T>& assemble(Index f);
  void eliminate(Front<T>& front);
  void hold_block(Front<T>& front);
  void update(Front<T>& front);
  void add_children(Front<T>& front);
  void leave(Front<T>& front);

  comm::Rank& rank_;
  dist::TreeWalk& walk_;
  FactorState<T>& state_;
  const Structure& structure_;
  Eliminator<T> eliminator_;
  FrontAssembly<T>& assembly_;
  Tally<T>& tally_;
  std::function<void(double)> worked_;
  const bool cuts_fronts_;       ///< somebody else has messages for this rank, or takes slices
  bool inside_subtree_ = false;  ///< several fronts run as one event
};

}  // namespace overlapack::sparse
