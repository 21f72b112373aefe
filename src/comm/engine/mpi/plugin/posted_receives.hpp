#pragma once
#include "comm/engine/mpi/load/table.h"

#include <deque>
#include <map>
#include <utility>

namespace overlapack::comm::mpi::plugin {

/// Posted receives, and messages sent before their receive was posted, of all simulated ranks (which share this memory).
/// Sends and receives are matched in the order of the calls, as in MPI.
class PostedReceives {
 public:
  /// A rank (its number in the communicator) of a communicator (its name, the same on all of its ranks).
  struct Position {
    int comm = 0;
    int rank = 0;
    auto operator<=>(const Position&) const = default;
  };

  /// Note a message sent to this position. Returns whether the sender sees its receive posted, and removes that receive.
  bool send(const Position& to, int source, int tag);
  /// Note a posted receive. source: -1 for any rank. is_seen: whether senders can see it; in either case it takes its message.
  void post(const Position& at, int source, int tag, OverlapackRequest request, bool is_seen);
  void withdraw(const Position& from, OverlapackRequest request);

 private:
  struct Envelope {
    int source, tag;
    // of a receive
    OverlapackRequest request = -1;
    bool is_seen = false;
  };
  struct Queues {
    std::deque<Envelope> receives, messages;
  };
  std::map<Position, Queues> at_;
};

}  // namespace overlapack::comm::mpi::plugin
