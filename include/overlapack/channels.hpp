#pragma once
/// Asynchronous iterations of programs: channels in which nobody waits and the newest message wins, as section 4.2 of Bethune, Bull,
/// Dingle and Higham 2014 proposes them, and a detector that knows the residual of one vector while all ranks iterate on
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

/// async: a receive gets the newest message that has arrived, whole. racy: single words change at any time, so that a receive
/// may get words of several messages.
enum class Mode : std::uint8_t { async, racy };

/// Both ends of a channel give the same.
struct ChannelOptions {
  std::size_t message_bytes = 0;  ///< of each message, both ways
  int max_messages = 8;           ///< async: messages of one direction that the far end has not acknowledged
  Mode mode = Mode::async;
  std::size_t word_bytes = 8;  ///< racy: size of a word that is never torn, 4 or 8
};

/// Counters of one end, or of all ends that a program has created.
struct Counts {
  std::int64_t ends = 0;         ///< that were created
  std::int64_t sent = 0;         ///< messages
  std::int64_t skipped = 0;      ///< async: can_send said no
  std::int64_t arrived = 0;      ///< async: messages of the peer
  std::int64_t received = 0;     ///< recv calls that got something new; racy: all
  std::int64_t overwritten = 0;  ///< async: arrived messages that a newer one replaced before a recv
  int most_in_flight = 0;        ///< async: most messages that were not acknowledged, at most max_messages
};

class Process;

/// My end of a channel, a name that may be copied; made by Process::create.
/// Errors of every call  BadInput where the channel was destroyed, is not finished, or its program has ended
class OVERLAPACK_API Channel {
 public:
  Channel() = default;
  /// Of my ends in the order in which I created them, from 0; -1: none.
  int number() const { return number_; }

  /// Whether send returns at once. Moves messages before it says no; racy: always true.
  bool can_send();
  /// async: copies the message, and blocks while the channel is full. racy: puts it word by word and goes on.
  /// Errors  BadInput for another size than message_bytes
  void send(std::span<const std::byte> message);
  /// async: whether a message has arrived since the last recv; moves messages before it says no. racy: always true.
  bool can_recv();
  /// async: the newest message that has arrived since the last recv, older ones are dropped; false, and `message` unchanged, if
  /// there is none. racy: the words as they are now; always true. Never blocks.
  /// Errors  BadInput for another size than message_bytes
  bool recv(std::span<std::byte> message);
  /// Block until can_recv.
  /// Errors  BadInput where the peer destroys the channel instead of sending
  void wait();
  /// End the channel: what is under way arrives first, and both ends compare how much that was.
  /// Sync    blocks until the peer calls it; who has several channels begins to destroy them all by start_destroy, or does so in an
  ///         order that cannot wait in a ring
  void destroy();
  /// The first half of destroy, which blocks for nobody; destroy is the second one then, and no other call may come before it.
  void start_destroy();

  // The same by values.
  template <class T>
  void send(std::span<const T> values) {
    send(std::as_bytes(values));
  }
  template <class T>
  bool recv(std::span<T> values) {
    return recv(std::as_writable_bytes(values));
  }

  /// Also of a destroyed channel.
  Counts counts() const;

  struct Owner;

 private:
  friend class Process;
  Channel(std::shared_ptr<Owner> owner, int number) : owner_(std::move(owner)), number_(number) {}
  std::shared_ptr<Owner> owner_;
  int number_ = -1;
};

/// A rank inside of a program. Used by one thread at a time.
class OVERLAPACK_API Process {
 public:
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int rank() const;
  int ranks() const;
  /// Seconds on the engine's clock.
  double time() const;
  /// Move messages: for long computations, in which no other call is made.
  void poll();

  /// My end of a channel to `rank`. The channels of two ranks are matched in the order in which these create them.
  /// initial  racy: what recv returns until the peer writes; empty: zeros
  /// Sync    blocks until the peer calls it; who has several channels begins them all by start_create, or creates them in an order
  ///         that cannot wait in a ring
  /// Errors  BadPlan: a rank that does not exist, or this one; max_messages < 1; racy words of other sizes than 4 and 8 bytes (complex
  ///         numbers are two words), no room for them, or another number of first bytes; BadInput on both ranks if they give different
  ///         options, or one of them ends its program instead
  Channel create(int rank, const ChannelOptions& options, std::span<const std::byte> initial = {});
  /// The first half of create, which blocks for nobody. finish_create is the second one.
  Channel start_create(int rank, const ChannelOptions& options, std::span<const std::byte> initial = {});
  void finish_create(const Channel& channel);
  /// Make memory for racy messages, instead of what was made before.
  /// bytes    sum of message_bytes over my racy channels, each rounded up to 8; ranks may differ
  /// Sync     collective over all ranks
  /// Errors   BadInput while this rank has a racy channel or a detector
  void make_racy_room(std::size_t bytes);

