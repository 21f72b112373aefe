#pragma once
#include "comm/engine/mpi/process/operation.hpp"
#include "comm/engine/mpi/process/site.hpp"

#include <deque>
#include <list>
#include <memory>
#include <vector>

namespace overlapack::comm::mpi {

class Engine;

/// How a body is sent.
enum class BodyForm : std::uint32_t {
  bytes,      ///< its bytes follow the header, or are sent in separate parts
  phantom,    ///< no bytes
  reference,  ///< simulated ranks, which share their memory: the address of a Body follows the header
};

/// Header sent before the body of each message.
struct WireHeader {
  std::int32_t kind = 0;
  std::uint32_t sequence = 0;
  std::array<std::int64_t, 6> id{};
  std::uint64_t bytes = 0;  ///< of the whole body
  /// sequence number among this run's messages from this sender on this lane
  std::uint32_t number = 0;
  BodyForm form = BodyForm::bytes;
  std::int32_t part_tag = 0;  ///< tag of the later parts
};

/// WireHeader followed by the address of a Body; the receiver deletes it.
struct ReferenceHeader {
  WireHeader wire;
  Body* handed = nullptr;
};
static_assert(sizeof(ReferenceHeader) == sizeof(WireHeader) + sizeof(Body*));

/// Layout of a slot's buffer: the body starts on a cache line, and the header ends just before it.
inline constexpr std::size_t cache_line = 64;
inline constexpr std::size_t body_offset = (sizeof(WireHeader) + cache_line - 1) / cache_line * cache_line;
inline constexpr std::size_t header_offset = body_offset - sizeof(WireHeader);
inline constexpr std::size_t most_free_buffers = 8;
/// Largest size of a simulated message without content.
inline constexpr std::size_t most_simulated_bytes = std::size_t{1} << 30;

struct SendOperation : MpiOperation {
  ReferenceHeader header;
  Body body;
  std::size_t parts_left = 0;
};

struct ReceiveOperation : MpiOperation {
  ReceiveOperation() { what = "receive"; }
  bool accepts(int source) const { return peer == any_rank || peer == source; }
};

/// What a slot was opened for.
enum class SlotUse {
  posted,  ///< a posted receive
  probed,  ///< a message that probe found
  /// simulated time: a blocked rank that only probes. Senders do not see the slot; a message in it is copied like a probed one.
  standing,
};

struct AlignedDelete {
  void operator()(std::byte* bytes) const;
};
using AlignedBuffer = std::unique_ptr<std::byte[], AlignedDelete>;

/// One lane of one team on this rank. A message is one MPI message of header and head (all of a small body), and, for larger
/// bodies, parts of at most split_bytes with a tag of their own, received directly into the final body.
/// Heads are received into slots (posted MPI receives), at least one for each posted receive, and numbered by their sender:
/// whichever slot a head arrives in, it goes to the first posted receive that accepts it. So a withdrawn receive leaves its slot to
/// the next one, and no MPI receive is cancelled while a message may be under way.
/// Memory for a transfer is allocated before it starts; a head whose body cannot be allocated stays in early_, and the end of the
/// run, which receives all messages, tries again.
/// In simulated time a long message takes the time of its bytes, and its body is passed by reference.
class Port {
 public:
  Port(Engine& engine, Lane lane);
  /// Set the communicators for heads and for parts. Allocates nothing.
  void open(OverlapackComm heads, OverlapackComm parts, PartTags& part_tags, int size);

  std::shared_ptr<SendOperation> send(int to, const Header& header, Body body);
  /// Match the receive with the first message that no receive has taken, else queue it.
  void post(const std::shared_ptr<ReceiveOperation>& receive);
  /// Remove a posted receive. A message already matched to it is kept for the next receive.
  void withdraw(const ReceiveOperation& receive);
  /// Source of the first message that no posted receive has taken, whether or not all of it has arrived.
  std::optional<int> probe(int from);

  /// Simulated time: open a slot for any source, so that any message wakes a blocked rank. It stays open where something else ends
  /// the wait, since the simulator cannot cancel a receive safely.
  void open_standing_slot();

