#pragma once
#include "comm/engine/mpi/load/table.h"

#include <deque>
#include <map>
#include <utility>

namespace overlapack::comm::mpi::plugin {

/// Which receives are posted, and which messages were sent before theirs was: of all simulated ranks, who share this memory.
/// Sends and receives are matched as MPI matches them, in the order of the calls.
class PostedReceives {
 public:
  /// A rank (its number there) of a communicator, which has the same name on all of its ranks.
  struct Position {
    int comm = 0;
    int rank = 0;
    auto operator<=>(const Position&) const = default;
  };

  /// A message for this position. Returns whether its receive is posted; then it is so no more.
  bool send(const Position& to, int source, int tag);
  /// source -1: from any rank
  void post(const Position& at, int source, int tag, OverlapackRequest request);
  void withdraw(const Position& from, OverlapackRequest request);

 private:
  struct Envelope {
    int source, tag;
    OverlapackRequest request;  ///< of a receive
  };
  struct Queues {
    std::deque<Envelope> receives, messages;
  };
  std::map<Position, Queues> at_;
};

}  // namespace overlapack::comm::mpi::plugin
