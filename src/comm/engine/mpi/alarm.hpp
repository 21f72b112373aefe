#pragma once
#include "comm/engine/mpi/transfers.hpp"

#include <optional>

namespace overlapack::comm::mpi {

/// An error as it travels from the rank that aborts to all others.
struct Poison {
  std::int32_t kind = 0;
  std::int32_t origin = 0;
  double time_s = 0;
  char where[64] = {};
  char text[944] = {};

  Poison() = default;
  Poison(const Error& error, int rank, double now_s);
  Error error() const;
};

/// How one rank stops all others: poison to each, and a receive for theirs that is posted all the time.
class Alarm {
 public:
  Alarm(const Library& library, Transfers& transfers, OverlapackComm comm, int rank, int size);

  /// Poison everybody with this error, unless somebody was poisoned before. Errors are not reported: there is nobody.
  void raise(const Poison& poison) noexcept;
  /// The poison that found no memory: the end of the run, which all that the run had was given back for, tries again.
  void send_on() noexcept;
  bool is_raised() const { return first_.has_value(); }
  /// The error that reached this rank first, its own included.
  const Poison& first() const { return *first_; }
  bool have_sent() const { return have_sent_; }

  // At the end of a run
  int received() const { return received_; }
  bool all_sent() const { return next_ == size_ && sends_under_way_ == 0; }
  void reset();
  void withdraw();
  bool is_withdrawn() const { return request_ < 0; }

 private:
  void post();

  const Library& library_;
  Transfers& transfers_;
  OverlapackComm comm_;
  int rank_;
  int size_;
  std::optional<Poison> first_;
  Poison outgoing_;
  Poison incoming_;
  OverlapackRequest request_ = -1;
  int received_ = 0;
  int next_ = size_;  ///< rank to be poisoned
  int sends_under_way_ = 0;
  bool have_sent_ = false;
};

}  // namespace overlapack::comm::mpi
