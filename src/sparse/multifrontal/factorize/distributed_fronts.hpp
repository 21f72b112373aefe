#pragma once
#include "dist/tree/load_board.hpp"
#include "dist/tree/tree_walk.hpp"
#include "sparse/factors/entry_store.hpp"
#include "sparse/multifrontal/factorize/front_assembly.hpp"
#include "sparse/multifrontal/factorize/front_masters.hpp"
#include "sparse/multifrontal/factorize/grid_root.hpp"
#include "sparse/multifrontal/factorize/held_strips.hpp"
#include "sparse/multifrontal/factorize/shared_fronts.hpp"
#include "sparse/multifrontal/factorize/tally.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"

#include <map>

namespace overlapack::sparse {

/// The fronts whose border rows are dealt to several ranks: one rank, the master, eliminates the fully summed part and
/// sends it in steps to the strips, which update their rows meanwhile. Messages and their order:
/// docs/multifrontal-protocol.md.
/// Source  paper 1, section 2 (type 2 nodes) and section 4.1
template <class T>
class DistributedFronts final : public FrontKind {
 public:
  DistributedFronts(FactorState<T>& state, const EntryStore<T>& entries, const FactorPlan& plan,
                    dist::TreeWalk& walk, const PivotTest<T>& test, FrontAssembly<T>& assembly,
                    Tally<T>& tally, GridRoot<T>* root);

  bool start(Index task) override;

  FrontMasters<T>& masters() { return masters_; }
  void received(comm::Message message);
  /// At the end of the walk: the last news of loads, where they share its lane.
  void close() { loads_.close(); }
  bool is_closed() const { return loads_.is_closed(); }
  /// After the walk: no more news of loads.
  void finish_news() { loads_.finish(); }
  std::int64_t load_messages() const { return loads_.news_sent(); }
  /// A task of this rank can be done now.
  void ready(Index task) { here_.add_load(task_flops(here_.structure, task)); }
  /// Work of this rank that is done.
  void worked(double flops) { here_.add_load(-flops); }

 private:
  void finish(Front<T>& front, const kernels::PanelSteps<T>& steps);
  void send_whole(Index child, const Strips& parent);
  void take_piece(comm::Message message);

  dist::LoadBoard loads_;
  SharedFronts<T> here_;
  FrontAssembly<T>& assembly_;
  Tally<T>& tally_;
  FrontMasters<T> masters_;
  HeldStrips<T> strips_;
  /// Distributed children of whole fronts of mine: rows on their way to me.
  std::map<Index, Index> rows_left_;
};

}  // namespace overlapack::sparse
