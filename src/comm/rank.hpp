#pragma once
#include "base/slices.hpp"
#include "comm/message.hpp"
#include "comm/task_source.hpp"
#include "overlapack/error.hpp"
#include "overlapack/scalar.hpp"
#include "overlapack/trace.hpp"

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// The contract between algorithms and engines (docs/contract.md). Algorithms see this header and what is
/// built on it in comm/; nothing above includes an engine.
namespace overlapack::comm {

/// State of an operation under way; engines derive from it.
class Operation {
 public:
  virtual ~Operation() = default;
  bool done = false;         ///< set by the rank's own thread, within an engine call
  Message message;           ///< of a finished receive
  bool was_aborted = false;  ///< a receive is done without a message: its run was aborted

  void abandon() { done = was_aborted = true; }
};

/// Handle of an operation. Move only; made by a Rank, empty after its result was taken.
class Request {
 public:
  Request() = default;
  explicit Request(std::shared_ptr<Operation> operation) : operation_(std::move(operation)) {}
  Request(Request&&) = default;
  Request& operator=(Request&&) = default;

  bool pending() const { return operation_ && !operation_->done; }
  explicit operator bool() const { return operation_ != nullptr; }
  const std::shared_ptr<Operation>& operation() const { return operation_; }

 protected:
  std::shared_ptr<Operation> operation_;
};

/// A send under way. Dropping the handle does not cancel it: the engine keeps the bytes and delivers them.
class Send : public Request {
  using Request::Request;
};

class Rank;

/// A posted receive. Dropping the handle cancels it; a message that has already arrived in it is lost.
class Recv : public Request {
 public:
  Recv() = default;
  Recv(Rank& rank, std::shared_ptr<Operation> operation) : Request(std::move(operation)), rank_(&rank) {}
  Recv(Recv&&) = default;
  Recv& operator=(Recv&& other) noexcept;
  ~Recv();

  /// The message of a finished receive; the handle is empty afterwards.
  Message take();
  /// Drop the operation without cancelling it: for engines, after a successful cancel.
  void release() { operation_.reset(); }

 private:
  void drop() noexcept;
  Rank* rank_ = nullptr;
};

/// A bit set of lanes, for wait_any's probes.
class LaneSet {
 public:
  constexpr LaneSet() = default;
  constexpr LaneSet(std::initializer_list<Lane> lanes) {
    for (Lane l : lanes) add(l);
  }
  constexpr void add(Lane l) { bits_ |= 1u << static_cast<unsigned>(l); }
  constexpr bool has(Lane l) const { return bits_ >> static_cast<unsigned>(l) & 1u; }
  constexpr bool empty() const { return bits_ == 0; }

 private:
  unsigned bits_ = 0;
};

/// Why wait_any returned.
struct Woken {
  enum class By { request, probe } by = By::request;
  std::size_t index = 0;   ///< by request: its position in the span
  Lane lane = Lane::user;  ///< by probe
};

/// Features of an engine; planning refuses (BadPlan) what it lacks before anything starts.
struct Capabilities {
  std::string_view engine;     ///< "thread", "mpi", "shmem", "smpi"
  bool shared_memory = false;  ///< bodies are passed by pointer; direct() works
  /// Accesses to attached memory need no help of its owner, and cost as much as those to memory of make_window.
  bool reaches_attached = false;
  /// The engine keeps the order of its puts without a wait, so that Window::put_flag works.
  bool orders_puts = false;
  bool virtual_time = false;  ///< now() is simulated, compute charges modelled cost
  /// Simulated by shapes only: compute runs nothing, bodies have no storage, and what depends on the data comes from a
  /// policy that the report names.
  bool is_phantom = false;
  /// Phantom: columns of a dense panel whose pivots are found in one exchange.
  std::int64_t columns_per_exchange = 1;
  bool slice_helpers = false;  ///< other ranks or workers run slices
  int workers = 0;             ///< threads of this process that are no ranks and run slices
};

/// Description of a computation, for the trace and the cost model.
struct Work {
  std::string_view kind;  ///< "front", "gemm", "assemble", ...: one word, static storage
  double flops = 0;
  double bytes = 0;                  ///< memory traffic of the kernel
  std::int64_t m = 0, n = 0, k = 0;  ///< shape, where there is one; k: inner dimension of products
};

/// A borrowed reference to a callable; lives no longer than the call it is passed to.
template <class Signature>
class FunctionRef;
template <class R, class... A>
class FunctionRef<R(A...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
      FunctionRef(F&& f)  // NOLINT: a reference to a callable converts like one
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* o, A... a) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(o))(std::forward<A>(a)...);
        }) {}
  R operator()(A... a) const { return call_(object_, std::forward<A>(a)...); }

 private:
  void* object_;
  R (*call_)(void*, A...);
};

