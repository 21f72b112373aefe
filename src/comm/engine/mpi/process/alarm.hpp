#pragma once
#include "comm/engine/mpi/process/transfers.hpp"

#include <array>
#include <optional>
#include <vector>

namespace overlapack::comm::mpi {

/// An error as it travels from the rank that aborts to all others.
struct Poison {
  std::int32_t status = 0;
  std::int32_t is_last = 0;  ///< MPI is broken where it comes from: nobody waits for that rank any more
  double time_s = 0;
  char text[1008] = {};

  Poison() = default;
  Poison(const Error& error, double now_s);
  Error error() const;
};

/// How one rank stops all others: along a binary tree of all ranks each tells its neighbours as soon as it knows, so that the news is
/// everywhere after 2 log2 p steps, and each rank hears it from each of its neighbours.
/// Cost    2 (p - 1) messages of 1 KiB in all, whoever fails, and however many
class Alarm {
 public:
  Alarm(Library& library, Transfers& transfers, OverlapackComm comm, int first_tag, int rank, int size);

  /// A run, even or odd, lets itself be stopped.
  void begin(int parity);
  /// Poison everybody with this error, unless somebody was poisoned before. Errors are not reported: there is nobody.
  void raise(const Poison& poison) noexcept;
  /// The poison that found no memory: the end of the run, which all that the run had was given back for, tries again.
  void send_on() noexcept;
  bool is_raised() const { return first_.has_value(); }
  /// The error that reached this rank first, its own included.
  const Poison& first() const { return *first_; }
  /// Was it this rank that failed, before it heard of another one?
  bool is_origin() const { return is_origin_; }

  // At the end of a run
  /// Once it is raised everywhere: nothing of it is on its way to or from here.
  bool is_settled() const {
    const auto all = neighbours_.size();
    return received_ == all && next_ == all && sends_under_way_ == 0;
  }
  void reset();
  void withdraw();
  bool is_withdrawn() const { return request_ < 0; }

 private:
  void post();
  void hear();
  void spread(const Poison& poison) noexcept;

  Library& library_;
  Transfers& transfers_;
  OverlapackComm comm_;
  int first_tag_, tag_ = 0;
  std::vector<int> neighbours_;
  std::optional<Poison> first_;
  std::array<Poison, 2>
      outgoing_;  ///< the last one has a position of its own: one before it may be on its way
  Poison incoming_;
  OverlapackRequest request_ = -1;
  std::size_t received_ = 0;
  std::size_t next_ = 0;  ///< neighbour to be poisoned
  int sends_under_way_ = 0;
  bool is_origin_ = false;
};

}  // namespace overlapack::comm::mpi
