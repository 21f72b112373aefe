#pragma once
#include "comm/collective/broadcast/broadcast.hpp"

#include <memory>
#include <vector>

namespace overlapack::dist {

/// All-gather of the pieces of a block row, one from each process of a group. Polls advance it. It must not be destroyed before
/// it is done.
class Gather {
 public:
  virtual ~Gather() = default;
  /// Send this process's piece; called once, when the piece is complete.
  virtual void start(comm::Body mine) = 0;
  virtual bool is_done() const = 0;
  /// The piece of a position, once done.
  virtual comm::Body piece(int position) const = 0;
};

/// The participants of a gather, and the sizes of their pieces.
struct GatherGroup {
  comm::Exchange* exchange;
  comm::collective::Group group;
  /// The gather uses all pieces of this key, and its parts from key.part on
  comm::Key key;
  std::vector<std::size_t> bytes;  ///< by position: size of its piece; an empty piece is not sent
  bool is_phantom = false;         ///< the pieces have no storage
};

/// Gather in rounds at distance 1, 2, 4, ...; in each round a process sends all pieces that it has.
/// Cost    ceil(log2 P) messages sent and received, P - 1 pieces in all
/// Source  Bruck et al. 1997, for any P; for powers of 2 the exchange of HPL's pdlaswp00
std::unique_ptr<Gather> gather_by_binary_exchange(GatherGroup group);

/// Gather in which each piece travels round the ring.
/// Cost    P - 1 messages of one piece sent and received, forwarded on arrival
/// Source  HPL's pdlaswp01: HPL_roll
std::unique_ptr<Gather> gather_by_roll(GatherGroup group);

}  // namespace overlapack::dist
