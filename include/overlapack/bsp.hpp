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

/// A message of the queue, in place: valid until the next sync. The payload begins at a multiple of 8 bytes.
struct MessageView {
  std::span<const std::byte> tag, payload;
};

/// Cost of a program, a + b g + c l.
struct Cost {
  double work_s = 0;  ///< a: of each superstep the longest computation, summed; seconds
  std::int64_t words =
      0;  ///< b: of each superstep the most words of 8 bytes a process sends or receives, summed
  std::int64_t supersteps = 0;  ///< c
  /// g and l, seconds a word and a superstep, fitted over this program's supersteps on its first process; never negative.
  double word_s = 0, synchronisation_s = 0;
};

/// A process in its world. All calls except those of a sync only record what is to be done. Misuse is an Error of the kind
/// Internal, which names process, slot and superstep, and ends the run on all processes.
class OVERLAPACK_API World {
 public:
  explicit World(comm::superstep::World& world) : world_(world) {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int process() const;
  int processes() const;
  /// Number of the superstep, from 0.
  std::int64_t superstep() const;
  /// Seconds on the engine's clock, virtual where it is simulated.
  double time() const;

  /// Register memory of this process for access by the others, from the next sync on. All processes register in the same order,
  /// each with its own size.
  Slot push_reg(std::span<std::byte> memory);
  /// End the registration with the next sync.
  void pop_reg(Slot slot);
  /// The latest registration of memory that begins there; number -1 if there is none.
  Slot slot_of(const void* begin) const;
  /// The same; misuse if there is none.
  Slot area_at(const void* begin) const;
  /// End the latest registration of memory that begins there, by BSPlib's rules. It may be one of this superstep. A null pointer
  /// ends the registration that the other processes end with the same call, for which this one registered a null pointer.
  void pop_area(const void* begin);

  /// The source is copied now. The sync writes it to `offset` of `slot` of process `to`, after all gets were read and written.
  void put(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// Source and target belong to the world until the sync has ended. The transfer takes place at any time until then. If the sync
  /// throws, the source is the caller's again, and is no longer read. A sync in halves sends a copy.
  void hpput(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// The sync reads the area at process `from` before anything is written there. It writes the bytes to `to` before any put.
  void get(int from, Slot slot, std::size_t offset, std::span<std::byte> to);
  /// As hpput: if the sync throws, `to` is no longer written.
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

  /// Tags have this size from the next sync on, on all processes; returns the size set before. At first 0.
  std::size_t set_tagsize(std::size_t bytes);
  /// Send to the queue of process `to`, for its next superstep only.
  void send(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  /// The payload belongs to the world until the sync has ended.
  void hpsend(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  QueueSize queue_size() const;
  /// The first message, by sender and order of sending; two empty spans if there is none.
  MessageView front() const;
  /// Remove the first message and copy as much of its payload as fits; hpmove returns the message in place.
  void move(std::span<std::byte> payload);
  MessageView hpmove();

  /// End the superstep, on all processes.
  void sync();
  /// The same in two halves: messages of this process travel while it computes in between. No other calls there.
  void start_sync();
  void finish_sync();
  /// The same if every process knows who sends to whom: it waits for `senders` alone. No gets. Also in two halves.
  void sync_known(std::span<const int> senders);
  void start_sync_known(std::span<const int> senders);
  /// Between the halves: is all here that the second half waits for, except for what gets ask for?
  bool is_ready();

 private:
  friend class Grid;  // bsp2d.hpp
  comm::superstep::World& world_;
};

/// Run a program on every process. Processes are threads of this process or, under mpirun, those of MPI. The first options.ranks
/// of MPI's processes run it, and the others wait. The program ends with a sync, or makes no requests after its last one.
/// options  engine, ranks and RunOptions count
/// Errors   those of the program, the first one on all processes; BadPlan, CommFailure
OVERLAPACK_API Cost run(const Options& options, const std::function<void(World&)>& program);

/// The number of processes that such a program could have: those that mpirun has started, or one for each processor.
/// Sync    collective over the processes of an MPI run
OVERLAPACK_API int available_processes(const Options& options);

}  // namespace overlapack::bsp
