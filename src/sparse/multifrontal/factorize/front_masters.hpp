#pragma once
#include "sparse/multifrontal/factorize/strip_choices.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"
#include "sparse/multifrontal/front/front_steps.hpp"
#include "sparse/multifrontal/front/low_rank_front.hpp"
#include "sparse/multifrontal/message/strip_messages.hpp"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// This rank as the master of distributed fronts: it chooses the ranks of the strips, eliminates the fully
/// summed part in steps, and sends the panel of each step to the strips.
/// Source  paper 1, section 2 (type 2 nodes)
template <class T>
class FrontMasters {
 public:
  using Done = std::function<void(const Elimination&)>;

  FrontMasters(const StripContext<T>& here, const PivotTest<T>& test);

  /// Front f, of which names, original entries and delayed parts are assembled: choose the ranks of its strips, and fetch
  /// the children's rows. Calls `done` once all pivots are eliminated or delayed.
  void start(Front<T>& front, Done done);
  /// Send to the master of the parent, if the parent is in strips too, which ranks have the rows of this
  /// front. Once, from `done`.
  void announce_to_parent(const Front<T>& front);
  /// Called with the message of another master's announce_to_parent.
  void handle_announcement(const comm::Message& message);
  /// Called with rows of a child for a front that this rank is master of.
  void handle_piece(comm::Message message);
  /// Figures of the compressed fronts.
  const LowRankTally& low_rank() const { return low_rank_; }

 private:
  struct Master {
    Front<T>* front = nullptr;
    Strips strips;
    Index rows_left = 0;              ///< of children, on their way to this master
    Index senders_left = 0;           ///< early = wait: senders whose piece for this master has not come
    std::vector<HeldMessage> pieces;  ///< received, not yet added
    std::unique_ptr<FrontSteps<T>> steps;
    std::unique_ptr<LowRankFront<T>> in_blocks;  ///< for a compressed front, in the place of `steps`
    std::vector<std::int32_t> row_order, col_order;
    Done done;

    bool has_all() const { return rows_left == 0 && senders_left == 0; }
  };

  void send_descriptions(const Master& master);
  std::vector<StripEntries<T>> entries_by_strip(const Master& master) const;
  std::vector<int> senders_to(Index f, Index first, Index end) const;
  Strips holders_of(Index child) const;
  void fetch_children(Master& master);
  void begin_elimination(Master& master);
  void assemble(Master& master);
  void eliminate_next_panel(Master& master);
  void eliminate_next_panel_in_blocks(Master& master);
  void finish_front(Master& master);
  void finish_front_in_blocks(Master& master);

  Index child_delayed(Index child) const;
  std::vector<Index> delayed_of_children(Index f) const;

  const StripContext<T>& here_;
  PivotTest<T> test_;
  StripChoices<T> choices_;
  LowRankTally low_rank_;
  std::map<Index, Master> masters_;       ///< until all pivots are eliminated or delayed
  std::map<Index, Strips> child_strips_;  ///< eliminated child of a front of this master -> ranks of its rows
};

}  // namespace overlapack::sparse::multifrontal
