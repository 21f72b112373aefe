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

/// The name of a registered area of memory: the number of its registration, which is the same on all processes.
struct Slot {
  std::int64_t number = -1;
};

/// The number of messages in a process's queue, and the bytes of their payloads.
struct QueueSize {
  std::int64_t messages = 0;
  std::size_t bytes = 0;
};

/// A message in the queue, without a copy; valid until the next sync. The address of the payload is a multiple of 8 bytes.
struct MessageView {
  std::span<const std::byte> tag, payload;
};

/// The cost of a program in the BSP model, a + b g + c l seconds.
struct Cost {
  double work_s = 0;  ///< a: seconds of the longest computation of each superstep, summed over the supersteps
  /// b: the most words of 8 bytes that a process sends or receives in each superstep, summed over the supersteps.
  std::int64_t words = 0;
  std::int64_t supersteps = 0;  ///< c: number of supersteps
  /// g and l: seconds for each word and for each superstep, fitted over this program's supersteps on its first process; never negative.
  double word_s = 0, synchronisation_s = 0;
};

/// A process of a bulk-synchronous program, and its access to the others. Puts, gets and sends only record what the next sync has to do.
/// Misuse is an Error with Status::internal that names process, slot and superstep; it ends the run on all processes.
class OVERLAPACK_API World {
 public:
  explicit World(comm::superstep::World& world) : world_(world) {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int process() const;
  int processes() const;
  /// The number of the present superstep, from 0.
  std::int64_t superstep() const;
  /// Seconds on the engine's clock; simulated time on a simulated machine.
  double time() const;

  /// Register memory of this process for access by the others, from the next sync on. All processes register in the same order,
  /// each with its own size.
  Slot push_reg(std::span<std::byte> memory);
  /// End the registration with the next sync.
  void pop_reg(Slot slot);
  /// The latest registration of memory that begins at this address; number -1 if there is none.
  Slot slot_of(const void* begin) const;
  /// The latest registration of memory that begins at this address. It is misuse if there is none.
  Slot area_at(const void* begin) const;
  /// End the latest registration of memory that begins at this address, by BSPlib's rules; it may be one of this superstep. A process
  /// that registered a null pointer for an area also passes a null pointer when the others end that area.
  void pop_area(const void* begin);

  /// Write bytes into the memory of process `to`, `offset` bytes into its area `slot`. The source is copied now. The sync writes the
  /// bytes after it has read and written all gets.
  void put(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// put without the copy. Source and target belong to the world until the sync has ended, and the transfer takes place at any time until
  /// then. If the sync throws, the source is no longer read and is the caller's again. A sync in halves sends a copy.
  void hpput(int to, std::span<const std::byte> from, Slot slot, std::size_t offset);
  /// Read bytes from the memory of process `from`, `offset` bytes into its area `slot`. The sync reads them before anything is written
  /// there, and writes them to `to` before any put.
  void get(int from, Slot slot, std::size_t offset, std::span<std::byte> to);
  /// get at any time until the sync has ended, as for hpput. If the sync throws, `to` is no longer written.
  void hpget(int from, Slot slot, std::size_t offset, std::span<std::byte> to);

  // The same functions for values of type T; offsets count values instead of bytes.
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

  /// Set the size of tags from the next sync on. All processes set the same size, which is 0 at first. Returns the size set before.
  std::size_t set_tagsize(std::size_t bytes);
  /// Send a message to the queue of process `to`, which has it in the next superstep only. Tag and payload are copied now.
  void send(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  /// send without a copy of the payload, which belongs to the world until the sync has ended.
  void hpsend(int to, std::span<const std::byte> tag, std::span<const std::byte> payload);
  QueueSize queue_size() const;
  /// The first message of the queue, which is ordered by sender and by order of sending; two empty spans if the queue is empty.
  MessageView front() const;
  /// Remove the first message and copy as much of its payload as fits. hpmove returns the message without a copy.
  void move(std::span<std::byte> payload);
  MessageView hpmove();

  /// End the superstep, on all processes.
  void sync();
  /// End the superstep in two halves. Messages of this process travel while it computes in between, where it makes no other call than
  /// is_ready.
  void start_sync();
  void finish_sync();
  /// End the superstep if every process knows its `senders`: it waits for those processes alone. There must be no gets. It has two halves,
  /// too, of which finish_sync is the second.
  void sync_known(std::span<const int> senders);
  void start_sync_known(std::span<const int> senders);
  /// Between the halves: whether everything that finish_sync waits for has arrived, apart from the answers to gets.
  bool is_ready();

 private:
  friend class Grid;  // bsp2d.hpp
  comm::superstep::World& world_;
};

/// Run a program on every process. Processes are threads of this process or, under mpirun, those of MPI. The first options.ranks
/// of MPI's processes run it, and the others wait. The program ends with a sync, or makes no requests after its last one.
/// options  Options::ranks and RunOptions are used
/// Errors   the first error of the program, on all processes; BadPlan, CommFailure
OVERLAPACK_API Cost run(const Options& options, const std::function<void(World&)>& program);

/// The number of processes that a program could have: the processes that mpirun has started, or one for each processor.
/// Sync    collective over the processes of an MPI run
OVERLAPACK_API int available_processes(const Options& options);

}  // namespace overlapack::bsp
