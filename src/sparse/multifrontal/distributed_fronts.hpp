#pragma once
#include "base/block_pool.hpp"
#include "dist/tree/load_board.hpp"
#include "dist/tree/tree_walk.hpp"
#include "sparse/multifrontal/eliminate.hpp"
#include "sparse/multifrontal/entries.hpp"
#include "sparse/multifrontal/front_masters.hpp"
#include "sparse/multifrontal/grid_root.hpp"
#include "sparse/multifrontal/held_strips.hpp"
#include "sparse/multifrontal/shared_fronts.hpp"

#include <map>

namespace overlapack::sparse {

/// The fronts whose border rows are dealt to several ranks: one rank, the master, eliminates the fully summed part and
/// sends it in steps to the strips, which update their rows meanwhile. Messages and their order:
/// docs/multifrontal-protocol.md.
/// Source  paper 1, section 2 (type 2 nodes) and section 4.1
template <class T>
class DistributedFronts {
 public:
  DistributedFronts(FactorState<T>& state, const EntryStore<T>& entries, const MultifrontalPlan& plan,
                    dist::TreeWalk& walk, BlockPool& pool, const PivotTest<T>& test, GridRoot<T>* root);

  FrontMasters<T>& masters() { return masters_; }
  void received(comm::Message message);
  /// At the end of the walk: the last news of loads, where they share its lane.
  void close() { loads_.close(); }
  bool is_closed() const { return loads_.is_closed(); }
  /// After the walk: no more news of loads.
  void finish() { loads_.finish(); }
  std::int64_t load_messages() const { return loads_.news_sent(); }
  /// A task of this rank can be done now.
  void ready(Index task) { here_.add_load(task_flops(here_.structure, task)); }
  /// Work of this rank that is done.
  void worked(double flops) { here_.add_load(-flops); }

 private:
  void send_whole(Index child, const Strips& parent);
  void take_piece(comm::Message message);

  dist::LoadBoard loads_;
  SharedFronts<T> here_;
  FrontMasters<T> masters_;
  HeldStrips<T> strips_;
  /// Distributed children of whole fronts of mine: rows on their way to me.
  std::map<Index, Index> rows_left_;
};

}  // namespace overlapack::sparse