/// Statistics of one rank since the team was opened; each parallel path has its counter (tests, reports).
struct EngineCounters {
  std::int64_t slices = 0;             ///< slices and tasks of this rank's run_slices and run_tasks calls
  std::int64_t slices_by_others = 0;   ///< of these, run by other ranks and workers
  std::int64_t slices_for_others = 0;  ///< slices of other ranks run while this one waited
  double helping_s = 0;                ///< seconds spent on these
  std::int64_t unexpected = 0;         ///< messages that arrived before their receive was posted
  std::int64_t eager_total_bytes = 0;  ///< most bytes that the short protocol held for this rank at one time
  std::int64_t copied_bytes = 0;       ///< copied by the short protocol and into posted buffers
  std::int64_t deferred_sends = 0;  ///< this rank's sends that had to wait for their receive (long protocol)
};

class Window;

/// One rank of a team: its number, messages, windows and work. Used by one thread at a time.
/// Any call may throw the Error with which another rank called abort.
class Rank {
 public:
  virtual ~Rank() = default;

  // Who, where, when
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Number of this rank's shared-memory node, from 0.
  virtual int node() const = 0;
  /// Seconds on this engine's clock; virtual under simulation.
  virtual double now() const = 0;
  virtual Capabilities capabilities() const = 0;
  virtual EngineCounters counters() const { return {}; }
  /// Collective: the ranks of one colour form a smaller team, ordered by key, then rank.
  virtual std::unique_ptr<Rank> split(int color, int key) = 0;

  // Messages: first in first out for each pair of ranks and lane
  virtual Send start_send(Lane lane, int to, const Header& header, Body body) = 0;
  virtual Recv post_receive(Lane lane, int from = any_rank) = 0;
  /// Cancel a receive. Afterwards the handle is either empty, or done: then a message had arrived first and must be taken.
  virtual void cancel(Recv& receive) = 0;
  /// Whether a request is done. Makes progress; never blocks. Do not call it in a loop: use wait_any.
  virtual bool test(Request& request) = 0;
  /// Source of the first message that no posted receive has taken. It may not be complete yet: a receive from that rank gets it,
  /// and completes with the rest of it.
  virtual std::optional<int> probe(Lane lane, int from = any_rank) = 0;
  /// Block until one request is done, or a probe would find a message on one of the lanes; the only call that blocks.
  /// Handles abort, watchdog, poll and slices of other ranks meanwhile. Skips null and empty requests; Internal if nothing is left
  /// that could end the wait.
  virtual Woken wait_any(std::span<Request* const> requests, LaneSet probes = {}) = 0;
  /// Make progress: outbox release, re-posting, forwarding, channels. Runs no handler, no task, no kernel.
  /// Afterwards (and after wait_any) pending() is up to date for every request of this rank, except that those of
  /// expect_signals and expect_flag are seen only by a test or wait_any that is given them.
  virtual void poll() = 0;
  /// Register a hook, called by every poll of this rank, and every 20 ms at least while it waits, until the returned token is dropped.
  virtual std::shared_ptr<void> on_progress(std::function<void()> hook) = 0;

  // One-sided
  /// Collective: allocate `bytes` zeroed bytes on this rank that the others can put to and get from, aligned to 64 bytes, so that
  /// no two ranks share a cache line.
  virtual std::unique_ptr<Window> make_window(std::size_t bytes) = 0;
  /// Collective: the same for memory that the caller owns and keeps until every rank has destroyed its window (pointer method).
  virtual std::unique_ptr<Window> attach(std::span<std::byte> memory) = 0;
  /// Collective: the same without memory. Puts and gets, whose local memory may be null, take their time and copy nothing; signals
  /// work as usual.
  /// Errors  Internal unless simulated by shapes (is_phantom)
  virtual std::unique_ptr<Window> make_phantom_window(std::size_t bytes);

