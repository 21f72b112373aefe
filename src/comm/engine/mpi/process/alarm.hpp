#pragma once
#include "comm/engine/mpi/process/transfers.hpp"

#include <array>
#include <optional>
#include <vector>

namespace overlapack::comm::mpi {

/// Abort message: the error that the aborting rank sends to all others.
struct Poison {
  std::int32_t status = 0;
  std::int16_t is_last =
      0;  ///< MPI is broken or over on the rank that sent it: do not wait for that rank any more
  /// with is_last: MPI is over, not broken, so a receiver may still finalise it
  std::int16_t may_finalise = 0;
  double time_s = 0;
  char text[1008] = {};

  Poison() = default;
  Poison(const Error& error, double now_s);
  Error error() const;
};

/// Broadcast of an abort from any rank: each rank forwards the first abort message to its neighbours in a binary tree of all ranks,
/// so that it is everywhere after 2 log2 p steps, and each rank receives it from each of its neighbours.
/// Cost    2 (p - 1) messages of 1 KiB in all, whoever fails, and however many
class Alarm {
 public:
  Alarm(MpiLibrary& library, Transfers& transfers, OverlapackComm comm, int first_tag, int rank, int size);

  /// Start to receive abort messages of the run; parity: whether its number is even or odd.
  void start_receiving(int parity);
  /// Abort all ranks with this error, unless this rank was aborted before. A failure to send is not reported: no rank could handle
  /// it.
  void abort_all_ranks(const Poison& poison) noexcept;
  /// Retry sending the abort at the end of the run, when memory is free.
  void retry_sending_abort() noexcept;
  bool is_raised() const { return first_.has_value(); }
  /// The error that reached this rank first, its own included.
  const Poison& first_error() const { return *first_; }
  /// Whether this rank raised the abort before it received another rank's.
  bool has_raised_first() const { return is_origin_; }

  // For the end of a run
  /// Once all ranks are aborted: whether no abort message to or from this rank is under way.
  bool has_no_abort_under_way() const {
    const auto all = neighbours_.size();
    return received_ == all && next_ == all && sends_under_way_ == 0;
  }
  void reset();
  void cancel_receive();
  bool is_receive_cancelled() const { return request_ < 0; }

 private:
  void post_abort_receive();
  void handle_abort_message();
  void send_to_tree_neighbours(const Poison& poison) noexcept;

  MpiLibrary& library_;
  Transfers& transfers_;
  OverlapackComm comm_;
  int first_tag_, tag_ = 0;
  std::vector<int> neighbours_;
  std::optional<Poison> first_;
  std::array<Poison, 2> outgoing_;  ///< send buffers; [1] for is_last, as the send of [0] may be under way
  Poison incoming_;
  OverlapackRequest request_ = -1;
  std::size_t received_ = 0;
  std::size_t next_ = 0;  ///< next neighbour to send to
  int sends_under_way_ = 0;
  bool is_origin_ = false;
};

}  // namespace overlapack::comm::mpi
