#pragma once
#include "sparse/multifrontal/factorize/strip_context.hpp"
#include "sparse/multifrontal/front/eliminate.hpp"
#include "sparse/multifrontal/front/front_steps.hpp"
#include "sparse/multifrontal/front/low_rank_front.hpp"
#include "sparse/multifrontal/message/strip_messages.hpp"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// A rank that chooses strips: of these distributed fronts, and maybe of some between them.
struct StripChooser {
  int rank = 0;
  Index first = 0, last = 0;
};

/// All of them, by rank.
std::vector<StripChooser> strip_choosers(const Structure& structure);

/// This rank as the master of distributed fronts: it chooses who gets strips, eliminates the fully summed part in steps and
/// sends each to the strips.
/// Source  paper 1, section 2 (type 2 nodes)
template <class T>
class FrontMasters {
 public:
  using Done = std::function<void(const Elimination&)>;

  FrontMasters(const StripContext<T>& here, const PivotTest<T>& test);

  /// Front f, of which names, original entries and delayed parts are assembled: choose the ranks of its strips, and fetch
  /// the children's rows. Calls `done` once all pivots are eliminated or delayed.
  void start(Front<T>& front, Done done);
  /// What the master of a distributed front tells the master of its parent, besides the delayed part.
  void announce(const Front<T>& front);
  /// That, from another rank.
  void take_announcement(const comm::Message& message);
  /// Rows of a child.
  void take_piece(comm::Message message);
  /// What the compressed ones came to.
  const LowRankTally& low_rank() const { return low_rank_; }

 private:
  struct Master {
    Front<T>* front = nullptr;
    Strips strips;
    Index rows_left = 0;     ///< of children, on their way to me
    Index senders_left = 0;  ///< waiting for late messages: who has not told that the strips have all of him
    std::vector<HeldMessage> pieces;  ///< that came
    std::unique_ptr<FrontSteps<T>> steps;
    std::unique_ptr<LowRankFront<T>> in_blocks;  ///< of a compressed front, where they stay
    std::vector<std::int32_t> row_order, col_order;
    Done done;

    bool has_all() const { return rows_left == 0 && senders_left == 0; }
  };

  Strips choose_strips(Index f);
  std::vector<double> room_for(Index f, std::span<const double> held) const;
  void describe(const Master& master);
  std::vector<int> who_chooses_after(Index f) const;
  std::vector<StripEntries<T>> entries_by_strip(const Master& master) const;
  std::vector<int> senders_to(Index f, Index first, Index end) const;
  Strips holders_of(Index child) const;
  void fetch_children(Master& master);
  void begin(Master& master);
  void assemble(Master& master);
  void step(Master& master);
  void step_in_blocks(Master& master);
  void send_panel(PanelMessage<T>& panel, const Strips& strips);
  void end(Master& master);
  void end_in_blocks(Master& master);

  Index child_delayed(Index child) const;
  std::vector<Index> delayed_of_children(Index f) const;

  const StripContext<T>& here_;
  PivotTest<T> test_;
  std::vector<StripChooser> choosers_;
  double even_bytes_ = 0;  ///< predicted peaks of all ranks, distributed evenly
  LowRankTally low_rank_;
  std::map<Index, Master> masters_;
  std::map<Index, Strips>
      child_strips_;  ///< of other ranks' fronts whose parent is a distributed one of mine
};

/// A panel to the children of a position in the binary tree of ranks, 2 place + 1 and 2 place + 2: what they need of it.
template <class T>
void multicast(const StripContext<T>& here, const PanelMessage<T>& panel, const comm::Message& message,
               std::size_t position);

/// What strip i of front f takes, as predicted.
template <class T>
double strip_bytes(const Structure& structure, Index f, const Strips& strips, Index i);

/// Work on front f was given to ranks.
template <class T>
void note_loads(const StripContext<T>& here, Index f, const Strips& strips, std::span<const double> flops);

}  // namespace overlapack::sparse::multifrontal
