#include "base/random.hpp"
#include "comm/collective/collective.hpp"
#include "comm/mailbox/inbox.hpp"
#include "comm/mailbox/outbox.hpp"
#include "comm/mailbox/sequence.hpp"
#include "comm/mailbox/single_receiver.hpp"
#include "comm/receive.hpp"
#include "comm/wrap/checked.hpp"
#include "comm/wrap/traced.hpp"
#include "engine.hpp"

#include <limits>
#include <map>

namespace overlapack::comm::conformance {
namespace {

const std::array<InboxOptions, 4> inbox_kinds{InboxOptions{.posted = 1, .receive = ReceiveMode::probe},
                                              InboxOptions{.posted = 1, .receive = ReceiveMode::immediate},
                                              InboxOptions{.posted = 4, .receive = ReceiveMode::immediate},
                                              InboxOptions{.posted = 3, .parked_bytes = 1000}};

/// Every rank sends `count` messages of random length to random ranks through an outbox of this budget and
/// serves its inbox when it is full; all must arrive, in order, whole.
void exchange(Rank& rank, const InboxOptions& inbox_options, std::size_t budget_bytes, int count,
              std::size_t longest) {
  Random random(static_cast<std::uint64_t>(rank.rank()) * 7 + 1);
  std::vector<int> receivers;
  std::vector<std::int64_t> expected(
      static_cast<std::size_t>(rank.size()));  // messages for each rank, from all
  for (int i = 0; i < count; ++i) {
    receivers.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(rank.size()))));
    ++expected[static_cast<std::size_t>(receivers.back())];
  }
  collective::all_reduce(rank, std::span(expected), std::plus<>());

  Inbox inbox(rank, Lane::bulk, inbox_options);
  Outbox outbox(rank, Lane::bulk, {.budget_bytes = budget_bytes, .inbox = &inbox});
  std::map<int, std::int64_t> received_from, sent_to;
  const auto take = [&](const Message& m) {
    EXPECT_EQ(m.header.id[0], received_from[m.source]++);
    EXPECT_TRUE(holds_pattern(m, rank.rank(), m.header.id[0], static_cast<std::size_t>(m.header.id[1])));
  };
  const auto serve = [&] {
    while (auto m = inbox.receive_if_any()) take(*m);
  };
  for (const int to : receivers) {
    const std::int64_t number = sent_to[to]++;
    const std::size_t length = random.below(longest);
    outbox.send(to, {.kind = 3, .id = {number, static_cast<std::int64_t>(length)}},
                Body::adopt(pattern(rank.rank(), to, number, length)), serve);
    if (budget_bytes != 0) {
      EXPECT_LE(outbox.bytes_under_way(), std::max(budget_bytes, length * sizeof(std::int64_t)));
    }
  }
  while (inbox.received() < expected[static_cast<std::size_t>(rank.rank())]) take(inbox.wait());
  outbox.drain(serve);
  EXPECT_EQ(outbox.bytes_under_way(), 0u);
  EXPECT_EQ(inbox.parked_bytes(), 0u);
  inbox.close();
  collective::barrier(rank);
}

TEST(Mailbox, NumbersOfMessagesBeginAgainBehindTheLast) {
  EXPECT_EQ(next_sequence(0), 1u);
  EXPECT_EQ(next_sequence(7), 8u);
  EXPECT_EQ(next_sequence(std::numeric_limits<std::uint32_t>::max()), 1u);  // 0 is that of messages without
}

TEST(Mailbox, EverythingArrivesInOrderInEveryReceiveMode) {
  for (const InboxOptions& options : inbox_kinds)
    on_each_team([&](Rank& rank) { exchange(rank, options, 0, 300, 200); });
}

TEST(Mailbox, ASmallBudgetUnderTheLongProtocolFillsAndDrains) {
  for (const InboxOptions& options : inbox_kinds)
    on_each_team({.eager_bytes = 0, .split_bytes = 1000, .head_bytes = 256},
                 [&](Rank& rank) { exchange(rank, options, 800, 100, 300); });
}

// Messages are whole in another order than they were sent, and while a wait looks at the requests, hooks move what is complete.
TEST(Mailbox, EverythingArrivesInOrderUnderDelays) {
  for (const InboxOptions& options : inbox_kinds)
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
      on_each_team({.eager_bytes = 200}, [&](Rank& engine) {
        CheckedRank rank(engine, {.seed = seed});
        exchange(rank, options, 800, 40, 50);
      });
}

