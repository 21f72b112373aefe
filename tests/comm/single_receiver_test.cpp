#include "comm/mailbox/single_receiver.hpp"

#include "comm/collective/collective.hpp"
#include "comm/receive.hpp"
#include "engine.hpp"

#include <algorithm>

// Paper 1, section 4.1, Algorithm 4, line by line: who is waited for, and when a receive is posted.
namespace overlapack::comm::conformance {
namespace {

/// A message that is one letter.
void send(Rank& rank, int to, char letter) { rank.start_send(Lane::bulk, to, {.kind = letter}, {}); }
void signal(Rank& rank, int to) { rank.start_send(Lane::user, to, {}, {}); }

/// What a receiver would be woken by.
struct Waits {
  explicit Waits(SingleReceiver& receiver) { receiver.add_waits(requests, probes); }
  std::vector<Request*> requests;
  LaneSet probes;
};

// Rank 2 waits for l of rank 0. w of rank 1 fills its buffer; inside of treating it no receive may be posted, or that would take
// what comes then: v of rank 1, and behind it l, before which rank 0 may have sent an x.
TEST(SingleReceiver, WhatIsLateIsReceivedFromItsSender) {
  on_each_team([](Rank& rank) {
    if (rank.size() < 3) return;
    for (const bool comes_second : {false, true}) {
      if (rank.rank() == 0) {
        receive(rank, Lane::user, 1);
        if (comes_second) send(rank, 2, 'x');
        send(rank, 2, 'l');
      } else if (rank.rank() == 1) {
        send(rank, 2, 'w');
        receive(rank, Lane::user, 2);
        send(rank, 2, 'v');
        signal(rank, 0);
      } else if (rank.rank() == 2) {
        std::string order;
        std::function<void()> inside;
        SingleReceiver receiver(rank, Lane::bulk, ReceiveMode::immediate, [&](const Message& message) {
          order += static_cast<char>(message.header.kind);
          if (order == "w") inside();
        });
        inside = [&] {
          EXPECT_FALSE(receiver.try_to_receive_and_treat(false));
          EXPECT_TRUE(Waits(receiver).requests.empty());
          signal(rank, 1);
        };
        const auto has_come = [&] { return order.find('l') != order.npos; };
        receiver.receive_late({0, has_come});
        EXPECT_TRUE(has_come());
        EXPECT_EQ(order.substr(0, 2), comes_second ? "wx" : "wl");
        EXPECT_EQ(Waits(receiver).requests.size(), 1u);
        while (order.size() < (comes_second ? 4u : 3u)) receiver.try_to_receive_and_treat(true);
        receiver.close();
      }
      collective::barrier(rank);
    }
  });
}

// With probes there is no buffer that something else could fill: l is received although w came first.
TEST(SingleReceiver, WithProbesNothingElseIsReceivedBeforeWhatIsLate) {
  on_each_team([](Rank& rank) {
    if (rank.size() < 3) return;
    if (rank.rank() == 0) {
      receive(rank, Lane::user, 1);
      send(rank, 2, 'l');
    } else if (rank.rank() == 1) {
      send(rank, 2, 'w');
      signal(rank, 0);
    } else if (rank.rank() == 2) {
      std::string order;
      SingleReceiver receiver(rank, Lane::bulk, ReceiveMode::probe, [&](const Message& message) {
        order += static_cast<char>(message.header.kind);
      });
      const Waits waits(receiver);
      EXPECT_TRUE(waits.requests.empty());
      EXPECT_TRUE(waits.probes.has(Lane::bulk));
      receiver.receive_late({0, [&] { return order.find('l') != order.npos; }});
      EXPECT_EQ(order, "l");
      receiver.try_to_receive_and_treat(true);
      EXPECT_EQ(order, "lw");
      receiver.close();
    }
    collective::barrier(rank);
  });
}

TEST(SingleReceiver, ClosingItOnAMessageThatNobodyTookIsAnError) {
  on_each_team([](Rank& rank) {
    SingleReceiver receiver(rank, Lane::bulk, ReceiveMode::immediate, [](const Message&) {});
    send(rank, rank.rank(), 'm');
    rank.wait_any(Waits(receiver).requests, {});
    EXPECT_THROW(receiver.close(), Error);
    collective::barrier(rank);
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
