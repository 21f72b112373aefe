#pragma once
#include "comm/engine/mpi/process/operation.hpp"
#include "comm/engine/mpi/process/site.hpp"

#include <deque>
#include <list>
#include <memory>
#include <vector>

namespace overlapack::comm::mpi {

class Engine;

/// How a body travels.
enum class BodyForm : std::uint32_t {
  bytes,      ///< behind the header, or in parts of their own
  phantom,    ///< it has none
  reference,  ///< simulated ranks share their memory: behind the header stands the address of a Body
};

/// What goes before the body of each message.
struct WireHeader {
  std::int32_t kind = 0;
  std::uint32_t sequence = 0;
  std::array<std::int64_t, 6> id{};
  std::uint64_t bytes = 0;  ///< of the whole body
  /// counts my messages of this run to this rank on this lane
  std::uint32_t number = 0;
  BodyForm form = BodyForm::bytes;
  std::int32_t part_tag = 0;  ///< of the later parts
};

/// The same, and what stands behind it by reference; the receiver owns it.
struct ReferenceHeader {
  WireHeader wire;
  Body* handed = nullptr;
};
static_assert(sizeof(ReferenceHeader) == sizeof(WireHeader) + sizeof(Body*));

struct SendOperation : MpiOperation {
  ReferenceHeader header;
  Body body;
  std::size_t parts_left = 0;
};

struct ReceiveOperation : MpiOperation {
  ReceiveOperation() { what = "receive"; }
  bool accepts(int source) const { return peer == any_rank || peer == source; }
};

struct AlignedDelete {
  void operator()(std::byte* bytes) const;
};
using AlignedBuffer = std::unique_ptr<std::byte[], AlignedDelete>;

/// One lane of one team at this rank. A message is one MPI message of header and head (all of a small body), and, for larger
/// bodies, parts of at most split_bytes with a tag of their own, received where they stay.
/// Heads are received in slots, at least one for each posted receive, and numbered by their sender: whichever slot a
/// message comes in, it goes to the first posted receive that accepts it. So a receive that is taken back leaves its
/// slot to the next one, and nothing is cancelled at MPI while a message may be on its way.
/// What has to be known of a transfer takes its memory before the transfer begins; a head for whose body there is no memory waits in
/// early_, and the end of the run, which receives all that was sent, tries again.
/// Simulated, a long message takes the time of its bytes, and its body is handed over as it is.
class Port {
 public:
  Port(Engine& engine, Lane lane);
  /// Takes no memory.
  void open(OverlapackComm heads, OverlapackComm parts, PartTags& part_tags, int size);

  std::shared_ptr<SendOperation> send(int to, const Header& header, Body body);
  /// Give it the first message that nobody took, else post it.
  void post(const std::shared_ptr<ReceiveOperation>& receive);
  /// Take it back. A message that is on its way into it waits for the next receive.
  void withdraw(const ReceiveOperation& receive);
  /// Who sent the first message that no posted receive has taken, whether or not all of it is here.
  std::optional<int> probe(int from);

  /// Simulated time: a slot for any message, so that a blocked rank is woken by it.
  void stand();

  // A run
  /// first_tag: of the heads of all lanes
  void begin_run(int first_tag);
  /// Messages of this run.
  std::int64_t sent() const { return all_sent_; }
  std::int64_t arrived() const { return all_arrived_; }
  std::int64_t sent_to(int rank) const { return sent_.empty() ? 0 : sent_[static_cast<std::size_t>(rank)]; }

  // Its end
  /// Accept what has come, of which some may have found no memory, and let in what comes.
  void receive_more();
  /// All has come: close the slots. After a failure, an error for each receive, and nothing is kept.
  void end_run(bool has_failed);

  /// Are parts of a message on their way to me, or any from me?
  bool is_moving() const { return parts_under_way_ > 0 || !sends_.empty(); }
  /// Nothing of it is at MPI.
  bool is_at_rest() const { return slots_.empty() && !is_moving(); }

 private:
  using Sends = std::list<std::shared_ptr<SendOperation>>;
  /// A receive of a head at MPI, a slot; then the head that has come in it; then its message, which is here once no parts are left.
  struct Arrival {
    AlignedBuffer buffer;
    OverlapackRequest request = -1;
    int from = any_rank;
    bool is_for_probed = false;  ///< its message was seen, and comes from there
    // once its head has come
    std::size_t head_bytes = 0;  ///< of the body
    WireHeader wire{};
    Message message;
    // once it is accepted
    std::shared_ptr<ReceiveOperation> receive;  ///< null: parked
    std::size_t parts_left = 0;
    std::byte* position = nullptr;  ///< of a body in parts
    bool is_dropped = false;        ///< of an aborted run
  };
  using Arrivals = std::list<Arrival>;
  using ArrivalPosition = Arrivals::iterator;

  void part_sent(Sends::iterator send);
  void stand_for_all();
  void open_slot(int from, bool is_for_probed);
  void cover(int from, std::ptrdiff_t coming = 0);
  void head_arrived(ArrivalPosition slot, const OverlapackCompletion& done);
  void charge_copy(std::uint64_t bytes);
  void accept_in_order();
  void accept(ArrivalPosition head);
  void take_body(Arrival& head);
  void make_position(Arrival& head);
  void receive_parts(ArrivalPosition arrival);
  std::size_t head_of(std::size_t bytes) const;
  std::size_t parts_behind(std::size_t bytes, std::size_t head) const;
  void finish(ArrivalPosition arrival);
  ArrivalPosition first_parked(int from);
  bool is_taken(const Arrival& probed) const;
  BodyForm form_of(const Body& body, bool waits_for_receive) const;
  Body body_of_head(Arrival& head) const;
  AlignedBuffer take_buffer();
  void give_back(AlignedBuffer&& buffer);
  static std::uint32_t& count_of(std::vector<std::uint32_t>& counts, int size, int rank);

  Engine& engine_;
  Lane lane_;
  OverlapackComm heads_ = -1;
  OverlapackComm parts_ = -1;
  PartTags* part_tags_ = nullptr;
  int size_ = 1, tag_ = 0;
  // By rank, from the first message of a run on
  std::vector<std::uint32_t> sent_;
  std::vector<std::uint32_t> arrived_;  ///< heads of each sender that were accepted
  std::int64_t all_sent_ = 0, all_arrived_ = 0;
  Sends sends_;  ///< under way
  Arrivals slots_;
  Arrivals early_;  ///< heads that came before their senders' earlier ones, or found no memory
  std::deque<std::shared_ptr<ReceiveOperation>>
      posted_;         ///< still without a message, in the order of posting
  Arrivals arrivals_;  ///< accepted, not yet handed over
  std::vector<AlignedBuffer> free_buffers_;
  bool keeps_buffers_ = false;  ///< in runs
  std::int64_t parts_under_way_ = 0;
};

}  // namespace overlapack::comm::mpi