  explicit Process(std::shared_ptr<Channel::Owner> owner) : owner_(std::move(owner)) {}
  Channel::Owner& owner() const { return *owner_; }  ///< for the library

 private:
  std::shared_ptr<Channel::Owner> owner_;
};

/// Run a program on every rank: threads of this process or, under mpirun, the processes of MPI, of which the first options.ranks
/// run it, and the others wait. At its end each rank has destroyed its channels.
/// options  engine, ranks, RunOptions and, for detectors and iterate, IterationOptions count
/// Returns  the counts of all ranks together, on each
/// Errors   those of the program, the first one on all ranks; BadPlan, CommFailure
OVERLAPACK_API Counts run(const Options& options, const std::function<void(Process&)>& program);

/// A rank that has values from me, and I from it.
struct Neighbour {
  int rank = 0;
  std::size_t out = 0;  ///< number of my values that it has
  std::size_t in = 0;   ///< number of its values that I have
};

/// One rank's part of a system whose residual is to be known. A state is a vector of state_size() numbers: my unknowns, the halo
/// (copies of the neighbours' unknowns that I need), and what else I like. Each rank is in the list of each of its neighbours.
template <class T>
class Part {
 public:
  virtual ~Part() = default;
  virtual std::size_t state_size() const = 0;
  virtual std::span<const Neighbour> neighbours() const = 0;
  /// My unknowns of x <- the start vector.
  virtual void start(std::span<T> x) const = 0;
  /// message <- what neighbour k needs of x.  Shapes  message: neighbours()[k].out
  virtual void pack(std::span<const T> x, std::size_t k, std::span<T> message) const = 0;
  /// The halo of x <- what neighbour k sent.  Shapes  message: neighbours()[k].in
  virtual void unpack(std::span<const T> message, std::size_t k, std::span<T> x) const = 0;
  /// The square of my part of the residual's norm, for x and its halo as they are.
  virtual double residual(std::span<const T> x) const = 0;
  /// The square of my part of the norm that residuals are divided by; where all are 0, residuals are divided by nothing. Where their
  /// sum is not finite, the iteration ends as diverged.
  virtual double source() const { return 0; }
};

/// The same with the step of an iteration.
template <class T>
class FixedPoint : public Part<T> {
 public:
  /// My unknowns of next <- a step from x. next has the halo of x.
  virtual void step(std::span<const T> x, std::span<T> next) = 0;
};

/// How an iteration ended: below the tolerance; on a residual that is no number or 10^6 times the smallest; because nothing better came for
/// long; or after max_iterations.
enum class End : std::uint8_t { converged, diverged, stagnated, max_iterations };
/// "converged", ...
OVERLAPACK_API std::string_view to_string(End end);

/// The same on every rank, but for x, iterations, sent and skipped.
template <class T>
struct Outcome {
  std::vector<T> x;     ///< my state of the best vector whose residual is known
  double residual = 0;  ///< of exactly this vector
  End end = End::max_iterations;
  std::int64_t iterations = 0;         ///< of this rank
  std::int64_t looks = 0;              ///< sums of residuals with halos as they were
  std::int64_t snapshots = 0;          ///< vectors whose residual was computed while all iterated on
  std::int64_t sent = 0, skipped = 0;  ///< iterate: halos
};

/// Tells all ranks alike when an asynchronous iteration is over. Each rank calls is_over before each of its steps. Now and then all
/// ranks' residuals with their present halos are summed; where that is small, each rank records its state and sends what its
/// neighbours need of it, apart from all channels, and the next sum is the residual of the recorded vector. Nobody waits.
/// One at a time in a process, and until it is over no other call that is collective.
/// Of IterationOptions count tolerance (of the residual), max_iterations, residual_period and residual_sum.
/// Source  paper 5, section 3.1.2, for the tree; recording is an addition to it (docs/jacobi.md)
template <class T>
class OVERLAPACK_API Detector {
 public:
  /// `part` lives as long as the detector.
  /// Sync    collective over all ranks
  /// Errors  BadInput: neighbours that give each other different sizes, do not exist or are this rank; a detector that this rank
  ///         has already, or has left before it was over
  Detector(Process& process, Part<T>& part);
  ~Detector();
  Detector(const Detector&) = delete;
  Detector& operator=(const Detector&) = delete;

  /// iteration: of this rank, from 0. Once true, always true.
  /// Errors  BadInput for an x that is not of state_size()
  bool is_over(std::int64_t iteration, std::span<const T> x);
  /// Once is_over was true; the second time x is empty.
  /// Errors  BadInput before
  Outcome<T> take();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Iterate until it is over, with halos by channels of the library's own: IterationOptions::variant sync, async (the default) or racy,
/// in_flight, halo_period, final_sweeps and what counts for a detector.
/// Sync    collective over all ranks
/// Errors  as Detector; BadInput while this rank has a channel or a detector; BadPlan: racy complex numbers
template <class T>
OVERLAPACK_API Outcome<T> iterate(Process& process, FixedPoint<T>& point);

}  // namespace overlapack::channels
