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

/// Bulk-synchronous programs in the style of BSPlib: communication that a process requests in a superstep is complete after the sync
/// that ends it. A World is built on messages, so that it runs on every engine, and that abort, watchdog and polls work inside a sync.
///
/// How a sync works: each process sends all its requests to another one (puts, gets, messages) as the records of one message
/// (traffic.hpp). A census (census.hpp) tells each process who sends to it, and that all have arrived. Each process then receives
/// the records, answers the gets, writes the puts and fills its queue (delivery.cpp).
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

/// Cost of a program so far, the same on all processes: a + b g + c l of paper 4, with a in seconds. Each census takes the maxima over
/// the processes of what they did since the last census; a sync_known has none, so that several supersteps may be summed before.
struct Cost {
  double work_s = 0;            ///< a: sum over supersteps of the longest computation
  std::int64_t words = 0;       ///< b: sum of h, the most words of 8 bytes that a process sends or receives
  std::int64_t supersteps = 0;  ///< c
  /// Sum of the most messages that a process sends or receives; the BSP model does not count them.
  std::int64_t messages = 0;
};

/// How this process spent its time, from the beginning of the world to its last sync.
/// Source  paper 4, section 3, Fig. 2; the paper separates synchronisation from communication by an estimate of l
struct Parts {
  double compute_s = 0;  ///< outside of syncs, without packing
  double pack_s = 0;     ///< in pack()
  /// In syncs, until the last process arrived; 0 in sync_known, where that time is not known
  double idle_s = 0;
  double exchange_s = 0;  ///< in syncs, after the last process arrived

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
  std::int64_t areas = 0;         ///< areas registered at present
};

