#pragma once
#include "comm/mailbox/exchange.hpp"
#include "comm/superstep/areas.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::comm::superstep {

/// Smallest and largest value of a claim over the processes, and a process that has each.
struct Extremes {
  std::int64_t low = 0, high = 0;
  std::int32_t low_process = 0, high_process = 0;
  bool are_alike() const { return low == high; }
};

/// Values that must be equal on all processes at a census.
enum class Claim : std::uint8_t {
  is_end,
  superstep,
  registrations,       ///< hash of the registration calls that took effect before
  registration_calls,  ///< number of registration calls in the superstep that ends
  tag_bytes,
  tag_calls  ///< number of calls of set_tagsize
};
inline constexpr std::size_t claim_count = 6;

/// What the processes said by one call of push_reg or pop_reg, which must be the same on all.
struct SharedCall {
  /// Extremes of 2 slot, + 1 for a pop, over the processes whose call is not a pop of a null pointer.
  Extremes said = {};
  std::int32_t is_null_everywhere = 0;

  bool is_unknown() const { return said.low > said.high; }  ///< all processes popped a null pointer
  bool is_agreed() const { return is_unknown() || said.are_alike(); }
};

/// Result of a census, the same on all processes. `words`, `messages` and `work_s` are the largest over all processes; `words` and
/// `work_s` are paper 4's h and w.
struct Meeting {
  std::array<Extremes, claim_count> claims;
  std::int64_t words = 0, messages = 0;
  double work_s = 0;
  double arrival_s = 0;  ///< when the last process arrived at the sync
  /// Latest begin and end, over the processes, of a span to be charged again
  double span_begin_s = 0, span_end_s = 0;

  const Extremes& extremes_of(Claim claim) const { return claims[static_cast<std::size_t>(claim)]; }
};

/// One process's contribution.
Meeting meeting_of(int process, const std::array<std::int64_t, claim_count>& claims);

/// The collective half of a sync: a barrier in which each process also learns which processes send to it, and the extremes of all
/// claims. Polls advance it.
/// Cost    ceil(log2 p) rounds of one message each, of p / 2 bytes, a few words, and 4 words for each registration call
/// Source  rounds at distance 1, 2, 4, ... are a dissemination barrier (Hensgen, Finkel, Manber 1988); as each round forwards the
///         flags whose distance has that bit, they are also an all-to-all of bytes (Bruck and others 1997)
class Census {
 public:
  /// ranks: of the processes; me: my position among them
  Census(Exchange& exchange, std::span<const int> ranks, int me);

  /// number: of this census, the same on all processes; sends_to: by process, whether this process sends to it; calls: registration
  /// calls of this process since the last census
  void start(std::int64_t number, const std::vector<bool>& sends_to, const Meeting& mine,
             std::span<const RegistrationCall> calls);
  bool is_done() const { return next_ == arrived_.size(); }
  /// Once done: the processes that send to this one, ascending, without itself.
  std::vector<int> senders() const;
  const Meeting& meeting() const { return meeting_; }
  /// Once done: what all processes said by each registration call; as many entries as the process with the most calls has made.
  const std::vector<SharedCall>& calls() const { return calls_; }

 private:
  int process_at(std::size_t distance) const;
  Key key_of(std::size_t round) const;
  void send_round();
  void merge_received(const Body& body);
  void advance_rounds();

  Exchange& exchange_;
  std::vector<int> ranks_;
  int me_;
  std::int64_t number_ = 0;
  Meeting meeting_;
  std::vector<SharedCall> calls_;
  /// By the distance d that a flag travels in all: the one that is here now
  std::vector<std::uint8_t> flags_;
  std::vector<Body> arrived_;  ///< by round; empty until its message arrives
  std::size_t next_ = 0;       ///< the next round to complete
};

}  // namespace overlapack::comm::superstep
