#pragma once
#include "comm/engine/mpi/operation.hpp"
#include "comm/engine/mpi/transfers.hpp"

#include <deque>
#include <list>
#include <memory>
#include <vector>

namespace overlapack::comm::mpi {

class Engine;

/// What goes before the body of each message.
struct WireHeader {
  std::int32_t kind = 0;
  std::uint32_t sequence = 0;
  std::array<std::int64_t, 6> id{};
  std::uint64_t bytes = 0;  ///< of the whole body
  std::uint32_t number =
      0;  ///< counts my messages to this rank on this lane; names the tag of the later parts
  std::uint32_t is_phantom = 0;
};

struct SendOperation : MpiOperation {
  WireHeader wire;
  Body body;
  std::size_t parts_left = 0;
};

struct ReceiveOperation : MpiOperation {
  std::span<std::byte> buffer;
  bool has_buffer = false;

  ReceiveOperation() { what = "receive"; }
  bool accepts(int source) const { return peer == any_rank || peer == source; }
};

struct AlignedDelete {
  void operator()(std::byte* bytes) const;
};
using Room = std::unique_ptr<std::byte[], AlignedDelete>;

/// One lane of one team at this rank. A message is one MPI message of header and head (the first head_bytes of the
/// body), and, for larger bodies, parts of at most split_bytes on a second communicator, received in their place.
class Port {
 public:
  Port(Engine& engine, Lane lane, OverlapackComm heads, OverlapackComm parts, int size);

  std::shared_ptr<SendOperation> send(int to, const Header& header, Body body);
  /// Give it the first message that nobody took, else post it.
  void post(const std::shared_ptr<ReceiveOperation>& receive);
  /// Ask for its end: soon is_posted is false, and it was either given a message or withdrawn.
  void start_cancel(const ReceiveOperation& receive);
  bool is_posted(const ReceiveOperation& receive) const;
  /// The first message that no posted receive has taken.
  std::optional<Envelope> probe(int from);

  /// Simulated time: a receive of the engine's own, so that a blocked rank is woken by any message.
  void stand();

  // At the end of a run
  std::int64_t sent_to(int rank) const { return sent_[static_cast<std::size_t>(rank)]; }
  void cancel_all();
  /// Receive what is still on its way, given how many messages each rank has sent me; true when there is no more.
  bool drain(std::span<const std::int64_t> sent_to_me);
  void discard() { parked_.clear(); }

 private:
  /// A receive at MPI: first of the head, then of the parts.
  struct Slot {
    Room room;
    OverlapackRequest request = -1;  ///< of the head, until it came
    bool is_cancelled = false;
    std::shared_ptr<ReceiveOperation> receive;  ///< null: the message will be parked
    int from = any_rank;
    Message message;
    std::byte* place = nullptr;  ///< where a body in parts goes
    std::size_t parts_left = 0;
  };
  using SlotPlace = std::list<Slot>::iterator;

  bool take_parked(const std::shared_ptr<ReceiveOperation>& receive);
  void open_slot(const std::shared_ptr<ReceiveOperation>& receive, int from);
  void head_arrived(SlotPlace slot, const OverlapackCompletion& done);
  void receive_parts(SlotPlace slot, const WireHeader& wire, std::size_t head);
  void complete(SlotPlace slot);
  void hand_over(ReceiveOperation& receive, Message&& message);
  void cancel(Slot& slot);
  Body body_of_head(Room&& room, std::size_t bytes);
  Room take_room();
  int tag_of(std::uint32_t number) const;

  Engine& engine_;
  Lane lane_;
  OverlapackComm heads_;
  OverlapackComm parts_;
  std::vector<std::int64_t> sent_;
  std::vector<std::int64_t> arrived_;
  std::list<Slot> slots_;
  std::deque<Message> parked_;  ///< probed, not yet received
  std::vector<Room> rooms_;
  std::int64_t sends_under_way_ = 0;
};

}  // namespace overlapack::comm::mpi
