#pragma once
#include "comm/mailbox/exchange.hpp"
#include "comm/superstep/areas.hpp"
#include "comm/superstep/census.hpp"
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

/// Bulk-synchronous programs as BSPlib has them: what processes say to each other in a superstep is there after the sync that
/// ends it. Written once on messages, so that abort, watchdog and polls work in it, and that it runs on every engine.
/// Source  Hill, McColl and others, BSPlib, Parallel Computing 24 (1998); paper 4, sections 1 and 2; costs: docs/bsp.md
namespace overlapack::comm::superstep {

/// Messages in my queue, and the bytes of their payloads.
struct QueueSize {
  std::int64_t messages = 0;
  std::size_t bytes = 0;
};

/// A message of the queue where it lies: until the next sync.
struct MessageView {
  std::span<const std::byte> tag, payload;
};

/// What a program has cost so far, alike on all processes: a + b g + c l of paper 4, with a in seconds. Between two censuses
/// (sync_known has none) the largest sums count.
struct Cost {
  double work_s = 0;            ///< a: sum over supersteps of the longest computation
  std::int64_t words = 0;       ///< b: sum of h, the most words of 8 bytes that a process sends or receives
  std::int64_t supersteps = 0;  ///< c
  std::int64_t messages =
      0;  ///< sum of the most messages that a process sends or receives, which BSP does not count
};

/// Where the time of this process went, from the beginning of the world to its last sync.
/// Source  paper 4, section 3, Fig. 2; synchronising and communicating are apart there by an estimate of l
struct Parts {
  double compute_s = 0;   ///< outside of syncs, without packing
  double pack_s = 0;      ///< in pack()
  double idle_s = 0;      ///< in syncs, until the last process came; 0 where that is not known, in sync_known
  double exchange_s = 0;  ///< in syncs, from then on

