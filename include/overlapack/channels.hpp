#pragma once
/// Asynchronous iterations for programs: channels in which no rank waits and the newest message wins, as section 4.2 of Bethune, Bull,
/// Dingle and Higham 2014 proposes them, and a detector that computes the residual of one vector while all ranks go on iterating
/// (docs/channels.md).
///
///   using namespace overlapack::channels;
///   run({.ranks = 2}, [](Process& process) {
///     double mine = process.rank(), other = -1;
///     Channel channel = process.create(1 - process.rank(), {.message_bytes = sizeof mine});
///     if (channel.can_send()) channel.send<double>({&mine, 1});
///     if (channel.recv<double>({&other, 1})) { ... }  // the newest message, if one has come
///     channel.destroy();
///   });
#include "overlapack/error.hpp"
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace overlapack::channels {

/// How a channel works. async: a receive gets the newest message that has arrived, as a whole. racy: single words change at any time,
/// so that a receive may get words of several messages.
enum class Mode : std::uint8_t { async, racy };

/// The options of a channel. Both ends give the same values.
struct ChannelOptions {
  std::size_t message_bytes = 0;  ///< size of each message, in both directions
  /// async: the most messages of one direction that the other end has not acknowledged
  int max_messages = 8;
  Mode mode = Mode::async;
  std::size_t word_bytes = 8;  ///< racy: size of a word that is never torn, 4 or 8
};

/// Counters of one end of a channel, or of all ends that a program has created.
struct Counts {
  std::int64_t ends = 0;         ///< ends that were created
  std::int64_t sent = 0;         ///< messages sent
  std::int64_t skipped = 0;      ///< async: calls of can_send that returned false
  std::int64_t arrived = 0;      ///< async: messages of the peer that arrived
  std::int64_t received = 0;     ///< recv calls that got something new; racy: all recv calls
  std::int64_t overwritten = 0;  ///< async: arrived messages that a newer one replaced before a recv
  int most_in_flight = 0;  ///< async: the most messages that were not acknowledged, at most max_messages
};

class Process;

/// A handle of this rank's end of a channel, made by Process::create. Copies name the same end.
/// Errors of every call  BadInput if the channel was destroyed, its creation is not finished, or its program has ended
class OVERLAPACK_API Channel {
 public:
  Channel() = default;
  /// The number of this end among this rank's ends, in the order of their creation, from 0; -1: no channel.
  int number() const { return number_; }

  /// Whether send returns at once. Before it returns false, it lets messages proceed. racy: always true.
  bool can_send();
  /// Send a message. async: copies it, and blocks while the channel is full. racy: puts it word by word and never blocks.
  /// Errors  BadInput for another size than message_bytes
  void send(std::span<const std::byte> message);
  /// Whether a message has arrived since the last recv. Before it returns false, it lets messages proceed. racy: always true.
  bool can_recv();
  /// Receive without blocking. async: copies the newest message since the last recv and drops older ones; returns false, and leaves
  /// `message` unchanged, if there is none. racy: copies the words as they are now and returns true.
  /// Errors  BadInput for another size than message_bytes
  bool recv(std::span<std::byte> message);
  /// Block until can_recv is true.
  /// Errors  BadInput if the peer destroys the channel instead of sending
  void wait();
  /// End the channel. Messages under way arrive first, and both ends compare their number.
  /// Sync    blocks until the peer calls it, too. A rank with several channels calls start_destroy for all of them first, or destroys
  ///         them in an order in which ranks cannot wait for each other in a ring
  void destroy();
  /// The first half of destroy, which does not block. destroy then is the second half, and the only call that may follow.
  void start_destroy();

  // send and recv for values of type T.
  template <class T>
  void send(std::span<const T> values) {
    send(std::as_bytes(values));
  }
  template <class T>
  bool recv(std::span<T> values) {
    return recv(std::as_writable_bytes(values));
  }

  /// The counters of this end, also of a destroyed channel.
  Counts counts() const;

  struct Owner;

 private:
  friend class Process;
  Channel(std::shared_ptr<Owner> owner, int number) : owner_(std::move(owner)), number_(number) {}
  std::shared_ptr<Owner> owner_;
  int number_ = -1;
};

/// A rank inside a running program. One thread at a time may use it.
class OVERLAPACK_API Process {
 public:
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int rank() const;
  int ranks() const;
  /// Seconds on the engine's clock.
  double time() const;
  /// Let messages proceed. Call it inside long computations that make no other call.
  void poll();

  /// Create this rank's end of a channel to `rank`. Two ranks with several channels between them create both ends of each in the same
  /// order.
  /// initial  racy: the message that recv gets until the peer writes; empty: zeros
  /// Sync    blocks until the peer calls it, too. A rank with several channels calls start_create for all of them first, or creates them
  ///         in an order in which ranks cannot wait for each other in a ring
  /// Errors  BadPlan: the rank does not exist or is this one; max_messages < 1; racy: words of another size than 4 and 8 bytes (complex
  ///         numbers are two words), too little racy room, or `initial` of another size
  ///         BadInput on both ranks if they give different options, or if one of them ends its program instead
  Channel create(int rank, const ChannelOptions& options, std::span<const std::byte> initial = {});
  /// create in two halves, of which the first one does not block.
  Channel start_create(int rank, const ChannelOptions& options, std::span<const std::byte> initial = {});
  void finish_create(const Channel& channel);
  /// Allocate memory for the racy messages of this rank. It replaces the memory of an earlier call.
  /// bytes    the sum of message_bytes over this rank's racy channels, each rounded up to a multiple of 8; ranks may differ
  /// Sync     collective over all ranks
  /// Errors   BadInput while this rank has a racy channel or a detector
  void make_racy_room(std::size_t bytes);

  explicit Process(std::shared_ptr<Channel::Owner> owner) : owner_(std::move(owner)) {}
  Channel::Owner& owner() const { return *owner_; }  ///< for the library

 private:
  std::shared_ptr<Channel::Owner> owner_;
};

/// Run a program on every rank. Ranks are threads of this process or, under mpirun, processes of MPI; the first options.ranks of these
/// run it, and the others wait. Each rank must have destroyed its channels when the program ends.
/// options  Options::ranks, RunOptions and, for detectors and iterate, IterationOptions are used
/// Returns  the sum of the counts of all ranks, on each rank
/// Errors   the first error of the program, on all ranks; BadPlan, CommFailure
OVERLAPACK_API Counts run(const Options& options, const std::function<void(Process&)>& program);

/// A neighbour: a rank with which this rank exchanges halos.
struct Neighbour {
  int rank = 0;
  std::size_t out = 0;  ///< how many of my values it needs
  std::size_t in = 0;   ///< how many of its values I need
};

/// One rank's part of a system, so that a Detector can compute its residual. A state is a vector of state_size() numbers: my unknowns,
/// the halo (copies of the neighbours' unknowns that I need), and anything else. If rank r lists rank s as a neighbour, rank s lists
/// rank r.
template <class T>
class Part {
 public:
  virtual ~Part() = default;
  virtual std::size_t state_size() const = 0;
  virtual std::span<const Neighbour> neighbours() const = 0;
  /// Set my unknowns of x to the start vector.
  virtual void start(std::span<T> x) const = 0;
  /// message <- the numbers of x that neighbour k needs.  Shapes  message: neighbours()[k].out
  virtual void pack(std::span<const T> x, std::size_t k, std::span<T> message) const = 0;
  /// The halo of x <- the message of neighbour k.  Shapes  message: neighbours()[k].in
  virtual void unpack(std::span<const T> message, std::size_t k, std::span<T> x) const = 0;
  /// The sum of squares of my part of the residual of x, with the halo that x has.
  virtual double residual(std::span<const T> x) const = 0;
  /// The sum of squares of my part of the vector whose norm residuals are divided by, such as b. If it is 0 on all ranks, residuals are
  /// not divided. If the sum over the ranks is not finite, the iteration ends as diverged.
  virtual double source() const { return 0; }
};

/// A Part with the step of a fixed-point iteration, for iterate.
template <class T>
class FixedPoint : public Part<T> {
 public:
  /// My unknowns of next <- those of x after one step. next has the halo of x already.
  virtual void step(std::span<const T> x, std::span<T> next) = 0;
};

/// How an iteration ended. converged: the residual is below the tolerance. diverged: the residual is not a number, or 10^6 times the
/// smallest one. stagnated: no better vector came for a long time.
enum class End : std::uint8_t { converged, diverged, stagnated, max_iterations };
/// The name of an end: "converged", ...
OVERLAPACK_API std::string_view to_string(End end);

/// The result of an iteration. x, iterations, sent and skipped are each rank's own; all else is equal on all ranks.
template <class T>
struct Outcome {
  std::vector<T> x;     ///< my state of the best vector whose residual is known
  double residual = 0;  ///< the residual of exactly this vector
  End end = End::max_iterations;
  std::int64_t iterations = 0;  ///< iterations of this rank
  std::int64_t looks = 0;       ///< how often the ranks' residuals with their present halos were summed
  /// recorded vectors whose residual was computed while all ranks went on iterating
  std::int64_t snapshots = 0;
  std::int64_t sent = 0,
               skipped = 0;  ///< iterate: halos that were sent, and not sent because a channel was full
};

/// Detects the end of an asynchronous iteration, on all ranks alike. Each rank calls is_over before each of its steps. From time to time
/// the ranks sum their residuals, computed with their present halos. If the sum is small, each rank records its state and sends the
/// values that its neighbours need of it, beside all channels. The next sum then is the true residual of the recorded vector. No rank
/// waits.
/// A process has one detector at a time, and makes no other collective call until the iteration is over.
/// Of IterationOptions, tolerance (of the residual), max_iterations, residual_period and residual_sum are used.
/// Source  paper 5, section 3.1.2, for the tree; recording is an addition to it (docs/jacobi.md)
template <class T>
class OVERLAPACK_API Detector {
 public:
  /// Begin to detect. `part` must live as long as the detector.
  /// Sync    collective over all ranks
  /// Errors  BadInput: two neighbours give different sizes, a neighbour does not exist or is this rank; or this rank already has a
  ///         detector, or destroyed one before its iteration was over
  Detector(Process& process, Part<T>& part);
  ~Detector();
  Detector(const Detector&) = delete;
  Detector& operator=(const Detector&) = delete;

  /// Whether the iteration is over. After it was true once, it stays true.
  /// iteration: the number of this rank's iteration, from 0; x: this rank's state
  /// Errors  BadInput if x does not have state_size() numbers
  bool is_over(std::int64_t iteration, std::span<const T> x);
  /// The result, after is_over was true. It moves x out, so that x is empty in a second call.
  /// Errors  BadInput before is_over was true
  Outcome<T> take();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Iterate by FixedPoint::step until the iteration is over. The library exchanges halos by channels of its own. It uses
/// IterationOptions::variant (sync, async (the default) or racy), in_flight, halo_period, final_sweeps and the options of a Detector.
/// Sync    collective over all ranks
/// Errors  as Detector; BadInput while this rank has a channel or a detector; BadPlan: racy complex numbers
template <class T>
OVERLAPACK_API Outcome<T> iterate(Process& process, FixedPoint<T>& point);

}  // namespace overlapack::channels
