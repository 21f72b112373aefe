#pragma once
#include "base/block_pool.hpp"
#include "dist/fronts/load_board.hpp"
#include "dist/fronts/tree_walk.hpp"
#include "sparse/multifrontal/eliminate.hpp"
#include "sparse/multifrontal/entries.hpp"
#include "sparse/multifrontal/grid_root.hpp"
#include "sparse/multifrontal/state.hpp"
#include "sparse/multifrontal/strip.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace overlapack::sparse {

/// The fronts whose border rows are dealt to several ranks: one rank, the master, eliminates the fully summed part in
/// steps and sends each to the strips, which update their rows meanwhile. Messages and their order:
/// docs/multifrontal-protocol.md.
/// Source  paper 1, section 2 (type 2 nodes) and section 4.1: nothing here waits for a certain message; what comes before
///         its turn is parked with its front
template <class T>
class DistributedFronts {
 public:
  DistributedFronts(FactorState<T>& state, const EntryStore<T>& entries, const MultifrontalPlan& plan,
                    dist::TreeWalk& walk, BlockPool& pool, const PivotTest<T>& test, GridRoot<T>* root);

  /// The master's side of front f, of which names, original entries and delayed parts are assembled: choose the ranks of
  /// its strips, and fetch the children's rows. Calls `done` once all pivots are eliminated or delayed.
  void start(Front<T>& front, std::function<void(const kernels::PanelSteps<T>&)> done);
  /// What the master of a distributed front tells the master of its parent, besides the delayed part.
  void announce(const Front<T>& front);
  void arrived(comm::Message message);
  void received(comm::Message message);
  /// At the end of the walk: the last news of loads, where they share its lane.
  void close() { loads_.close(); }
  bool is_closed() const { return loads_.is_closed(); }
  /// After the walk: no more news of loads.
  void finish() { loads_.finish(); }
  std::int64_t load_messages() const { return loads_.news_sent(); }
  /// Work of this rank that is done.
  void worked(double flops) { loads_.add_mine(-flops); }

 private:
  /// One front of mine that is distributed.
  struct Master {
    Front<T>* front = nullptr;
    Strips strips;
    Index rows_left = 0;                ///< of children, on their way to me
    std::vector<comm::Message> pieces;  ///< that came
    std::unique_ptr<kernels::PanelSteps<T>> steps;
    std::vector<std::int32_t> row_order, col_order;
    std::function<void(const kernels::PanelSteps<T>&)> done;
  };
  /// One strip of mine; it begins with whatever message comes first.
  struct Held {
    Strip<T> strip;
    std::optional<StripWork<T>> work;  ///< once described
    comm::Message description;
    Index rows_left = 0;  ///< of children, on their way to me; below zero before the description
    std::vector<comm::Message> pieces;
    std::deque<comm::Message> panels;  ///< not yet applied
    bool is_assembled = false, is_complete = false, has_job = false;
    double predicted_flops = 0;    ///< as its load counts them
    std::optional<Strips> parent;  ///< where its rows go
  };

  // the master's side
  Strips choose_strips(Index f);
  void describe(Master& master);
  void fetch_children(Master& master);
  void fetch(Index child, const Strips& strips);
  void begin(Master& master);
  void assemble(Master& master);
  void step(Master& master);
  void multicast(const std::vector<int>& tree, std::size_t place, const comm::Header& header,
                 const comm::Body& body);
  void end(Master& master);

  // the strips' side
  void pass_on(const comm::Message& panel);
  void described(comm::Message message);
  void note_loads(const Strips& strips, std::span<const double> flops);
  void go_on(Index f);
  bool can_leave(const Held& held, Index f) const;
  void work_on(Index f);
  void assemble(Held& held);
  void complete(Held& held);
  void leave(Index f);

  // contribution rows to their places in the parent
  void send_whole(Index child, const Strips& parent);
  void send_rows(Piece<T> rows, const Strips* parent);
  void send_piece(int to, const Piece<T>& piece, bool to_strip);
  void take_piece(comm::Message message);
  std::vector<Piece<T>> in_order(const std::vector<comm::Message>& messages) const;
  Index rows_for(Index f, Index first, Index end) const;

  Index child_delayed(Index child) const;
  std::vector<Index> delayed_of_children(Index f) const;

  comm::Rank& rank_;
  FactorState<T>& state_;
  const Structure& structure_;
  const EntryStore<T>& entries_;
  const MultifrontalPlan& plan_;
  dist::TreeWalk& walk_;
  BlockPool& pool_;
  PivotTest<T> test_;
  GridRoot<T>* root_;  ///< of the tree, or null
  dist::LoadBoard loads_;
  std::map<Index, Master> masters_;
  std::map<Index, Held> held_;
  std::map<Index, Strips>
      child_strips_;  ///< of other ranks' fronts whose parent is a distributed one of mine
  std::map<Index, Index>
      rows_left_;  ///< distributed children of whole fronts of mine: rows on their way to me
};

}  // namespace overlapack::sparse