  double sum() const { return compute_s + pack_s + idle_s + exchange_s; }
  /// this += times * (to - from)
  void add(double times, const Parts& to, const Parts& from);
};

/// What this process did; each parallel path has its counter.
struct WorldCounters {
  std::int64_t known_syncs = 0, split_syncs = 0;
  std::int64_t messages = 0;  ///< with records, to others
  std::int64_t combined = 0;  ///< records that went in a message with others
  std::int64_t early = 0;     ///< messages that came before I asked for them
  std::int64_t direct = 0;    ///< puts and gets of mine that were copied from the source to their position
  std::int64_t copied_bytes = 0;  ///< of my puts, messages and answers, into buffers
};

/// One process's view of a world. All calls but sync only take down what is to be done; errors are of the kind Internal, and
/// name process, slot and superstep.
class World {
 public:
  /// ranks: which ranks of the team are processes 0, 1, ..., me among them; empty: all. The lane bulk is the world's until its
  /// end; a barrier must stand between that and the next use of the lane.
  /// Sync    none
  explicit World(Rank& rank, const WorldPlan& plan = {}, std::vector<int> ranks = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  Rank& rank() const { return exchange_.rank(); }
  int process() const { return me_; }
  int processes() const { return static_cast<int>(ranks_.size()); }
  /// The process that a rank of the team is; -1 for those that are none.
  int process_of(int rank) const { return process_of_[static_cast<std::size_t>(rank)]; }
  /// Number of the superstep: how many syncs there were.
  std::int64_t superstep() const { return superstep_; }
  const Cost& cost() const { return cost_; }
  const Parts& parts() const { return parts_; }
  WorldCounters counters() const;

  /// Give the others a name for memory of mine, from the next sync on; all processes in the same order, each with its own size
  /// (which may be 0). It stays the caller's, and alive until pop_reg has taken effect.
  Slot push_reg(std::span<std::byte> memory);
  /// Take the name back, from the next sync on.
  void pop_reg(Slot slot);
  /// BSPlib names areas by their address here.
  Slot slot_of(const void* begin) const {
    return areas_.slot_of(static_cast<const std::byte*>(begin), superstep_);
  }

  /// The source is read now; it is in `slot` of process `to` at the end of the sync, after all gets have read. Of overlapping
  /// puts that of the higher process stands, of the same process the later one.
  void put(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// Source and target belong to the world until the sync has ended, in which it happens at any time; where it throws, nobody
  /// reads the source any more. A sync in halves sends a copy of the source, which may go between them by an error of mine.
  void hpput(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// Of a source that stays alive while it is read, even if the run ends by an error of mine meanwhile.
  void hpput(int to, Body from, Slot slot, std::size_t offset);
  /// `slot` of process `from` is read in the sync, before any put is written; it is here at its end, after the puts.
  void get(int from, Slot slot, std::size_t offset, std::span<std::byte> to);
  /// As hpput.
  void hpget(int from, Slot slot, std::size_t offset, std::span<std::byte> to);

  /// Tags have this size from the next sync on, on all processes; returns the size until then. At first 0.
  std::size_t set_tagsize(std::size_t bytes);
  /// Into the queue of process `to`, which has it in the next superstep only. Both are read now.
  void send(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  /// The payload belongs to the world until the sync has ended.
  void hpsend(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  QueueSize queue_size() const;
  /// The first message of the queue, by sender and order of sending; null where there is none.
  const MessageView* front() const { return queue_.empty() ? nullptr : &queue_.front(); }
  /// The first message leaves the queue, and as much of its payload as has room is copied.
  void move(std::span<std::byte> payload);
  /// The same without a copy.
  MessageView hpmove();

  /// The superstep ends, on all processes: what was asked for is done, and everybody knows it.
  /// Cost    one message to each process that I have something for, in an order in which nobody is sent to by two at once;
  ///         ceil(log2 p) rounds of a census; one more message a process where something is to be got
  void sync();
  /// The same in two halves: what I have for others travels while I compute in between. Nothing is asked for there.
  void start_sync();
  void finish_sync();
  /// A sync in which all know who has something for whom: no census, and I wait for `senders` alone. No gets.
  /// Errors  Internal if one of them had nothing for me, or another one had, when the next that it sends to me comes
  void sync_known(std::vector<int> senders);
  /// Its first half; finish_sync is the second of both.
  void start_sync_known(std::vector<int> senders);
  /// Between the halves: whether the second would not wait for others, but for what gets ask for.
  bool is_ready() const;

  /// Packing, unpacking and local copies: work that Parts tells apart.
  template <class F>
  void pack(const Work& work, F&& f) {
    const double begin_s = rank().now();
    rank().compute(work, f);
    const double took_s = rank().now() - begin_s;
    parts_.pack_s += took_s;
    parts_.compute_s -= took_s;
  }
  /// For simulations by shapes: what happens between the two, so many times more, in time and cost, without its messages. The
  /// time is that from the last process's begin to the last one's end, which the next sync tells everybody, and charges; syncs
  /// between them ask everybody, too.
  void begin_span();
  void end_span(std::int64_t times);

  /// The last sync, which delivers nothing: the world is over, and the lane free again.
  void end();

 private:
  struct Arrival {
    int from;
    Body body;
  };
  struct Answer {
    int from;
    std::span<std::byte> to;
    bool is_direct;  ///< written there by its owner
  };
  [[noreturn]] void misuse(const std::string& what) const;
  void require_process(int process) const;
  void require_open() const;
  void require_slot(Slot slot) const;
  bool goes_direct(int process, std::size_t bytes) const;
  Traffic& traffic_to(int process, std::int64_t words);
  Loan* loan_to(int process);
  void add_hpput(int to, Body from, bool is_kept_alive, Slot slot, std::size_t offset);
  void add_get(int from, Slot slot, std::size_t offset, std::span<std::byte> to, bool is_direct);
  Traffic& message_to(int process, std::size_t tag_bytes, std::size_t payload_bytes);

  void send_body(int to, SyncMessage kind, Body body);
  Body receive_body(int from, SyncMessage kind);
  int rank_of(int process) const { return ranks_[static_cast<std::size_t>(process)]; }
  Key records_key(int from) const;
  Body receive_records(int from);
  void while_lending(FunctionRef<void()> sync);
  void end_loans();
  void copy_lent(const Record& record, int lender, const std::byte* from, std::span<std::byte> to) const;
  void begin_sync();
  void begin_known(std::vector<int> senders);
  double leave_work();
  std::vector<bool> send_records();
  void begin_census(const std::vector<bool>& sends_to, bool is_end);
  void finish_census();
  void finish_known(std::vector<int> senders);
  void complete(std::vector<int> senders, double last_arrival_s);
  void leave_sync(double last_arrival_s);
  void charge_owed();
  std::span<std::byte> position_of(const Record& record, int from) const;
  void answer_gets(const std::vector<Arrival>& arrivals);
  void write(std::vector<Arrival> arrivals);
  void shuffle_queue();
  void take_answers();

  Exchange exchange_;
  WorldPlan plan_;
  std::vector<int> ranks_, process_of_;
  int me_;
  bool is_phantom_, is_shared_;
  Census census_;
  std::int64_t superstep_ = 0, censuses_ = 0;
  bool is_syncing_ = false;
  std::optional<std::vector<int>> known_senders_;  ///< of the sync under way, where they were named
  // by process: how many messages with records went to it and came from it
  std::vector<std::int64_t> bodies_sent_, bodies_received_;
  Areas areas_;
  std::vector<Traffic> traffic_;  ///< by receiver
  std::vector<Answer> answers_;   ///< that I wait for, in the order of my gets
  Body mine_;                     ///< from myself to myself
  std::set<int> lent_to_;         ///< they copy from my memory, and say when they have
  std::shared_ptr<Loan> loan_ = std::make_shared<Loan>();
  std::int64_t loans_ = 0;  ///< puts and gets of mine, of memory that only I keep alive
  std::size_t tag_bytes_ = 0, next_tag_bytes_ = 0;
  std::deque<MessageView> queue_;
  std::vector<Body> queued_;  ///< what the queue looks at
  // of supersteps that are over, and what of that the last census told; of this one
  struct Volume {
    std::int64_t words = 0, messages = 0;
    void add(std::int64_t times, const Volume& to, const Volume& from) {
      words += times * (to.words - from.words);
      messages += times * (to.messages - from.messages);
    }
  };
  Volume to_send_, sent_, received_, reported_sent_, reported_received_;
  double work_s_ = 0;               ///< since the last census
  double began_s_, arrived_s_ = 0;  ///< this stretch of work; at this sync
  double between_s_ = 0;            ///< worked between the halves of this sync
  Cost cost_;
  Parts parts_;
  /// What a span began with; of one that is over, what it took on this process.
  struct Span {
    double begin_s = 0, end_s = 0;
    Parts parts;
    std::int64_t supersteps = 0;
    Volume sent, received;
    std::int64_t times = 0;
  };
  Span span_, owed_;  ///< the latest; times > 0: what is to be charged
  WorldCounters counters_;
};

}  // namespace overlapack::comm::superstep
