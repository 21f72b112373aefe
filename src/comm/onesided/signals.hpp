#pragma once
#include "comm/receive.hpp"

#include <vector>

namespace overlapack::comm::onesided {

/// The signals of a window in the order in which two ranks send them to each other. Both run the same program, so each knows
/// what a signal means by its number; one wait for a later one is a wait for all before it.
class Signals {
 public:
  Signals(Rank& rank, Window& window)
      : rank_(rank), window_(window), expected_(static_cast<std::size_t>(rank.size())) {}

  Rank& rank() const { return rank_; }
  /// After my puts to it.
  void send(int to) { window_.signal(to); }
  /// The same with a put, as one.
  void send_with(int to, std::size_t offset, std::span<const std::byte> from) {
    window_.put_signal(to, offset, from);
  }
  /// The next signal of that rank gets a number, to be waited for by.
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
