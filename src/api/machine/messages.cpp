#include "api/machine/messages.hpp"

#include "comm/collective/collective.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <time.h>

namespace overlapack::probe {
namespace {

using comm::Lane;

void finish(comm::Rank& rank, comm::Request& request) {
  comm::Request* const requests[] = {&request};
  while (request.pending()) rank.wait_any(requests);
}

comm::Body zeros(std::size_t bytes) { return comm::Body::adopt(std::vector<std::byte>(bytes)); }

constexpr std::string_view nap_kind = "nap";

/// The speed of a simulated processor; 0 if time is real.
double simulated_flops_per_s(comm::Rank& rank) {
  if (!rank.capabilities().virtual_time) return 0;
  constexpr double flops = 1e9;
  const double start = rank.now();
  rank.compute({.kind = nap_kind, .flops = flops}, [] {});
  return flops / (rank.now() - start);
}

/// Sleep for s seconds without calling the engine, so that this rank moves no bytes. In simulated time the rank works instead, since only work
/// lets time pass.
void nap(comm::Rank& rank, double s, double simulated_flops_per_s) {
  if (s <= 0) return;
  if (simulated_flops_per_s > 0)
    return rank.compute({.kind = nap_kind, .flops = s * simulated_flops_per_s}, [] {});
  timespec left{static_cast<time_t>(s), static_cast<long>(std::fmod(s, 1.0) * 1e9)};
  while (nanosleep(&left, &left) != 0) {
  }
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// One round trip, in seconds on rank 0.
double round_trip(comm::Rank& rank, const comm::Body& body) {
  const int other = 1 - rank.rank();
  comm::Recv answer = rank.post_receive(Lane::user, other);
  const double start = rank.now();
  if (rank.rank() == 1) finish(rank, answer);
  comm::Send send = rank.start_send(Lane::user, other, {}, body);
  finish(rank, send);
  if (rank.rank() == 0) finish(rank, answer);
  answer.take();
  return rank.now() - start;
}

MessageRate rate_at(comm::Rank& rank, std::size_t bytes) {
  const comm::Body body = zeros(bytes);
  const int trips = bytes <= 65536 ? 200 : 20;
  std::vector<double> s;
  for (int i = 0; i < trips + 5; ++i) s.push_back(round_trip(rank, body));
  s.erase(s.begin(), s.begin() + 5);  // warming up
  return {bytes, median(s) / 2};
}

struct Naps {
  double sender = 0;    ///< rank 0, between start_send and its wait
  double receiver = 0;  ///< rank 1, between post_receive and its wait
  double simulated_flops_per_s = 0;
};
struct Times {
  double sender_done_s = 0;  ///< from the barrier until the send's wait returned
  double receiver_done_s = 0;
};

/// Make one transfer from rank 0 to rank 1 with naps. Both ranks get the times.
Times transfer(comm::Rank& rank, std::size_t bytes, const Naps& naps) {
  comm::Recv receive;
  if (rank.rank() == 1) receive = rank.post_receive(Lane::user, 0);
  comm::collective::barrier(rank);
  double done_s = 0;
  const double start = rank.now();
  if (rank.rank() == 0) {
    comm::Send send = rank.start_send(Lane::user, 1, {}, zeros(bytes));
    nap(rank, naps.sender, naps.simulated_flops_per_s);
    finish(rank, send);
    done_s = rank.now() - start;
  } else if (rank.rank() == 1) {
    nap(rank, naps.receiver, naps.simulated_flops_per_s);
    finish(rank, receive);
    receive.take();
    done_s = rank.now() - start;
  }
  comm::collective::barrier(rank);
  double times[2] = {rank.rank() == 0 ? done_s : 0, rank.rank() == 1 ? done_s : 0};
  comm::collective::all_reduce(rank, std::span<double>(times), std::plus<>());
  return {times[0], times[1]};
}

/// The median of three transfers, so that a single interruption does not change the result.
double middle_of(comm::Rank& rank, std::size_t bytes, const Naps& naps, double Times::*which) {
  std::vector<double> s;
  for (int i = 0; i < 3; ++i) s.push_back(transfer(rank, bytes, naps).*which);
  return median(s);
}

NapTest nap_test(comm::Rank& rank, std::size_t bytes, double nap_s) {
  NapTest test{.bytes = bytes};
  const double speed = simulated_flops_per_s(rank);
  const double alone_s = middle_of(rank, bytes, {}, &Times::receiver_done_s);
  test.arrives_with_sender_away = middle_of(rank, bytes, {.sender = nap_s, .simulated_flops_per_s = speed},
                                            &Times::receiver_done_s) < nap_s / 2;
  test.leaves_with_receiver_away = middle_of(rank, bytes, {.receiver = nap_s, .simulated_flops_per_s = speed},
                                             &Times::sender_done_s) < nap_s / 2;
  const double both_s = middle_of(rank, bytes, {nap_s, nap_s, speed}, &Times::receiver_done_s);
  if (alone_s > 0) test.hidden = std::clamp(1 - (both_s - nap_s) / alone_s, 0.0, 1.0);
  return test;
}

}  // namespace

std::vector<MessageRate> ping_pong(comm::Rank& rank, std::size_t largest_bytes) {
  std::vector<MessageRate> rates;
  for (std::size_t bytes = 0; bytes <= largest_bytes; bytes = bytes == 0 ? 1 : 4 * bytes)
    if (rank.rank() < 2) rates.push_back(rate_at(rank, bytes));
  comm::collective::barrier(rank);
  return rates;
}

std::vector<NapTest> nap_tests(comm::Rank& rank, double nap_s) {
  std::vector<NapTest> tests;
  for (std::size_t bytes : {std::size_t{1} << 10, std::size_t{1} << 12, std::size_t{1} << 14,
                            std::size_t{1} << 16, std::size_t{1} << 20, std::size_t{1} << 23})
    tests.push_back(nap_test(rank, bytes, nap_s));
  return tests;
}

}  // namespace overlapack::probe
