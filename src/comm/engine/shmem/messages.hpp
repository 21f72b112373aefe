#pragma once
#include "comm/engine/mpi/load/table.h"
#include "comm/engine/shmem/pipes.hpp"

#include <list>
#include <memory>
#include <queue>

/// Tagged messages and non-blocking collectives on the pipes, as the engine's table requires.
namespace overlapack::comm::shmem {

/// A communicator: an ordered list of PEs.
struct Comm {
  std::vector<int> pes;
  int here = 0;  ///< position of this PE
  std::int32_t context = 0;
  std::int32_t collectives = 0;  ///< number begun so far
};

/// An operation that the engine waits for by its request number, or one message of a collective.
struct Task {
  OverlapackRequest number = -1;  ///< -1: a part of a collective
  std::shared_ptr<Task> whole = {};
  int parts = 0;  ///< messages of a collective not completed
};
using TaskPtr = std::shared_ptr<Task>;

/// A posted receive that no message has matched yet.
struct Posted {
  TaskPtr task = {};
  const Comm* comm = nullptr;
  std::byte* buffer = nullptr;
  std::int64_t bytes = 0;
  int from = -1, tag = 0;  ///< from: position in the communicator, -1: any
};

/// A message that has arrived; kept if its receive is not posted yet.
struct Arrived {
  int pe = 0;
  FrameHeader header;
  std::vector<std::byte> bytes;
};

class Messages {
 public:
  enum Kind : std::int32_t { message_kind, found_kind, put_kind, get_kind, answer_kind };
  enum Code : int {
    fine = 0,
    too_long,
    no_such_communicator,
    heap_full,
    not_symmetric,
    no_threads,
    heap_too_small
  };

  Pipes& pipes() { return pipes_; }

  void send(const Comm& comm, std::span<const std::byte> first, std::span<const std::byte> second, int to,
            int tag, bool is_synchronous, TaskPtr task);
  void receive(Posted posted);
  const Arrived* find(const Comm& comm, int from, int tag) const;
  void cancel(OverlapackRequest number);

  TaskPtr new_task();
  /// A collective of `parts` sends and receives.
  TaskPtr new_whole(int parts);
  TaskPtr part_of(const TaskPtr& whole) const { return std::make_shared<Task>(Task{-1, whole, 0}); }

  /// Read and write the pipes, handling arrived messages.
  void advance();
  int fetch(OverlapackCompletion* done, int capacity);
  /// Free a task that was awaited by make_progress_until: drop its completion.
  void forget(const TaskPtr& task);
  /// Call advance() until is_over().
  void make_progress_until(const std::function<bool()>& is_over);

  // Windows on memory outside the symmetric heap: this PE sends the access as a message; the owner performs it in its advance()
  void put_by_owner(int pe, std::byte* address, const OverlapackStrides& at, const void* from);
  void get_by_owner(int pe, std::byte* address, const OverlapackStrides& at, void* to);
  bool has_accesses() const { return accesses_ > 0; }

 private:
  void arrived(int pe, const FrameHeader& header, std::vector<std::byte> bytes);
  void deliver(const Posted& posted, const Arrived& message);
  void finish(const TaskPtr& task, int source, bool is_cancelled, int error, std::int64_t bytes);
  bool fits(const Posted& posted, const Arrived& message) const;

  Pipes pipes_;
  std::list<Posted> posted_;
  std::list<Arrived> unexpected_;
  std::vector<TaskPtr> synchronous_;  ///< by token - 1: synchronous sends that no receive has matched
  struct Answer {
    std::byte* to = nullptr;
    bool is_awaited = false;
  };
  std::vector<Answer> answers_;  ///< by token - 1: where the data of gets under way go
  int accesses_ = 0;
  std::deque<OverlapackCompletion> finished_;
  std::priority_queue<int, std::vector<int>, std::greater<>> free_;
  int numbers_ = 0;
};

}  // namespace overlapack::comm::shmem
