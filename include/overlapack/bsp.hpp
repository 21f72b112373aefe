#pragma once
/// Bulk-synchronous programs: BSPlib's calls on every engine of this library (docs/bsp.md has the cost of each).
///
///   overlapack::bsp::run({.ranks = 4}, [](overlapack::bsp::World& world) {
///     std::vector<double> all(world.processes());
///     const auto slot = world.push_reg<double>(all);
///     world.sync();
///     const double mine = world.process();
///     for (int to = 0; to < world.processes(); ++to) world.put<double>(to, {&mine, 1}, slot, world.process());
///     world.sync();                                    // everybody's number is in `all`
///   });
#include "overlapack/error.hpp"
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace overlapack::comm::superstep {
class World;
}

namespace overlapack::bsp {

/// The name of an area of memory of every process: the number of its registration.
struct Slot {
  std::int64_t number = -1;
};

/// Messages in the queue, and the bytes of their payloads.
struct QueueSize {
  std::int64_t messages = 0;
  std::size_t bytes = 0;
};

/// A message of the queue where it lies: until the next sync. The payload begins at a multiple of 8 bytes.
struct MessageView {
  std::span<const std::byte> tag, payload;
};

/// What a program has cost, a + b g + c l.
struct Cost {
  double work_s = 0;  ///< a: of each superstep the longest computation, summed; seconds
  std::int64_t words =
      0;  ///< b: of each superstep the most words of 8 bytes a process sends or receives, summed
  std::int64_t supersteps = 0;  ///< c
};

/// A process in its world. All calls but those of a sync only take down what is to be done. Misuse is an Error of the kind
/// Internal, which names process, slot and superstep, and ends the run on all processes.
class OVERLAPACK_API World {
 public:
  explicit World(comm::superstep::World& world) : world_(world) {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int process() const;
  int processes() const;
  /// Seconds on the engine's clock, virtual where it is simulated.
  double time() const;

  /// Give the others a name for memory of mine, from the next sync on; all in the same order, each with its own size.
  Slot push_reg(std::span<std::byte> memory);
  /// Take the name back, from the next sync on.
  void pop_reg(Slot slot);
  /// The latest registration of what begins there.
  Slot slot_of(const void* begin) const;

  /// The source is read now; it is at `offset` of `slot` of process `to` after the sync, which reads for all gets first.
  void put(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// Source and target belong to the world until the sync has ended, in which it happens at any time; where the sync throws, the source
  /// is the caller's again, and nobody reads it. A sync in halves sends a copy.
  void hpput(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// The place at process `from` is read in the sync, before any put is written; it is here after the puts.
  void get(int from, Slot slot, std::size_t offset, std::span<std::byte> to);
  /// As hpput: where the sync throws, nobody writes to `to` any more.
  void hpget(int from, Slot slot, std::size_t offset, std::span<std::byte> to);

  // The same by values; offsets count them.
  template <class T>
  Slot push_reg(std::span<T> values) {
    return push_reg(std::as_writable_bytes(values));
  }
  template <class T>
  void put(int to, std::span<const T> from, Slot slot, std::size_t first) {
    put(to, std::as_bytes(from), slot, first * sizeof(T));
  }
  template <class T>
  void get(int from, Slot slot, std::size_t first, std::span<T> to) {
    get(from, slot, first * sizeof(T), std::as_writable_bytes(to));
  }

  /// Tags have this size from the next sync on, on all processes; returns the size until then. At first 0.
  std::size_t set_tagsize(std::size_t bytes);
  /// Into the queue of process `to`, which has it in the next superstep only.
  void send(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  /// The payload belongs to the world until the sync has ended.
  void hpsend(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  QueueSize queue_size() const;
  /// The first message, by sender and order of sending; two empty spans where there is none.
  MessageView front() const;
  /// It leaves the queue, and as much of its payload as has room is copied; hpmove shows it where it lies.
  void move(std::span<std::byte> payload);
  MessageView hpmove();

  /// The superstep ends, on all processes.
  void sync();
  /// In two halves: what I have for others travels while I compute in between. Nothing is asked for there.
  void start_sync();
  void finish_sync();
  /// Where all know who has something for whom: I wait for `senders` alone. No gets. Also in two halves.
  void sync_known(std::span<const int> senders);
  void start_sync_known(std::span<const int> senders);
  /// Between the halves: whether all that the second would wait for is here, but for what gets ask for.
  bool is_ready();

 private:
  friend class Grid;  // bsp2d.hpp
  comm::superstep::World& world_;
};

/// Run a program on every process: threads of this process or, under mpirun, those of MPI. The program ends with a sync, or
/// says nothing after its last one.
/// options  engine, ranks and RunOptions count
/// Errors   those of the program, the first one on all processes; BadPlan, CommFailure
OVERLAPACK_API Cost run(const Options& options, const std::function<void(World&)>& program);

}  // namespace overlapack::bsp
