#pragma once
#include "sparse/multifrontal/factorize/grid_root.hpp"
#include "sparse/multifrontal/factorize/shared_fronts.hpp"
#include "sparse/multifrontal/factors/strip.hpp"
#include "sparse/multifrontal/message/strip_messages.hpp"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace overlapack::sparse {

/// The strips that this rank was given of distributed fronts: each is assembled, updated by the panels of its master, and
/// its rows of the contribution block go to their places in the parent.
/// Source  paper 1, section 2 (slaves of type 2 nodes)
template <class T>
class HeldStrips {
 public:
  /// root: of the tree, or null.
  HeldStrips(const SharedFronts<T>& here, GridRoot<T>* root);

  /// The messages about a strip, each kind by its own name.
  void take_description(comm::Message message);
  void take_piece(comm::Message message);
  void take_panel(comm::Message message);
  void take_parent(comm::Message message);

 private:
  /// One strip of mine; it begins with whatever message comes first.
  struct Held {
    Strip<T> strip;
    std::optional<StripWork<T>> work;  ///< once described
    StripEntries<T> entries;           ///< until it is assembled
    Index rows_left = 0;               ///< of children, on their way to me; below zero before the description
    std::vector<int> senders;          ///< waiting for late messages: whose rows have not come
    std::vector<comm::Message> pieces;
    std::deque<comm::Message> panels;  ///< not yet applied
    bool has_last_panel = false, is_assembled = false, is_complete = false, has_job = false;
    double predicted_flops = 0;    ///< as its load counts them
    double promised_bytes = 0;     ///< the same until it is assembled
    std::optional<Strips> parent;  ///< where its rows go
  };

  void pass_on(const comm::Message& panel, std::span<const int> ranks);
  Index rows_for(const Strip<T>& strip) const;
  void go_on(Index f);
  bool can_leave(const Held& held, Index f) const;
  void work_on(Index f);
  void assemble(Held& held);
  void complete(Held& held);
  void leave(Index f);

  const SharedFronts<T>& here_;
  GridRoot<T>* root_;
  std::map<Index, Held> held_;
};

}  // namespace overlapack::sparse
