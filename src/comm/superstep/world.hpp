#pragma once
#include "comm/mailbox/exchange.hpp"
#include "comm/superstep/areas.hpp"
#include "comm/superstep/census.hpp"
#include "comm/superstep/cost_line.hpp"
#include "comm/superstep/message_kinds.hpp"
#include "comm/superstep/traffic.hpp"
#include "comm/superstep/world_plan.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

/// Bulk-synchronous programs in the style of BSPlib: communication requested in a superstep is complete after the sync that ends
/// it. Built on messages, so that abort, watchdog and polls work within it, and that it runs on every engine.
/// Source  Hill, McColl and others, BSPlib, Parallel Computing 24 (1998); paper 4, sections 1 and 2; costs: docs/bsp.md
namespace overlapack::comm::superstep {

/// Number of queued messages, and the bytes of their payloads.
struct QueueSize {
  std::int64_t messages = 0;
  std::size_t bytes = 0;
};

/// View of a queued message, valid until the next sync.
struct MessageView {
  std::span<const std::byte> tag, payload;
};

/// Cost of a program so far, the same on all processes: a + b g + c l of paper 4, with a in seconds. Maxima over processes are
/// taken at each census, of the sums since the last one (sync_known has no census).
struct Cost {
  double work_s = 0;            ///< a: sum over supersteps of the longest computation
  std::int64_t words = 0;       ///< b: sum of h, the most words of 8 bytes that a process sends or receives
  std::int64_t supersteps = 0;  ///< c
  std::int64_t messages =
      0;  ///< sum of the most messages that a process sends or receives, which BSP does not count
};

/// Time of this process by use, from the beginning of the world to its last sync.
/// Source  paper 4, section 3, Fig. 2; there synchronisation and communication are separated by an estimate of l
struct Parts {
  double compute_s = 0;  ///< outside of syncs, without packing
  double pack_s = 0;     ///< in pack()
  double idle_s = 0;  ///< in syncs, until the last process arrived; 0 in sync_known, where that is not known
  double exchange_s = 0;  ///< in syncs, from then on