TEST(Mailbox, MessagesWithoutANumberArriveInOrderToo) {
  constexpr int count = 40;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    on_each_team([&](Rank& engine) {
      CheckedRank rank(engine, {.seed = seed});
      Inbox inbox(rank, Lane::user, {.posted = 4});
      for (int i = 0; i < count; ++i)
        rank.start_send(Lane::user, right_of(rank), {.kind = i}, Body::phantom(8));
      for (int i = 0; i < count; ++i) EXPECT_EQ(inbox.wait().header.kind, i);
      inbox.close();
      collective::barrier(rank);
    });
}

// The numbers let a message be taken while one that another rank sent before is still coming in.
TEST(Mailbox, AnOutboxNumbersTheMessagesOfEachReceiver) {
  on_each_team([](Rank& rank) {
    constexpr std::uint32_t count = 3;
    Outbox outbox(rank, Lane::bulk);
    for (std::uint32_t k = 0; k < count; ++k)
      for (int to = 0; to < rank.size(); ++to) outbox.send(to, {}, {}, [] {});
    for (int from = 0; from < rank.size(); ++from)
      for (std::uint32_t k = 1; k <= count; ++k)
        EXPECT_EQ(receive(rank, Lane::bulk, from).header.sequence, k);
    collective::barrier(rank);
  });
}

TEST(Mailbox, PhasesFollowEachOtherThroughABarrier) {
  on_each_team([&](Rank& rank) {
    for (int phase = 0; phase < 5; ++phase) exchange(rank, {.posted = 2}, 0, 20, 50);
  });
}

/// Messages that came before any receive was posted finish those at once, which wakes nobody: all senders go on none the less.
TEST(Mailbox, AnInboxReceivesWhileItsRankWaitsOnAnotherLane) {
  constexpr int count = 5;
  on_each_team({.eager_bytes = 0}, [](Rank& rank) {
    std::vector<Send> sends;
    if (rank.rank() != 0)
      for (int i = 0; i < count; ++i)
        sends.push_back(rank.start_send(Lane::load, 0, {.kind = 1, .id = {i}},
                                        Body::adopt(pattern(rank.rank(), 0, i, 3))));
    collective::barrier(rank);
    if (rank.rank() == 0) {
      Inbox inbox(rank, Lane::load, {.posted = 2});
      for (int from = 1; from < rank.size(); ++from) receive(rank, Lane::bulk, from);
      for (int i = 0; i < count * (rank.size() - 1); ++i) {
        const Message m = inbox.wait();
        EXPECT_TRUE(holds_pattern(m, 0, m.header.id[0], 3));
      }
      inbox.close();
    } else {
      for (Send& send : sends) wait(rank, send);
      rank.start_send(Lane::bulk, 0, {.kind = 2}, {});
    }
    collective::barrier(rank);
  });
}

// Rank 2 takes its message when the producer has served, which the message that rank 1 takes brings about.
TEST(Mailbox, AFullOutboxWakesWhenOneOfItsSendsIsComplete) {
  on_each_team({.eager_bytes = 0}, [](Rank& rank) {
    if (rank.size() > 2 && rank.rank() == 0) {
      Outbox outbox(rank, Lane::bulk, {.budget_bytes = 20});
      bool has_told = false;
      const auto tell = [&] {
        if (!std::exchange(has_told, true)) rank.start_send(Lane::user, 2, {}, {});
      };
      for (const int to : {1, 2, 1}) outbox.send(to, {}, Body::phantom(10), tell);
      tell();  // where sends are complete at once
      outbox.drain(tell);
    } else if (rank.size() > 2 && rank.rank() == 1) {
      pause(rank, 1e-3);
      for (int i = 0; i < 2; ++i) receive(rank, Lane::bulk, 0);
    } else if (rank.rank() == 2) {
      receive(rank, Lane::user, 0);
      receive(rank, Lane::bulk, 0);
    }
    collective::barrier(rank);
  });
}

// On the thread engine the long protocol makes the budget's behaviour exact.
TEST(Mailbox, AFullOutboxLetsTheProducerServe) {
  if (!is_thread()) GTEST_SKIP() << "other engines decide for themselves when a send is complete";
  on_each_team({.eager_bytes = 0}, [](Rank& rank) {
    if (rank.size() == 1) return;
    Inbox inbox(rank, Lane::bulk, {.posted = 1, .receive = ReceiveMode::probe});
    Outbox outbox(rank, Lane::bulk, {.budget_bytes = 100});
    int served = 0;
    const auto serve = [&] {
      while (inbox.receive_if_any()) ++served;
    };
    constexpr int count = 20;
    for (int i = 0; i < count; ++i)  // 60 bytes: the second does not fit
      outbox.send(right_of(rank), {.kind = i}, Body::adopt(std::vector<char>(60)), serve);
    outbox.send(right_of(rank), {.kind = count}, Body::adopt(std::vector<char>(500)), serve);  // goes alone
    outbox.drain(serve);
    EXPECT_GT(outbox.times_full(), 0);
    EXPECT_LE(outbox.most_bytes(), 500u);
    EXPECT_EQ(outbox.largest_message_bytes(), 500u);
    while (served < count + 1) {
      inbox.wait();
      ++served;
    }
    collective::barrier(rank);
  });
}

