#pragma once
#include "comm/collective/broadcast/broadcast.hpp"

namespace overlapack::comm::collective {

/// Broadcast of the parity schedule, in which only ranks of the same phase communicate across nodes. The group is ordered node by node,
/// with `phases` ranks on each, so that position % phases is a rank's phase. The message has one part for each phase. The root sends
/// part c to its node mate of phase c, which broadcasts it to all ranks of phase c; then node mates exchange their parts. With one
/// phase this is an ordinary broadcast. Callers call the three steps in their order, on all ranks.
/// Source  paper 2, sections 3.2 and 4.2, Fig. 4 (b): share, broadcast, exchange
class RearrangedBroadcast {
 public:
  /// Shapes  part_bytes: phases sizes, known to all; parts: the bodies, on the root only
  /// Errors  BadPlan unless phases divides the group's size
  RearrangedBroadcast(Exchange& exchange, Group group, int root, BroadcastKind kind, const Key& key,
                      std::vector<std::size_t> part_bytes, std::vector<Body> parts);

  void share_parts_of_root();  ///< the root sends its node mates their parts; never blocks
  void broadcast();  ///< broadcast my phase's part among the ranks of my phase; blocks until it is here
  void exchange();   ///< exchange the parts between node mates; blocks until all parts are here
  const Body& part(int phase) const { return parts_[static_cast<std::size_t>(phase)]; }

 private:
  int phases() const { return static_cast<int>(parts_.size()); }
  int phase() const { return group_.me % phases(); }
  int mate(int position, int phase) const { return group_.ranks[position / phases() * phases() + phase]; }
  bool is_root() const { return group_.me == root_; }
  enum class Stage : std::int64_t { share, broadcast, exchange };
  Key key_of(Stage stage, int phase) const {
    return {key_.move, key_.step, key_.part + static_cast<std::int64_t>(stage) * phases() + phase};
  }

  Exchange& exchange_;
  Group group_;
  int root_;
  BroadcastKind kind_;
  Key key_;
  std::vector<std::size_t> part_bytes_;
  std::vector<Body> parts_;
};

}  // namespace overlapack::comm::collective