/// One process's view of a world. All calls except the syncs only record requests. Errors are of kind Internal, and name process, slot
/// and superstep.
class World {
 public:
  /// ranks: the ranks of the team that are processes 0, 1, ..., this one among them; empty: all. The world owns the lane bulk until
  /// end(); a barrier must separate end() from the next use of the lane.
  /// Sync    none
  explicit World(Rank& rank, const WorldPlan& plan = {}, std::vector<int> ranks = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  Rank& rank() const { return exchange_.rank(); }
  int process() const { return me_; }
  int processes() const { return static_cast<int>(ranks_.size()); }
  /// The process that a rank of the team is; -1 if the rank is not in the world.
  int process_of(int rank) const { return process_of_[static_cast<std::size_t>(rank)]; }
  /// Number of the superstep, which is the number of syncs so far.
  std::int64_t superstep() const { return superstep_; }
  const Cost& cost() const { return cost_; }
  const Parts& parts() const { return parts_; }
  /// g and l as this process measured them: a fit of Parts::exchange_s against the words, for supersteps with a census at both ends.
  const CostLine& cost_line() const { return cost_line_; }
  WorldCounters counters() const;

  /// Register memory for access by the other processes, from the next sync on. All processes call it in the same order, each with its
  /// own size (which may be 0). The caller owns the memory and keeps it until pop_reg has taken effect.
  Slot push_reg(std::span<std::byte> memory);
  /// Unregister a slot, from the next sync on.
  void pop_reg(Slot slot);
  /// BSPlib's pop by address: unregister the latest registration that begins at a local address and is not popped yet, even one of
  /// this superstep. A process that registered a null pointer pops a null pointer; the other processes' calls then say which area is
  /// meant. If all processes pop a null pointer, it is the latest area that is null on all. Such a superstep must end with a census.
  void pop_area(const void* begin);
  /// Slot of the area that begins at a local address (BSPlib names areas by address): the latest registration that is usable now, or
  /// else the latest one of this superstep; -1 if there is none.
  Slot slot_of(const void* begin) const { return areas_.slot_of(static_cast<const std::byte*>(begin)); }
  /// slot_of, for callers that need an area.
  /// Errors  Internal if there is none
  Slot area_at(const void* begin) const;

  /// bsp_put: copy the source now, and write it to `slot` of process `to` at the end of the sync, after all gets were read and written.
  /// If puts overlap, that of the higher process is written last, and of one process the later one.
  void put(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// bsp_hpput: the copy happens at any time inside the sync, so that source and target must not be touched until it has ended. If the
  /// sync throws, nobody reads the source any more. start_sync copies the source, because an error of this process between the two
  /// halves might free it.
  void hpput(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// hpput of a source that its Body keeps alive while others read it, even if an error of this process ends the run meanwhile.
  void hpput(int to, Body from, Slot slot, std::size_t offset);
  /// bsp_get: in the sync, read `slot` of process `from` before any put is written there, and write it to `to` before any put.
  void get(int from, Slot slot, std::size_t offset, std::span<std::byte> to);
  /// bsp_hpget: a get with the rules of hpput.
  void hpget(int from, Slot slot, std::size_t offset, std::span<std::byte> to);

  /// Set the size of tags from the next sync on, the same on all processes; returns the size that was set before, at first 0.
  std::size_t set_tagsize(std::size_t bytes);
  /// Send a message to the queue of process `to`, where it stays during the next superstep only. Copies tag and payload now.
  void send(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  /// bsp_hpsend: copies the tag now and the payload in the sync; the payload must not be changed until the sync has ended.
  void hpsend(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  QueueSize queue_size() const { return {std::ssize(queue_), queue_bytes_}; }
  /// The first queued message, by sender and order of sending; null if there is none.
  const MessageView* front() const { return queue_.empty() ? nullptr : &queue_.front(); }
  /// Remove the first message and copy its payload into `payload`, truncated to the size of that.
  void move(std::span<std::byte> payload);
  /// Remove the first message and return a view of it, without a copy.
  MessageView hpmove();

  /// End the superstep; all processes call it. Afterwards all requests of the superstep are complete on all processes.
  /// Cost    one message to each process for which there are requests, in an order in which no two processes send to the same one at
  ///         once; ceil(log2 p) rounds of a census; one answer from each process from which this one gets
  void sync();
  /// sync in two halves, so that messages travel while this process computes between them. It may request nothing between them.
  void start_sync();
  void finish_sync();
  /// A sync without census, for supersteps in which each process knows who sends to it: it waits for `senders` only. It delivers no
  /// gets.
  /// Errors  Internal if one of `senders` had nothing for this process, or another process had something; this is noticed when the
  ///         next message of that process arrives
  void sync_known(std::vector<int> senders);
  /// First half of sync_known; finish_sync is the second.
  void start_sync_known(std::vector<int> senders);
  /// Between the halves: whether everything has arrived, so that finish_sync would wait only for answers to gets.
  bool is_ready() const;

  /// Run f, which packs, unpacks or copies locally, and count its time as Parts::pack_s.
  template <class F>
  void pack(const Work& work, F&& f) {
    const double begin_s = rank().now();
    rank().compute(work, f);
    const double took_s = rank().now() - begin_s;
    parts_.pack_s += took_s;
    parts_.compute_s -= took_s;
  }
  /// For simulations by shapes: run a span of supersteps once, and charge its time and cost `times` more times without sending the
  /// messages again. The time of a span lasts from the last process's begin_span to the last process's end_span; the next sync agrees
  /// on it and charges it. Syncs inside a span must have a census.
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
  /// In a sync: this process's records for itself, then its answers to its own gets
  Body mine_;
  std::set<int> lent_to_;  ///< processes that copy from this one's memory and then send it `taken`
  std::shared_ptr<Loan> loan_ = std::make_shared<Loan>();
  /// Number of this process's direct puts and gets of memory that only it keeps alive
  std::int64_t loans_ = 0;
  std::size_t tag_bytes_ = 0, next_tag_bytes_ = 0;
  std::int64_t tag_calls_ = 0;
  std::deque<MessageView> queue_;
  std::size_t queue_bytes_ = 0;  ///< of the payloads of queue_
  std::vector<Body> queued_;     ///< keeps the bodies of queue_ alive
  // to_send_: requested in this superstep; sent_, received_: sums over completed supersteps; reported_*: these sums at the last census
  struct Volume {
    std::int64_t words = 0, messages = 0;
    void add(std::int64_t times, const Volume& to, const Volume& from) {
      words += times * (to.words - from.words);
      messages += times * (to.messages - from.messages);
    }
  };
  Volume to_send_, sent_, received_, reported_sent_, reported_received_;
  double work_s_ = 0;               ///< seconds of work since the last census
  double began_s_, arrived_s_ = 0;  ///< begin of the present stretch of work; arrival at the present sync
  double between_s_ = 0;            ///< seconds of work between the halves of the present sync
  Cost cost_;
  Parts parts_;
  CostLine cost_line_;
  double exchange_s_ = 0;          ///< Parts::exchange_s of the supersteps since the last census
  int unreported_supersteps_ = 0;  ///< number of supersteps since the last census
  /// While a span is under way, the state at its beginning; once it has ended, its time and parts on this process.
  struct Span {
    double begin_s = 0, end_s = 0;
    Parts parts;
    std::int64_t supersteps = 0;
    Volume sent, received;
    std::int64_t times = 0;
  };
  /// span_: the latest one; owed_: one that ended and is still to be charged, if times > 0
  Span span_, owed_;
  WorldCounters counters_;
};

}  // namespace overlapack::comm::superstep
