#pragma once
#include "comm/engine/mpi/process/patience.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace overlapack::comm::mpi {

/// Description of a wait, for its error, and the longest time without any completion; 0: no limit.
struct Wait {
  const char* what = "";
  double silence_s = 0;
};

/// Requests of which one after the other is waited for. Where a wait throws, its request stays under way: its end is not that of the
/// next, and it refers to nothing else.
struct Turns {
  std::int64_t begun = 0, ended = 0;
  bool is_over() const { return ended == begun; }
};

/// All MPI requests of this process that are under way, with their completion handlers.
class Transfers {
 public:
  using WhenDone = std::function<void(const OverlapackCompletion&)>;

  explicit Transfers(MpiLibrary& library) : library_(library) {}

  /// Start a request with start(OverlapackRequest*); the advance or block that finds it done calls when_done once. If this throws,
  /// no request was started.
  template <class Start>
  OverlapackRequest start(const char* call, WhenDone when_done, Start start) {
    make_room(1);
    OverlapackRequest request = -1;
    library_.check(start(&request), call);
    register_request(request, std::move(when_done));
    return request;
  }
  /// Start the next of `turns`, which lives as long as its requests; allocates nothing.
  template <class Start>
  void start_turn(const char* call, Turns& turns, Start begin) {
    const std::int64_t number = ++turns.begun;
    start(
        call, [&turns, number](const OverlapackCompletion&) { turns.ended = std::max(turns.ended, number); },
        begin);
  }
  /// Reserve memory for so many further requests, windows and communicators: starting them then allocates none.
  void reserve(int requests, int communicators = 0, int windows = 0);
  /// Let MPI progress; true if a request completed.
  bool advance() { return collect_completions(library_.table().test_some, "MPI_Testsome"); }
  /// Simulated time only: block until a request completes. Preferable to advance: SimGrid keeps a record of each message whose
  /// completion advance finds, and searches all records at each completion.
  bool block() { return collect_completions(library_.table().wait_some, "MPI_Waitany"); }
  /// Number of requests completed so far.
  std::int64_t ended() const { return ended_; }
  bool can_block() const { return library_.table().wait_some != nullptr; }

  /// Let MPI progress until is_over(), even after an abort; simulated ranks block, so only a completed request may make it true.
  /// Errors  CommFailure after wait.silence_s without a completion, which marks MPI as broken, or as MpiLibrary::require_all_present
  template <class IsOver>
  void make_progress_until(const Wait& wait, IsOver is_over);
  /// Start one request (a collective) and wait for it; not ended by an abort. If the wait fails, the request stays under way.
  template <class Start>
  void complete(const Wait& wait, Start start, const char* call);
  /// Gather one value of every rank of a communicator into `all`, in rank order.
  template <class T>
  void gather_into(const Wait& wait, OverlapackComm comm, const T& mine, T* all);

  /// Mark MPI as broken: a transfer has failed or will never complete. From here on nothing waits for MPI or is freed there, and
  /// each call of advance throws the error.
  void mark_broken(const Error& error) noexcept;
  /// A rank has ended: as mark_broken, but MPI works, and this process may finalise it.
  void mark_over(const Error& error) noexcept;
  bool may_finalise() const { return may_finalise_; }
  bool is_broken() const { return broken_.has_value(); }
  const Error& breakdown() const { return *broken_; }

 private:
  using Collect = int (*)(OverlapackCompletion*, int, int*);
  bool collect_completions(Collect call, const char* name);
  void finish_requests(std::span<const OverlapackCompletion> done);
  void make_room(std::size_t requests);
  void register_request(OverlapackRequest request, WhenDone when_done);
  [[noreturn]] void fall_silent(const Wait& wait);

  MpiLibrary& library_;
  std::vector<WhenDone> when_done_;  ///< by request
  std::size_t under_way_ = 0;
  Turns completed_;
  std::int64_t ended_ = 0;
  std::optional<Error> broken_;
  bool may_finalise_ = true;
};

template <class IsOver>
void Transfers::make_progress_until(const Wait& wait, IsOver is_over) {
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
      if (patience.is_long()) library_.require_all_present();
    }
    patience.spin_or_nap();
  }
}

template <class Start>
void Transfers::complete(const Wait& wait, Start begin, const char* call) {
  {
    const std::lock_guard lock(library_.mutex);
    start_turn(call, completed_, begin);
  }
  make_progress_until(wait, [&] { return completed_.is_over(); });
}

template <class T>
void Transfers::gather_into(const Wait& wait, OverlapackComm comm, const T& mine, T* all) {
  complete(
      wait,
      [&](OverlapackRequest* r) { return library_.table().allgather(comm, &mine, sizeof mine, all, r); },
      "MPI_Iallgather");
}

}  // namespace overlapack::comm::mpi
