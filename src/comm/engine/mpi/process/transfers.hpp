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

class Departures;

/// Description of a wait, for its error, and when it fails.
struct Wait {
  const char* what = "";
  double silence_s = 0;              ///< the longest time without any completion; 0: no limit
  Departures* departures = nullptr;  ///< of the ranks that it waits for
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
  /// Errors  CommFailure after wait.silence_s without a completion, or where a rank has ended; marks MPI as broken or over
  template <class IsOver>
  void make_progress_until(const Wait& wait, IsOver is_over);
  /// Start one request (a collective) and wait for it; not ended by an abort.
  template <class Start>
  void complete(const Wait& wait, Start start, const char* call);
  /// Gather one value of every rank of a communicator into `all`, in rank order.
  template <class T>
  void gather_into(const Wait& wait, OverlapackComm comm, const T& mine, T* all);

  /// Mark MPI as broken: a transfer has failed or will never complete. From here on nothing waits for MPI or is freed there, and
  /// each call of advance throws the error.
  void mark_broken(const Error& error) noexcept;
  /// The same where all processes are there or have ended: this one can finalise MPI.
  void mark_over(const Error& error) noexcept;
  bool is_broken() const { return broken_.has_value(); }
  const Error& breakdown() const { return *broken_; }

 private:
  using Collect = int (*)(OverlapackCompletion*, int, int*);
  bool collect_completions(Collect call, const char* name);
  void finish_requests(std::span<const OverlapackCompletion> done);
  void make_room(std::size_t requests);
  void register_request(OverlapackRequest request, WhenDone when_done);
  [[noreturn]] void fall_silent(const Wait& wait);
  static void require_all_present(const Wait& wait);

  MpiLibrary& library_;
  std::vector<WhenDone> when_done_;  ///< by request
  std::size_t under_way_ = 0;
  std::int64_t ended_ = 0;
  std::optional<Error> broken_;
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
      if (patience.is_long()) require_all_present(wait);
    }
    patience.spin_or_nap();
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
  make_progress_until(wait, [&] { return is_done; });
}

template <class T>
void Transfers::gather_into(const Wait& wait, OverlapackComm comm, const T& mine, T* all) {
  complete(
      wait,
      [&](OverlapackRequest* r) { return library_.table().allgather(comm, &mine, sizeof mine, all, r); },
      "MPI_Iallgather");
}

}  // namespace overlapack::comm::mpi