  double sum() const { return compute_s + pack_s + idle_s + exchange_s; }
  /// this += times * (to - from)
  void add(double times, const Parts& to, const Parts& from);
};

/// Statistics of this process; each parallel path has its counter.
struct WorldCounters {
  std::int64_t known_syncs = 0, split_syncs = 0;
  std::int64_t messages = 0;      ///< messages with records sent to other processes
  std::int64_t combined = 0;      ///< records that shared a message with others
  std::int64_t early = 0;         ///< messages that arrived before they were asked for
  std::int64_t direct = 0;        ///< this process's puts and gets copied directly from source to target
  std::int64_t copied_bytes = 0;  ///< bytes of puts, messages and answers copied into buffers
  std::int64_t areas = 0;         ///< registered at present
};

/// One process's view of a world. All calls but sync only record requests; errors are Internal, and name process, slot and
/// superstep.
class World {
 public:
  /// ranks: ranks of the team that are processes 0, 1, ..., this one among them; empty: all. The world uses the lane bulk until
  /// end(); a barrier must separate that from the next use of the lane.
  /// Sync    none
  explicit World(Rank& rank, const WorldPlan& plan = {}, std::vector<int> ranks = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  Rank& rank() const { return exchange_.rank(); }
  int process() const { return me_; }
  int processes() const { return static_cast<int>(ranks_.size()); }
  /// The process that a rank of the team is; -1 for those that are none.
  int process_of(int rank) const { return process_of_[static_cast<std::size_t>(rank)]; }
  /// Number of the superstep, which is the number of syncs so far.
  std::int64_t superstep() const { return superstep_; }
  const Cost& cost() const { return cost_; }
  const Parts& parts() const { return parts_; }
  /// g and l as this process met them: from words and Parts::exchange_s of each superstep between two censuses.
  const CostLine& cost_line() const { return cost_line_; }
  WorldCounters counters() const;

  /// Register memory for access by the others from the next sync on; called by all processes in the same order, each with its own
  /// size (which may be 0). The caller owns it and keeps it until pop_reg has taken effect.
  Slot push_reg(std::span<std::byte> memory);
  /// Unregister, from the next sync on.
  void pop_reg(Slot slot);
  /// The same of the latest registration that begins at a local address and is not popped yet, which may be one of this superstep; of
  /// a null pointer: of the one that the other processes pop with the same call, where this one registered a null pointer; where all
  /// pop one, of the latest area that is null on all. Such a superstep ends with a census.
  void pop_area(const void* begin);
  /// Slot of the area that begins at a local address, BSPlib's name for it: of the latest registration that is usable, or else is
  /// going to be; -1 if there is none.
  Slot slot_of(const void* begin) const { return areas_.slot_of(static_cast<const std::byte*>(begin)); }
  /// The same.
  /// Errors  Internal if there is none
  Slot area_at(const void* begin) const;

  /// Copies the source now; written to `slot` of process `to` at the end of the sync, after all gets were read and written. Of
  /// overlapping puts the higher process's is written last, of one process's the later one.
  void put(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// Source and target must not be touched until the sync has ended; the copy happens at any time within it. If the sync throws,
  /// the source is no longer read. A sync in two halves copies the source, as this process's error between them might free it.
  void hpput(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// The same for a source that its Body keeps alive while it is read, even if this process's error ends the run meanwhile.
  void hpput(int to, Body from, Slot slot, std::size_t offset);
  /// `slot` of process `from` is read in the sync, before anything is written there, and written to `to` before any put.
  void get(int from, Slot slot, std::size_t offset, std::span<std::byte> to);
  /// As get, with the rules of hpput.
  void hpget(int from, Slot slot, std::size_t offset, std::span<std::byte> to);

  /// Set the size of tags from the next sync on, the same on all processes; returns the size set before, at first 0.
  std::size_t set_tagsize(std::size_t bytes);
  /// Send to the queue of process `to`, which has it in the next superstep only. Copies tag and payload now.
  void send(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  /// The same; the payload must not be changed until the sync has ended.
  void hpsend(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  QueueSize queue_size() const;
  /// The first queued message, by sender and order of sending; null if there is none.
  const MessageView* front() const { return queue_.empty() ? nullptr : &queue_.front(); }
  /// Remove the first message and copy its payload, truncated to the size of `payload`.
  void move(std::span<std::byte> payload);
  /// The same without a copy.
  MessageView hpmove();

  /// End the superstep, on all processes: all requests are complete on all of them.
  /// Cost    one message to each process with requests, in an order in which no process is sent to by two at once;
  ///         ceil(log2 p) rounds of a census; one more message a process that is got from
  void sync();
  /// The same in two halves: messages travel while this process computes in between. No requests in between.
  void start_sync();
  void finish_sync();
  /// A sync without census, where all processes know who sends to whom: waits for `senders` only. No gets.
  /// Errors  Internal if one of them had nothing for this process, or another one had: when the next message of that process
  /// arrives
  void sync_known(std::vector<int> senders);
  /// First half of sync_known; finish_sync is the second.
  void start_sync_known(std::vector<int> senders);
  /// Between the halves: whether finish_sync would not wait for other processes, except for answers to gets.
  bool is_ready() const;

  /// Run f for packing, unpacking or local copies: counted as Parts::pack_s.
  template <class F>
  void pack(const Work& work, F&& f) {
    const double begin_s = rank().now();
    rank().compute(work, f);
    const double took_s = rank().now() - begin_s;
    parts_.pack_s += took_s;
    parts_.compute_s -= took_s;
  }
  /// For simulations by shapes: charge the time and cost between the two calls `times` more times, without the messages. The time
  /// is from the last process's begin to the last one's end, agreed on and charged by the next sync; syncs within a span must have
  /// a census.
  void begin_span();
  void end_span(std::int64_t times);

  /// Last sync, without requests: ends the world and releases the lane.
  void end();

 private:
  struct Arrival {
    int from;
    Body body;
  };
  struct Answer {
    int from;
    std::span<std::byte> to;
    bool is_direct;  ///< the other process writes it there directly
  };
  [[noreturn]] void misuse(const std::string& what) const;
  void require_process(int process) const;
  void require_open() const;
  void require_slot(Slot slot) const;
  bool is_accessed_directly(int process, std::size_t bytes) const;
  Traffic& traffic_to(int process, std::int64_t words);
  Loan* loan_to(int process);
  void add_hpput(int to, Body from, bool is_kept_alive, Slot slot, std::size_t offset);
  void add_get(int from, Slot slot, std::size_t offset, std::span<std::byte> to, bool is_direct);
  Traffic& begin_message_to(int process, std::size_t tag_bytes, std::size_t payload_bytes);

  void send_body(int to, SyncMessage kind, Body body);
  Body receive_body(int from, SyncMessage kind);
  int rank_of(int process) const { return ranks_[static_cast<std::size_t>(process)]; }
  Key records_key(int from) const;
  Body receive_records(int from);
  void run_with_loans(FunctionRef<void()> sync);
  void end_loans();
  void copy_lent(const Record& record, int lender, const std::byte* from, std::span<std::byte> to) const;
  void begin_sync();
  void begin_sync_of_known(std::vector<int> senders);
  double end_computation();
  std::vector<bool> send_records();
  void begin_census(const std::vector<bool>& sends_to, bool is_end);
  void finish_census();
  std::vector<AgreedCall> agreed_registrations() const;
  void finish_sync_of_known(std::vector<int> senders);
  void complete(std::vector<int> senders, double last_arrival_s, std::span<const AgreedCall> agreed);
  void end_sync(double last_arrival_s);
  void charge_repetitions();
  std::span<std::byte> position_of(const Record& record, int from) const;
  void answer_gets(const std::vector<Arrival>& arrivals);
  void write(std::vector<Arrival> arrivals);
  void shuffle_queue();
  void receive_answers();

  Exchange exchange_;
  WorldPlan plan_;
  std::vector<int> ranks_, process_of_;
  int me_;
  bool is_phantom_, is_shared_;
  Census census_;
  std::int64_t superstep_ = 0, censuses_ = 0;
  bool is_syncing_ = false;
  std::optional<std::vector<int>> known_senders_;  ///< set during a sync_known
  // by process: number of messages with records sent to it and received from it
  std::vector<std::int64_t> bodies_sent_, bodies_received_;
  Areas areas_;
  std::vector<Traffic> traffic_;  ///< by receiver
  std::vector<Answer> answers_;   ///< awaited answers, in the order of this process's gets
  Body mine_;                     ///< records of this process to itself, then its answers to itself
  std::set<int> lent_to_;         ///< processes that copy from this one's memory and then send `taken`
  std::shared_ptr<Loan> loan_ = std::make_shared<Loan>();
  std::int64_t loans_ = 0;  ///< this process's direct puts and gets of memory that only it keeps alive
  std::size_t tag_bytes_ = 0, next_tag_bytes_ = 0;
  std::int64_t tag_calls_ = 0;
  std::deque<MessageView> queue_;
  std::vector<Body> queued_;  ///< keeps the bodies of queue_ alive
  // to_send_: of this superstep; sent_, received_: of completed ones; reported_*: those at the last census
  struct Volume {
    std::int64_t words = 0, messages = 0;
    void add(std::int64_t times, const Volume& to, const Volume& from) {
      words += times * (to.words - from.words);
      messages += times * (to.messages - from.messages);
    }
  };
  Volume to_send_, sent_, received_, reported_sent_, reported_received_;
  double work_s_ = 0;               ///< since the last census
  double began_s_, arrived_s_ = 0;  ///< begin of the present stretch of work; arrival at the present sync
  double between_s_ = 0;            ///< seconds of work between the halves of the present sync
  Cost cost_;
  Parts parts_;
  CostLine cost_line_;
  double exchange_s_ = 0;          ///< of the supersteps since the last census
  int unreported_supersteps_ = 0;  ///< their number
  /// State at the begin of a span; of a finished one, its time and parts on this process.
  struct Span {
    double begin_s = 0, end_s = 0;
    Parts parts;
    std::int64_t supersteps = 0;
    Volume sent, received;
    std::int64_t times = 0;
  };
  Span span_, owed_;  ///< span_: the latest one; owed_: to be charged if times > 0
  WorldCounters counters_;
};

}  // namespace overlapack::comm::superstep
