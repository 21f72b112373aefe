#pragma once
#include "sparse/multifrontal/factorize/strip_context.hpp"
#include "sparse/multifrontal/factors/low_rank_strip.hpp"
#include "sparse/multifrontal/factors/strip.hpp"
#include "sparse/multifrontal/message/strip_messages.hpp"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// The strips of distributed fronts that masters gave to this rank. A strip is assembled, updated by its
/// master's panels, and sends its rows of the contribution block to the ranks that have them in the parent.
/// Source  paper 1, section 2 (slaves of type 2 nodes)
template <class T>
class HeldStrips {
 public:
  explicit HeldStrips(const StripContext<T>& here) : here_(here) {}

  /// The messages about a strip, each kind by its own name.
  void handle_description(comm::Message message);
  void handle_piece(comm::Message message);
  void handle_panel(comm::Message message);
  /// Called with a message that needs the last panel of front f, if this rank has a strip of f
  /// (park_or_receive_late).
  void wait_for_last_panel(Index f);
  /// As FrontKind.
  void send_contribution_when_final(Index f) {
    if (held_.contains(f)) add_next_job(f);
  }
  /// Figures of the strips of compressed fronts.
  const LowRankTally& low_rank() const { return low_rank_; }

 private:
  /// One strip of this rank. Whichever of its messages comes first makes the record.
  struct HeldStrip {
    Strip<T> strip;
    std::optional<StripWork<T>> work;          ///< once described
    std::optional<LowRankStrip<T>> in_blocks;  ///< for a compressed front: applies the panels
    StripEntries<T> entries;                   ///< until it is assembled
    Index rows_left = 0;       ///< of children, on their way to this rank; below zero before the description
    std::vector<int> senders;  ///< early = wait: senders whose rows have not come, once for each message
    std::vector<HeldMessage> pieces;
    std::deque<HeldMessage> panels;  ///< not yet applied
    bool has_last_panel = false, is_assembled = false, is_border_added = false, has_job = false;
    double predicted_flops = 0;  ///< as this rank's load counts them, until the last panel is applied
    double promised_bytes = 0;   ///< as the ledger counts them, until the strip is assembled
  };

  /// Passes the panel on to this rank's children in the tree of the front's ranks (multicast).
  void forward_panel(const comm::Message& message, const PanelMessage<T>& panel);
  Index rows_for(const Strip<T>& strip) const;
  void add_next_job(Index f);
  bool can_send_contribution(const HeldStrip& held, Index f) const;
  /// Do what the strip has next: assemble it, apply a panel, or send its contribution.
  void run_next_job(Index f);
  void allocate_lower(Strip<T>& strip, bool is_in_blocks);
  void end_use_of_dense(Strip<T>& strip);
  /// Allocates the strip, and adds entries of B and the children's numbers in fully summed columns.
  void assemble(HeldStrip& held);
  /// After the last panel: adds the children's other numbers to C, and lowers this rank's load.
  void add_border(HeldStrip& held);
  /// Send C to the ranks of the parent; L21 stays among the factors, and the strip is no longer held.
  void send_contribution(Index f);

  const StripContext<T>& here_;
  std::map<Index, HeldStrip> held_;
  LowRankTally low_rank_;
};

}  // namespace overlapack::sparse::multifrontal
