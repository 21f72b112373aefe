#pragma once
#include "dist/tree/load_board.hpp"
#include "sparse/multifrontal/factorize/end_of_strips.hpp"
#include "sparse/multifrontal/factorize/front_masters.hpp"
#include "sparse/multifrontal/factorize/held_strips.hpp"
#include "sparse/multifrontal/factorize/strip_context.hpp"

#include <map>

namespace overlapack::sparse::multifrontal {

/// The fronts whose border rows are distributed to several ranks: one rank, the master, eliminates the fully summed part and
/// sends it in steps to the strips, which update their rows meanwhile. Messages and their order:
/// docs/multifrontal-protocol.md.
/// Source  paper 1, section 2 (type 2 nodes) and section 4.1
template <class T>
class DistributedFronts final : public FrontKind<T> {
 public:
  /// largest: magnitude of the largest entry of B
  DistributedFronts(const FrontContext<T>& here, const PivotTest<T>& test, double largest);

  void add_waits_of_front(Index f) override;
  bool start(Index task) override;
  void send_contribution_when_final(Index f) override { strips_.send_contribution_when_final(f); }
  bool has_positions_for(Index child) const override { return positions_.contains(child); }
  void send_rows(const Piece<T>& rows) override;
  void on_message(comm::Message message) override;

  FrontMasters<T>& masters() { return masters_; }
  /// Called when a task of this rank begins. If the task is the root of a tree with strips, all ranks hear
  /// that no strip is left below it.
  void on_task_begin(Index task) { end_.on_task_begin(task); }
  /// Called with a message of another rank's load; adds it to what is known here.
  void handle_load_message(const comm::Message& news) { loads_.handle_load_message(news); }
  /// At the end of the walk: sends this rank's last news of loads, if they share the lane of the walk.
  void close() { loads_.close(); }
  bool is_closed() const { return loads_.is_closed(); }
  /// After the walk: no more news of loads.
  void finish_news() { loads_.finish(); }
  /// Figures of the compressed fronts on this rank, as a master and of its strips.
  LowRankTally low_rank() const;
  std::int64_t load_news() const { return loads_.announcements_sent(); }
  /// Called when a task of this rank can be done now: adds its flops to this rank's load, which others may be sent.
  void on_task_ready(Index task) { here_.add_load(task_flops(here_.structure, task)); }
  /// Subtract flops that are done from this rank's load, which others may be sent.
  void count_work_done(double flops) { here_.add_load(-flops); }

 private:
  void finish(Front<T>& front, const Elimination& done);
  void handle_positions(const comm::Message& message);

  dist::LoadBoard loads_;
  StripContext<T> here_;
  FrontMasters<T> masters_;
  HeldStrips<T> strips_;
  EndOfStrips<T> end_;
  std::map<Index, Strips> positions_;  ///< child of which this rank has rows -> where they go in the parent
};

}  // namespace overlapack::sparse::multifrontal
