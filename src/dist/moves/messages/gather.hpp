#pragma once
#include "comm/collective/broadcast/broadcast.hpp"

#include <memory>
#include <vector>

namespace overlapack::dist {

/// All-gather of the pieces of a block row, one of each process of a group. Polls advance it; it must not be destroyed before it
/// is done.
class Gather {
 public:
  virtual ~Gather() = default;
  /// Send this process's piece; called once, when the piece is complete.
  virtual void start(comm::Body mine) = 0;
  virtual bool is_done() const = 0;
  /// The piece of a position, once done.
  virtual comm::Body piece(int position) const = 0;
};

/// Participants; bytes: size of each one's piece, empty ones are not sent. The gather uses all pieces of the key, and its parts
/// from this one on.
struct GatherGroup {
  comm::Exchange* exchange;
  comm::collective::Group group;
  comm::Key key;
  std::vector<std::size_t> bytes;
  bool is_phantom = false;  ///< the pieces have no storage
};

/// In rounds at distance 1, 2, 4, ..., each of which sends all pieces received before.
/// Cost    ceil(log2 P) messages sent and received, P - 1 pieces in all
/// Source  Bruck et al. 1997, for any P; for powers of 2 the exchange of HPL's pdlaswp00
std::unique_ptr<Gather> gather_by_binary_exchange(GatherGroup group);

/// Each piece travels round the ring.
/// Cost    P - 1 messages of one piece sent and received, forwarded on arrival
/// Source  HPL's pdlaswp01: HPL_roll
std::unique_ptr<Gather> gather_by_roll(GatherGroup group);

}  // namespace overlapack::dist
