#pragma once
#include "comm/collective/broadcast/broadcast.hpp"

#include <memory>
#include <vector>

namespace overlapack::dist {

/// The pieces of a block row, one of each process of a group, on their way to all of them. It goes on in polls, and is not
/// to be dropped before it is done.
class Gather {
 public:
  virtual ~Gather() = default;
  /// Mine sets out; called once, when it is complete.
  virtual void start(comm::Body mine) = 0;
  virtual bool is_done() const = 0;
  /// The piece of a position, once done.
  virtual comm::Body piece(int position) const = 0;
};

/// Who takes part; bytes: of each one's piece. Pieces without bytes do not travel. The key's piece is the gather's, and
/// its parts from this one on.
struct GatherGroup {
  comm::Exchange* exchange;
  comm::collective::Group group;
  comm::Key key;
  std::vector<std::size_t> bytes;
  bool is_phantom = false;  ///< the pieces have no storage
};

/// In rounds at distance 1, 2, 4, ..., each with all that was there before.
/// Cost    ceil(log2 P) messages sent and received, P - 1 pieces in all
/// Source  Bruck et al. 1997, for any P; for powers of 2 the exchange of HPL's pdlaswp00
std::unique_ptr<Gather> gather_by_binary_exchange(GatherGroup group);

/// Each piece round the ring.
/// Cost    P - 1 messages of one piece sent and received, passed on as they come
/// Source  HPL's pdlaswp01: HPL_roll
std::unique_ptr<Gather> gather_by_roll(GatherGroup group);

}  // namespace overlapack::dist
