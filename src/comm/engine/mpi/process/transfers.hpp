#pragma once
#include "comm/engine/mpi/process/patience.hpp"

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace overlapack::comm::mpi {

/// What is waited for, and how long nothing may happen meanwhile; 0: for ever.
struct Wait {
  const char* what = "";
  double silence_s = 0;
};

/// Every MPI request of this process that is under way, and what happens when it is done.
class Transfers {
 public:
  using WhenDone = std::function<void(const OverlapackCompletion&)>;

  explicit Transfers(Library& library) : library_(library) {}

  /// Start a request with start(OverlapackRequest*), and call when_done once, from the advance or block that finds it done.
  /// Where this throws, nothing has begun.
  template <class Start>
  OverlapackRequest start(const char* call, WhenDone when_done, Start start) {
    make_room(1);
    OverlapackRequest request = -1;
    library_.check(start(&request), call);
    expect(request, std::move(when_done));
    return request;
  }
  /// Make room for so many requests, windows and communicators more: starting them then takes no memory.
  void reserve(int requests, int communicators = 0, int windows = 0);
  /// Let MPI move bytes; true if something came to its end.
  bool advance() { return collect(library_.table().test_some, "MPI_Testsome"); }
  /// Simulated time only: until something comes to its end. To be preferred: SimGrid keeps a record of each message
  /// whose end is found by advance, and goes through all records at each end.
  bool block() { return collect(library_.table().wait_some, "MPI_Waitany"); }
  /// How many have come to their end so far.
  std::int64_t ended() const { return ended_; }
  bool can_block() const { return library_.table().wait_some != nullptr; }

  /// Let bytes move until is_over(), whatever happens elsewhere; simulated ranks block where only an arriving
  /// message or a finished send can make it true.
  /// Errors  CommFailure after the silence, which breaks MPI down
  template <class IsOver>
  void serve_until(const Wait& wait, IsOver is_over);
  /// Wait for one collective that is under way; no abort ends it.
  template <class Start>
  void complete(const Wait& wait, Start start, const char* call);
  /// One value of every rank of a communicator, in rank order.
  template <class T>
  void gather_into(const Wait& wait, OverlapackComm comm, const T& mine, T* all);

  /// A transfer has failed, or will never end. MPI promises nothing from here on: nobody waits for it, and nothing is given back to it;
  /// each further call of advance throws the error.
  void break_down(const Error& error) noexcept;
  bool is_broken() const { return broken_.has_value(); }
  const Error& breakdown() const { return *broken_; }

 private:
  using Collect = int (*)(OverlapackCompletion*, int, int*);
  bool collect(Collect call, const char* name);
  void end(std::span<const OverlapackCompletion> done);
  void make_room(std::size_t requests);
  void expect(OverlapackRequest request, WhenDone when_done);
  [[noreturn]] void fall_silent(const Wait& wait);

  Library& library_;
  std::vector<WhenDone> when_done_;  ///< by request
  std::size_t under_way_ = 0;
  std::int64_t ended_ = 0;
  std::optional<Error> broken_;
};

template <class IsOver>
void Transfers::serve_until(const Wait& wait, IsOver is_over) {
  using Clock = std::chrono::steady_clock;
  Patience patience(library_);
  auto last = Clock::now();
  for (;;) {
    {
      const std::lock_guard lock(library_.mutex);
      if (!can_block() && advance()) {
        patience.reset();
        last = Clock::now();
      }
      if (is_over()) return;
      if (can_block()) {
        block();
        continue;
      }
      const double silence_s = std::chrono::duration<double>(Clock::now() - last).count();
      if (wait.silence_s > 0 && silence_s > wait.silence_s) fall_silent(wait);
    }
    patience.rest();
  }
}

template <class Start>
void Transfers::complete(const Wait& wait, Start begin, const char* call) {
  bool is_done = false;
  {
    const std::lock_guard lock(library_.mutex);
    start(
        call, [&](const OverlapackCompletion&) { is_done = true; }, begin);
  }
  serve_until(wait, [&] { return is_done; });
}

template <class T>
void Transfers::gather_into(const Wait& wait, OverlapackComm comm, const T& mine, T* all) {
  complete(
      wait,
      [&](OverlapackRequest* r) { return library_.table().allgather(comm, &mine, sizeof mine, all, r); },
      "MPI_Iallgather");
}

}  // namespace overlapack::comm::mpi