TEST(Mailbox, TwoOfTheLargestMessagesFitWhereNoBudgetIsGiven) {
  if (!is_thread()) GTEST_SKIP() << "other engines decide for themselves when a send is complete";
  on_each_team({.eager_bytes = 0}, [](Rank& rank) {
    if (rank.size() == 1) return;
    Inbox inbox(rank, Lane::bulk, {.receive = ReceiveMode::probe});
    for (const std::size_t predicted : {0, 180}) {
      Outbox outbox(rank, Lane::bulk, {.largest_bytes = predicted, .inbox = &inbox});
      const int fit = predicted > 0 ? 6 : 2;
      int served = 0;
      const auto serve = [&] {
        while (inbox.receive_if_any()) ++served;
      };
      for (int i = 0; i < fit; ++i) outbox.send(right_of(rank), {}, Body::phantom(60), serve);
      EXPECT_EQ(outbox.bytes_under_way(), 60u * static_cast<unsigned>(fit));
      EXPECT_EQ(outbox.times_full(), 0);
      outbox.send(right_of(rank), {}, Body::phantom(60), serve);
      EXPECT_EQ(outbox.times_full(), 1);
      outbox.drain(serve);
      for (; served < fit + 1; ++served) inbox.wait();
      collective::barrier(rank);
    }
  });
}

TEST(Mailbox, SendingWhileServingIsRefused) {
  if (!is_thread()) GTEST_SKIP() << "needs sends that stay open";
  each_team({.eager_bytes = 0}, [](Team& team) {
    EXPECT_THROW(team.run([](Rank& rank) {
      Outbox outbox(rank, Lane::bulk, {.budget_bytes = 1});
      const auto nothing = [] {};
      const auto sends = [&] { outbox.send(0, {}, Body::phantom(10), nothing); };
      outbox.send(right_of(rank), {}, Body::phantom(10), nothing);
      outbox.send(right_of(rank), {}, Body::phantom(10), sends);
    }),
                 Error);
  });
}

/// Every rank sends its right neighbour a message of the long protocol; returns when it can be seen.
std::vector<std::int64_t> send_long(Rank& rank) {
  auto values = pattern(rank.rank(), right_of(rank), 0, std::size_t{1} << 20);
  rank.start_send(Lane::bulk, right_of(rank), {.kind = 1}, Body::adopt(std::vector<std::int64_t>(values)));
  for (int i = 0; i < 20; ++i) {  // each message behind it gives the transport another look at it
    rank.start_send(Lane::user, right_of(rank), {}, {});
    receive(rank, Lane::user, left_of(rank));
  }
  return values;
}

/// So many kernels run before the long message is in.
int kernels_before(Rank& rank, FunctionRef<bool()> takes_it) {
  int kernels = 0;
  for (; !takes_it() && kernels < 1000; ++kernels)
    rank.compute({.kind = "kernel", .flops = 1000}, [&] { rank.now(); });
  return kernels;
}

double waited_s(const trace::Recorder& recorder) {
  return recorder.totals().time_s[static_cast<std::size_t>(trace::What::wait)];
}

// Paper 1, Algorithm 1: between seeing a message and having all of it the rank does nothing else, and that time is a wait.
TEST(Mailbox, WhatAProbeSeesIsReceivedBeforeAnythingElse) {
  on_each_team({.eager_bytes = 0, .split_bytes = 100000, .head_bytes = 256}, [](Rank& engine) {
    trace::Recorder recorder(engine.rank());
    TracedRank rank(engine, recorder);
    const bool is_simulated = rank.capabilities().virtual_time;
    for (const bool is_single : {false, true}) {
      const std::size_t bytes = send_long(rank).size() * sizeof(std::int64_t);
      std::size_t got = 0;
      const double before_s = waited_s(recorder), begin_s = rank.now();
      int kernels = 0;
      if (is_single) {
        SingleReceiver receiver(rank, Lane::bulk, ReceiveMode::probe,
                                [&](const Message& m) { got = m.body.size(); });
        kernels = kernels_before(rank, [&] { return receiver.try_to_receive_and_treat(false); });
        receiver.close();
      } else {
        Inbox inbox(rank, Lane::bulk, {.receive = ReceiveMode::probe});
        kernels = kernels_before(rank, [&] {
          if (const auto message = inbox.receive_if_any()) got = message->body.size();
          return got > 0;
        });
        inbox.close();
      }
      EXPECT_EQ(kernels, 0);
      EXPECT_EQ(got, bytes);
      if (is_simulated && rank.size() > 1) {
        const double took_s = rank.now() - begin_s;
        EXPECT_GE(took_s, static_cast<double>(bytes) / 10e9);  // the links of the tests' cluster
        EXPECT_GE(waited_s(recorder) - before_s, 0.99 * took_s);
      }
      collective::barrier(engine);
    }
  });
}