  // Work
  /// Run f as one event of the trace; charge its modelled cost under simulation.
  template <class F>
  void compute(const Work& work, F&& f) {
    run_compute(work, FunctionRef<void()>(f));
  }
  /// Run slice(0) .. slice(count - 1), independent of each other, polling between them; other ranks of this process and helper
  /// threads may run some. Returns when all are done.
  virtual void run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) = 0;
  /// Run all tasks of the source, polling between them; other ranks of this process and helper threads may run some. Returns when
  /// it is over, or throws what a task has thrown: those that run then end, no others begin. Who waits for a task to become ready
  /// polls meanwhile.
  virtual void run_tasks(const Work& total, TaskSource& source) = 0;
  /// Record an event in the trace that is no call of this rank, such as reading a file, or waiting for it. Times as of now().
  virtual void note(const trace::Event& /*event*/) {}
  /// Abort all ranks with this error; the first one counts. Returns; the caller then throws it.
  virtual void abort(const Error& error) noexcept = 0;

 protected:
  virtual void run_compute(const Work& work, FunctionRef<void()> f) = 0;
};

/// Number of threads that may run slices of this rank's run_slices, its own included.
inline int slice_threads(const Rank& rank) {
  const Capabilities can = rank.capabilities();
  return can.slice_helpers ? (can.shared_memory ? rank.size() : 1) + can.workers : 1;
}

/// SliceRunner on these threads; the trace shows its slices as `work`.
inline SliceRunner slices_of(Rank& rank, const Work& work) {
  return {slice_threads(rank), [&rank, work](std::size_t count, const SliceRunner::Slice& slice) {
            rank.run_slices(work, count, slice);
          }};
}

/// One-sided access to memory of every rank of a team, without the target's help. Offsets and sizes are in bytes.
/// Puts and gets start at once and complete at flush; a signal arrives after this rank's earlier puts to that target.
class Window {
 public:
  virtual ~Window() = default;
  virtual std::span<std::byte> local() = 0;
  virtual std::size_t size_at(int target) const = 0;

  virtual void put(int target, std::size_t offset, std::span<const std::byte> from) = 0;
  virtual void get(int target, std::size_t offset, std::span<std::byte> to) = 0;
  /// `blocks` blocks of `block_bytes`, `stride_bytes` apart at the target, contiguous here.
  virtual void put_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                           std::size_t blocks, const std::byte* from) = 0;
  virtual void get_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                           std::size_t blocks, std::byte* to) = 0;
  /// Wait until this rank's puts and gets at `target` (any_rank: at all) are complete on both sides.
  virtual void flush(int target = any_rank) = 0;

  /// Add 1 to the target's count of this rank's signals, after this rank's puts to it.
  virtual void signal(int target) = 0;
  /// A put followed by a signal, as one operation where the engine has one: one latency instead of two. `from` may be reused at
  /// once; null for windows without memory.
  virtual void put_signal(int target, std::size_t offset, std::span<const std::byte> from) {
    put(target, offset, from);
    signal(target);
  }
  /// Request that is done when `from` has signalled this rank `count` times in total on this window; wait with wait_any.
  virtual Request expect_signals(int from, std::int64_t count) = 0;
  /// A put, and after it an 8-byte word of the target's memory is set to `value`. `from` may be empty, and reused at once.
  /// Errors  Internal without capabilities().orders_puts, which also holds for the two calls below
  virtual void put_flag(int target, std::size_t offset, std::span<const std::byte> from, std::size_t flag,
                        std::int64_t value);
  /// A word of this rank's memory that another rank sets by put_flag; what that rank put before is there.
  virtual std::int64_t flag(std::size_t at);
  /// Request that is done when the word, which only grows, is at least `value`; wait with wait_any.
  virtual Request expect_flag(std::size_t at, std::int64_t value);
  /// Put words of 4 or 8 bytes while their owner, or others, may access them: words are never torn, but arrive in any order.
  /// `from` may be reused at once; the words may still be under way. They have arrived when the next store to the same target
  /// begins, and after a flush.
  /// Errors  Internal if offset or size is no multiple of the word
  virtual void store_words(int target, std::size_t offset, std::size_t word_bytes,
                           std::span<const std::byte> from) = 0;
  /// Read words of this rank's memory, while stores may be under way.
  virtual void load_words(std::size_t offset, std::size_t word_bytes, std::span<std::byte> to) = 0;

  /// Address at which this process can load and store the target's memory, else null.
  virtual std::byte* direct(int target) = 0;
};

}  // namespace overlapack::comm
