#pragma once
#include "comm/rank.hpp"

#include <cstddef>
#include <vector>

namespace overlapack::api {

/// Messages of one size between ranks 0 and 1.
struct MessageRate {
  std::size_t bytes = 0;
  double latency_s = 0;  ///< half a round trip, the median of several
  double bytes_per_s() const { return latency_s > 0 ? static_cast<double>(bytes) / latency_s : 0; }
};

/// Ping-pong over sizes from 0 to largest_bytes, four times larger each.
/// Sync    collective over two or more ranks; the others wait. The result is on rank 0.
std::vector<MessageRate> ping_pong(comm::Rank& rank, std::size_t largest_bytes);

/// Does a transfer make progress while its ranks are away from the engine (docs/facts: "MPI does not progress by itself")?
///   sender away:    the receiver waits, the sender naps after start_send
///   receiver away:  the sender waits for its send, the receiver naps after post_receive
///   both away:      both nap, then wait: `hidden` is the share of the transfer's time that the naps have hidden
struct NapTest {
  std::size_t bytes = 0;
  bool arrives_with_sender_away = false;
  bool leaves_with_receiver_away = false;
  double hidden = 0;
};

/// Sync    collective over two or more ranks; the others wait. The result is on rank 0.
/// Cost    about 9 naps of nap_s a size, 6 sizes
std::vector<NapTest> nap_tests(comm::Rank& rank, double nap_s);

}  // namespace overlapack::api