// Paper 1, Algorithm 1: a rank that waits for room in its outbox has posted no receive, so that a long message to it does not set out.
TEST(Mailbox, NoReceiveIsPostedWhileAnOutboxIsFull) {
  if (setup().engine != "smpi") GTEST_SKIP() << "time is real";
  on_each_team({.eager_bytes = 0, .head_bytes = 256}, [](Rank& rank) {
    if (rank.size() < 3) return;
    constexpr std::size_t long_bytes = 10'000'000;  // 1 ms on the links of the tests' cluster
    if (rank.rank() == 0) {
      Inbox inbox(rank, Lane::bulk, {.posted = 1, .receive = ReceiveMode::probe});
      Outbox outbox(rank, Lane::user, {.budget_bytes = 20});
      for (int i = 0; i < 3; ++i) outbox.send(1, {}, Body::phantom(10), [] {});  // full until rank 1 receives
      EXPECT_GT(outbox.times_full(), 0);
      EXPECT_GE(rank.now(), 0.1);
      const double begin_s = rank.now();
      EXPECT_EQ(inbox.wait().body.size(), long_bytes);
      EXPECT_GE(rank.now() - begin_s, 0.99e-3);
      outbox.drain([] {});
      inbox.close();
    } else if (rank.rank() == 1) {
      pause(rank, 0.1);
      for (int i = 0; i < 3; ++i) receive(rank, Lane::user, 0);
    } else if (rank.rank() == 2) {
      Send send = rank.start_send(Lane::bulk, 0, {}, Body::phantom(long_bytes));
      comm::wait(rank, send);
    }
    collective::barrier(rank);
  });
}

TEST(Mailbox, HandlersGetTheirKindInServe) {
  on_each_team([](Rank& rank) {
    Inbox inbox(rank, Lane::user, {.posted = 2});
    int ones = 0, twos = 0;
    inbox.set_handler(1, [&](Message&&) { ++ones; });
    inbox.set_handler(2, [&](Message&&) { ++twos; });
    const int to = right_of(rank);
    for (int i = 0; i < 10; ++i) rank.start_send(Lane::user, to, {.kind = 1 + i % 2}, {});
    while (ones + twos < 10) {
      std::vector<Request*> requests;
      LaneSet probes;
      {
        const auto held = inbox.add_waits(requests, probes);
        rank.wait_any(requests, probes);
      }
      inbox.dispatch_arrived();
    }
    EXPECT_EQ(ones, 5);
    EXPECT_EQ(twos, 5);
    rank.start_send(Lane::user, rank.rank(), {.kind = 3}, {});
    collective::barrier(rank);
    EXPECT_THROW(while (true) inbox.dispatch_arrived(), Error);
  });
}

TEST(Mailbox, AnImmediateInboxNeedsAReceive) {
  on_each_team([](Rank& rank) {
    EXPECT_THROW(Inbox(rank, Lane::user, {.posted = 0}), Error);
    Inbox(rank, Lane::user, {.posted = 0, .receive = ReceiveMode::probe}).close();
  });
}

TEST(Mailbox, ClosingOverAnUntakenMessageIsAnError) {
  on_each_team([](Rank& rank) {
    Inbox inbox(rank, Lane::user);
    rank.start_send(Lane::user, rank.rank(), {}, {});
    std::vector<Request*> requests;
    LaneSet probes;
    {
      const auto held = inbox.add_waits(requests, probes);
      rank.wait_any(requests, probes);
    }
    EXPECT_THROW(inbox.close(), Error);
  });
}

// For those who wait for several things: what is parked already is a reason not to sleep.
TEST(Mailbox, AParkedMessageEndsAWaitAtOnceAndIsMissedInTheEnd) {
  on_each_team([](Rank& rank) {
    Inbox inbox(rank, Lane::user, {.posted = 2});
    rank.start_send(Lane::user, rank.rank(), {.kind = 1}, Body::phantom(9));
    while (inbox.parked_bytes() == 0) rank.poll();
    std::vector<Request*> requests;
    LaneSet probes;
    {
      const auto held = inbox.add_waits(requests, probes);
      EXPECT_EQ(rank.wait_any(requests, probes).by, Woken::By::request);
    }
    EXPECT_THROW(inbox.close(), Error);
    collective::barrier(rank);
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
