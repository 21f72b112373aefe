#pragma once
#include "dist/tree/tree_walk.hpp"
#include "sparse/factors/entry_store.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/multifrontal/factorize/front_assembly.hpp"
#include "sparse/multifrontal/factorize/tally.hpp"
#include "sparse/multifrontal/factors/state.hpp"

#include <array>

namespace overlapack::sparse::multifrontal {

/// Fronts of one kind in the walk up the tree: whole on their owner (WholeFronts), with their border rows in strips
/// (DistributedFronts), or distributed over a grid of all ranks (GridRoot). A task has fronts of one kind. A front's own kind says
/// when its contribution block is final, its parent's kind where it goes. Stolen fronts are whole ones with another owner.
template <class T>
class FrontKind {
 public:
  virtual ~FrontKind() = default;

  /// Called before the walk for every front of this kind: adds the walk's holds and dependencies that the
  /// front means for this rank.
  virtual void add_waits_of_front(Index f) = 0;
  /// Called when a task of this rank has all inputs: assemble and eliminate its fronts, and send their
  /// contributions to their parents. Returns whether that is done; if not, jobs go on with it and the last
  /// one completes the task.
  virtual bool start(Index task) = 0;
  /// The parent of f takes pieces and has_positions_for them: send it what this rank has of f's contribution block, now or, by a
  /// job, once that is final.
  virtual void send_contribution_when_final(Index f) = 0;

  /// Called for the parent's kind: does this rank know where the rows of this child go?
  virtual bool has_positions_for(Index child) const = 0;
  /// Called for the parent's kind: send some rows of a child's contribution block, with its delayed columns,
  /// to the ranks that have them in the parent.
  virtual void send_rows(const Piece<T>& rows) = 0;
  /// Called by the walk with a message about a front of this kind, or a piece of a child's for it. Stores it, and adds jobs.
  virtual void on_message(comm::Message message) = 0;
};

/// A message that waits until it can be used; the ledger counts it meanwhile.
struct HeldMessage {
  comm::Message message;
  Ledger::Entry entry;
};

/// Errors  OutOfMemory above a limit
inline HeldMessage hold(comm::Message message, Ledger& ledger) {
  Ledger::Entry entry = ledger.make_entry(message.body.size());
  return {std::move(message), std::move(entry)};
}

/// What all kinds of fronts use on one rank.
template <class T>
struct FrontContext {
  comm::Rank& rank;
  FactorState<T>& state;
  const Structure& structure;
  const EntryStore<T>& entries;
  const FactorPlan& plan;
  dist::TreeWalk& walk;
  FrontAssembly<T>& assembly;
  Tally<T>& tally;
  const std::array<FrontKind<T>*, 3>& kinds;  ///< by Layout; null where the tree has no such front

  FrontKind<T>& kind_of(Index f) const { return *kinds[static_cast<std::size_t>(structure.layout(f))]; }
  FrontKind<T>& kind_of_parent(Index f) const { return kind_of(structure.tree.parent[f]); }
};

}  // namespace overlapack::sparse::multifrontal