  // A run
  /// first_tag: tag of lane 0's heads
  void begin_run(int first_tag);
  // Number of messages of this run; one has arrived once its head was accepted
  std::int64_t sent() const { return all_sent_; }
  std::int64_t arrived() const { return all_arrived_; }
  std::int64_t sent_to(int rank) const { return sent_.empty() ? 0 : sent_[static_cast<std::size_t>(rank)]; }

  // The end of a run
  /// Accept arrived heads, also those that had found no memory, and keep a slot open for further ones.
  void receive_more();
  /// Cancel the slots; called once all messages have arrived. After a failure, each receive ends with an error, and no message is
  /// kept.
  void end_run(bool has_failed);

  /// Whether parts of a message to this rank, or any send of this rank, are under way.
  bool is_moving() const { return parts_under_way_ > 0 || !sends_.empty(); }
  /// Whether no MPI request of this lane is left.
  bool is_at_rest() const { return slots_.empty() && !is_moving(); }

 private:
  using Sends = std::list<std::shared_ptr<SendOperation>>;
  /// One message on its way through this rank. First it is an open slot, the MPI receive of a head (in slots_); then the head
  /// that has arrived in the slot (in early_); then the accepted message (in arrivals_), which is complete when parts_left is 0.
  struct Arrival {
    AlignedBuffer buffer;
    OverlapackRequest request = -1;
    int from = any_rank;
    SlotUse use = SlotUse::posted;
    // once its head has arrived
    std::size_t head_bytes = 0;  ///< bytes of the body in the head
    WireHeader wire{};
    Message message;
    // once accepted
    /// null: no receive has taken the message yet; it is parked
    std::shared_ptr<ReceiveOperation> receive;
    std::size_t parts_left = 0;
    std::byte* position = nullptr;  ///< memory for a body in parts
    bool is_dropped = false;        ///< its run was aborted
  };
  using Arrivals = std::list<Arrival>;
  using ArrivalPosition = Arrivals::iterator;

  void on_part_sent(Sends::iterator send);
  void open_slot_for_any_sender();
  void open_slot(int from, SlotUse use);
  void open_slot_if_missing(int from, std::ptrdiff_t coming = 0);
  void on_head_arrived(ArrivalPosition slot, const OverlapackCompletion& done);
  void charge_copy(std::uint64_t bytes);
  void accept_in_order();
  void accept(ArrivalPosition head);
  void set_or_allocate_body(Arrival& head);
  void allocate_body(Arrival& head);
  void receive_parts(ArrivalPosition arrival);
  std::size_t bytes_in_head(std::size_t bytes) const;
  std::size_t count_parts_behind_head(std::size_t bytes, std::size_t head) const;
  void finish(ArrivalPosition arrival);
  ArrivalPosition first_parked(int from);
  bool has_receive_waiting(const Arrival& probed) const;
  BodyForm form_of(const Body& body, bool waits_for_receive) const;
  Body body_of_head(Arrival& head) const;
  AlignedBuffer reuse_or_make_buffer();
  void keep_buffer(AlignedBuffer&& buffer);
  static std::uint32_t& count_of(std::vector<std::uint32_t>& counts, int size, int rank);

  Engine& engine_;
  Lane lane_;
  OverlapackComm heads_ = -1;
  OverlapackComm parts_ = -1;
  PartTags* part_tags_ = nullptr;
  int size_ = 1, tag_ = 0;
  // By rank; allocated at the first message of a run
  std::vector<std::uint32_t> sent_;
  std::vector<std::uint32_t> arrived_;  ///< heads of each sender that were accepted
  std::int64_t all_sent_ = 0, all_arrived_ = 0;
  Sends sends_;  ///< under way
  Arrivals slots_;
  Arrivals early_;  ///< heads that arrived before an earlier one of their sender, or found no memory
  std::deque<std::shared_ptr<ReceiveOperation>>
      posted_;         ///< receives without a message, in the order of posting
  Arrivals arrivals_;  ///< accepted messages not yet delivered
  std::vector<AlignedBuffer> free_buffers_;
  bool keeps_buffers_ = false;  ///< true within runs
  std::int64_t parts_under_way_ = 0;
};

}  // namespace overlapack::comm::mpi
