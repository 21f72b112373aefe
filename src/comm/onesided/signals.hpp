#pragma once
#include "comm/receive.hpp"

#include <vector>

namespace overlapack::comm::onesided {

/// The signals of a window, numbered for each ordered pair of ranks. Sender and receiver run the same program, so that the number of a
/// signal says what it means. A wait for a signal is also a wait for all earlier ones of that sender.
class Signals {
 public:
  Signals(Rank& rank, Window& window)
      : rank_(rank), window_(window), expected_(static_cast<std::size_t>(rank.size())) {}

  Rank& rank() const { return rank_; }
  /// Signal `to`, after this rank's earlier puts to it.
  void send(int to) { window_.signal(to); }
  /// A put and its signal as one operation.
  void put_with_signal(int to, std::size_t offset, std::span<const std::byte> from) {
    window_.put_signal(to, offset, from);
  }
  /// Reserve the number of the next signal from that rank, to wait for it later.
  std::int64_t expect(int from) { return ++expected_[static_cast<std::size_t>(from)]; }
  Request request(int from, std::int64_t number) { return window_.expect_signals(from, number); }
  void wait(int from, std::int64_t number) {
    Request signal = request(from, number);
    comm::wait(rank_, signal);
  }
  void wait_for_next(int from) { wait(from, expect(from)); }

 private:
  Rank& rank_;
  Window& window_;
  std::vector<std::int64_t> expected_;  ///< by rank
};

}  // namespace overlapack::comm::onesided
