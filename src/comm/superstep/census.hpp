#pragma once
#include "comm/mailbox/exchange.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::comm::superstep {

/// The smallest and the largest of what all processes say, and who says so: alike where both are.
struct Extremes {
  std::int64_t low = 0, high = 0;
  std::int64_t low_process = 0, high_process = 0;
  bool are_alike() const { return low == high; }
};

/// What all processes have to say alike when they meet.
enum class Claim : std::uint8_t { is_end, superstep, registrations, tag_bytes };
inline constexpr std::size_t claim_count = 4;

/// What a meeting tells everybody. `words`, `messages` and `work_s` are the largest of all processes: the first and the last paper
/// 4's h and w.
struct Meeting {
  std::array<Extremes, claim_count> claims;
  std::int64_t words = 0, messages = 0;
  double work_s = 0;
  double arrival_s = 0;                     ///< of the last process
  double span_begin_s = 0, span_end_s = 0;  ///< of the last ones, where a span is to be repeated

  const Extremes& of(Claim claim) const { return claims[static_cast<std::size_t>(claim)]; }
};

/// One process's own.
Meeting meeting_of(int process, const std::array<std::int64_t, claim_count>& claims);

/// The half of a sync that everybody takes part in: nobody leaves before all have come, each learns who sends to it, and what
/// all say. It goes on in polls.
/// Cost    ceil(log2 p) rounds of one message each, of p / 2 bytes and a few words
/// Source  rounds at distance 1, 2, 4, ... are a dissemination barrier (Hensgen, Finkel, Manber 1988); that each passes on
///         what has that bit of its way left makes them an all-to-all of bytes (Bruck and others 1997)
class Census {
 public:
  /// ranks: of the processes; me: my position among them
  Census(Exchange& exchange, std::span<const int> ranks, int me);

  /// sends_to: by process; number: of this census, alike on all
  void start(std::int64_t number, const std::vector<bool>& sends_to, const Meeting& mine);
  bool is_done() const { return next_ == arrived_.size(); }
  /// Of a census that is done: who sends to me, ascending, never myself.
  std::vector<int> senders() const;
  const Meeting& meeting() const { return meeting_; }

 private:
  int process_at(std::size_t distance) const;
  Key key_of(std::size_t round) const;
  void send_round();
  void take(const Body& body);
  void go_on();

  Exchange& exchange_;
  std::vector<int> ranks_;
  int me_;
  std::int64_t number_ = 0;
  Meeting meeting_;
  std::vector<std::uint8_t> flags_;  ///< by the distance that a flag travels: of those that pass here
  std::vector<Body> arrived_;        ///< by round; empty where it is not here yet
  std::size_t next_ = 0;             ///< round
};

}  // namespace overlapack::comm::superstep
