#include "comm/mailbox/exchange.hpp"

#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "engine.hpp"
#include "every_call.hpp"

#include <algorithm>

namespace overlapack::comm::conformance {
namespace {

const std::array<InboxOptions, 3> inbox_kinds{InboxOptions{.posted = 1, .receive = ReceiveMode::probe},
                                              InboxOptions{.posted = 1}, InboxOptions{.posted = 8}};

/// On every engine and team size, with each kind of inbox, plain and through the unkind engine.
void with_exchanges(const std::function<void(Exchange&)>& fn) {
  for (const InboxOptions& options : inbox_kinds) {
    // a simulated wait does not see messages of lanes that nobody waits for
    if (setup().engine == "smpi" && options.receive == ReceiveMode::probe) continue;
    for (std::uint64_t seed = 0; seed <= 3; ++seed)
      on_each_team([&](Rank& engine) {
        CheckedRank checked(engine, {.seed = seed});
        Rank& rank = seed == 0 ? engine : checked;
        Exchange exchange(rank, Lane::bulk, options);
        fn(exchange);
        exchange.close();
        collective::barrier(rank);
      });
  }
}

Body pattern_body(const Rank& from, int to, std::int64_t number, std::size_t length) {
  return Body::adopt(pattern(from.rank(), to, number, length));
}

// Everybody sends everybody `count` messages, long and short, and asks for them in another order.
TEST(Exchange, MessagesAreFoundByNameInWhateverOrderTheyAreAskedFor) {
  with_exchanges([](Exchange& exchange) {
    Rank& rank = exchange.rank();
    constexpr std::int64_t count = 12;
    const auto name = [](std::int64_t i) {
      return Key{.move = 1, .step = i / 4, .part = i / 2 % 2, .piece = i % 2};
    };
    const auto length = [](std::int64_t i) { return static_cast<std::size_t>(i % 3 == 0 ? 3000 : i); };
    for (std::int64_t i = 0; i < count; ++i)
      for (int to = 0; to < rank.size(); ++to)
        exchange.send(to, name(i), pattern_body(rank, to, i, length(i)));
    for (std::int64_t i = count - 1; i >= 0; --i)
      for (int from = 0; from < rank.size(); ++from) {
        const Message m = exchange.receive(from, name(i));
        EXPECT_EQ(m.source, from);
        EXPECT_TRUE(holds_pattern(m, rank.rank(), i, length(i)));
      }
    EXPECT_GE(exchange.early_messages(), 1);
    EXPECT_LE(exchange.most_parked_bytes(), static_cast<std::size_t>(rank.size() * count) * 3000 * 8);
  });
}

// Each message is early, and asked for before the next one is sent: never more than one waits.
TEST(Exchange, ParkedBytesAreThoseOfMessagesThatWaitAtOnce) {
  with_exchanges([](Exchange& exchange) {
    Rank& rank = exchange.rank();
    for (std::int64_t i = 0; i < 3; ++i) {
      exchange.send(right_of(rank), {.step = i}, pattern_body(rank, right_of(rank), i, 100));
      exchange.wait_until([&] { return exchange.early_messages() == i + 1; });
      EXPECT_TRUE(holds_pattern(exchange.receive(left_of(rank), {.step = i}), rank.rank(), i, 100));
      collective::barrier(rank);
    }
    EXPECT_EQ(exchange.most_parked_bytes(), 100 * sizeof(std::int64_t));
  });
}

TEST(Exchange, WhatIsAskedForBeforeItIsSentIsHandedOverOnce) {
  with_exchanges([](Exchange& exchange) {
    Rank& rank = exchange.rank();
    std::vector<int> arrived(static_cast<std::size_t>(rank.size()));
    for (int from = 0; from < rank.size(); ++from)
      exchange.call_when_arrived(from, {.move = 2}, [&arrived, from](Message&& m) {
        EXPECT_EQ(m.source, from);
        ++arrived[static_cast<std::size_t>(from)];
      });
    collective::barrier(rank);  // nothing can have come before it was asked for
    for (int to = 0; to < rank.size(); ++to) exchange.send(to, {.move = 2}, {});
    exchange.wait_until([&] { return std::ranges::count(arrived, 1) == rank.size(); });
    EXPECT_EQ(exchange.early_messages(), 0);
    EXPECT_EQ(exchange.most_parked_bytes(), 0u);
  });
}

// A message goes round the ring three times, handed on inside polls by ranks that wait for something else.
TEST(Exchange, WhatArrivesIsPassedOnInsideAPoll) {
  with_exchanges([](Exchange& exchange) {
    Rank& rank = exchange.rank();
    constexpr std::int64_t rounds = 3;
    bool is_home = rank.rank() != 0;
    for (std::int64_t i = 0; i < rounds; ++i)
      exchange.call_when_arrived(left_of(rank), {.move = 3, .step = i}, [&, i](Message&& m) {
        EXPECT_TRUE(holds_pattern(Message{{}, m.body, 0, Lane::bulk}, 0, 7, 50));
        const std::int64_t next = i + (rank.rank() == 0);
        if (next < rounds)
          exchange.send(right_of(rank), {.move = 3, .step = next}, m.body);
        else
          is_home = true;
      });
    if (rank.rank() == 0) exchange.send(right_of(rank), {.move = 3}, Body::adopt(pattern(0, 0, 7, 50)));
    if (rank.rank() == 0) {
      exchange.wait_until([&] { return is_home; });
      for (int to = 1; to < rank.size(); ++to) rank.start_send(Lane::user, to, {.kind = 1}, {});
    } else {
      EXPECT_EQ(receive(rank, Lane::user, 0).header.kind, 1);  // a wait that knows nothing of the exchange
    }
    EXPECT_TRUE(is_home);
    if (rank.rank() != 0) {
      EXPECT_EQ(exchange.overlapped_messages(), rounds);
    }
  });
}

TEST(Exchange, TheNextStepOfAMoveAmongEarlyMessagesIsTold) {
  with_exchanges([](Exchange& exchange) {
    Rank& rank = exchange.rank();
    const Key sent[] = {{.move = 6, .step = 2, .part = 1},
                        {.move = 6, .step = 3},
                        {.move = 6, .step = 5, .part = 1},
                        {.move = 7, .step = 1, .part = 2}};
    for (const Key& key : sent) exchange.send(right_of(rank), key, {});
    exchange.wait_until([&] { return exchange.early_messages() == std::ssize(sent); });
    const int left = left_of(rank);
    EXPECT_EQ(exchange.step_of_early_message(left, 6, 0), 3);
    EXPECT_EQ(exchange.step_of_early_message(left, 6, 1), 2);
    EXPECT_EQ(exchange.step_of_early_message(left, 7, 2), 1);
    EXPECT_EQ(exchange.step_of_early_message(left, 6, 2), std::nullopt);
    EXPECT_EQ(exchange.step_of_early_message(left, 8, 0), std::nullopt);
    for (const Key& key : sent) exchange.receive(left, key);
    EXPECT_EQ(exchange.step_of_early_message(left, 6, 1), std::nullopt);
  });
}

// Each rank asks for the next step when one has come, and answers: all inside `then`.
TEST(Exchange, AskingAgainFromInsideThenWorksForEarlyAndLateMessages) {
  with_exchanges([](Exchange& exchange) {
    Rank& rank = exchange.rank();
    constexpr std::int64_t steps = 20;
    std::int64_t step = 0;
    std::function<void()> ask = [&] {
      exchange.call_when_arrived(left_of(rank), {.move = 4, .step = step}, [&](Message&&) {
        if (++step == steps) return;
        ask();
      });
    };
    for (std::int64_t i = steps - 1; i >= 0; --i) exchange.send(right_of(rank), {.move = 4, .step = i}, {});
    ask();
    exchange.wait_until([&] { return step == steps; });
  });
}

// What comes between slices is collected there, so that nothing is left to wait for.
TEST(Exchange, MessagesAreTakenWhileKernelsRun) {
  with_exchanges([](Exchange& exchange) {
    Rank& rank = exchange.rank();
    exchange.send(right_of(rank), {.move = 5}, pattern_body(rank, right_of(rank), 1, 100));
    int arrived = 0;
    exchange.call_when_arrived(left_of(rank), {.move = 5}, [&](Message&&) { ++arrived; });
    const double deadline = rank.now() + 100;  // a limit against hangs
    while (arrived == 0 && rank.now() < deadline) rank.run_slices({.kind = "gemm"}, 2, [](std::size_t) {});
    EXPECT_EQ(arrived, 1);
    EXPECT_EQ(exchange.overlapped_messages(), 1);
  });
}

TEST(Exchange, PhasesFollowEachOtherThroughABarrier) {
  on_each_team([](Rank& rank) {
    for (std::int64_t phase = 0; phase < 5; ++phase) {
      Exchange exchange(rank, Lane::bulk);
      exchange.send(right_of(rank), {}, pattern_body(rank, right_of(rank), phase, 5));
      EXPECT_TRUE(holds_pattern(exchange.receive(left_of(rank), {}), rank.rank(), phase, 5));
      exchange.close();
      collective::barrier(rank);
    }
  });
}

/// What an exchange on this rank alone says of `act`.
std::string error_of(const std::function<void(Exchange&)>& act) {
  std::string text = "nothing";
  on_each_team([&](Rank& rank) {
    Exchange exchange(rank, Lane::bulk);
    try {
      act(exchange);
      exchange.close();
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::internal);
      if (rank.rank() == rank.size() - 1) text = e.what();
    }
    collective::barrier(rank);
  });
  return text;
}

TEST(Exchange, MisuseIsNamed) {
  if (!is_thread()) GTEST_SKIP() << "each process sees its own rank only";
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const auto self = [](Exchange& e) { return e.rank().rank(); };
  EXPECT_EQ(error_of([](Exchange&) {}), "nothing");
  EXPECT_PRED2(contains, error_of([&](Exchange& e) {
                 e.send(self(e), {.move = 1, .step = 22}, {});
                 e.send(self(e), {.move = 2}, {});
                 e.receive(self(e), {.move = 2});  // by now the other has come
                 e.wait_until([&] { return e.early_messages() == 1; });
               }),
               "move 1, step 22");
  EXPECT_PRED2(contains,
               error_of([&](Exchange& e) { e.call_when_arrived(self(e), {.part = 3}, [](Message&&) {}); }),
               "never came");
  EXPECT_PRED2(contains, error_of([&](Exchange& e) {
                 for (int i = 0; i < 2; ++i) e.call_when_arrived(self(e), {}, [](Message&&) {});
               }),
               "asked for twice");
  EXPECT_PRED2(contains, error_of([&](Exchange& e) {
                 for (int i = 0; i < 3; ++i) e.send(self(e), {.move = 1 + i / 2}, {});
                 e.receive(self(e), {.move = 2});
                 e.wait_until([&] { return e.early_messages() == 2; });
               }),
               "came twice");
  EXPECT_PRED2(contains, error_of([&](Exchange& e) {
                 e.send(self(e), {}, {});
                 e.call_when_arrived(self(e), {}, [&](Message&&) { e.receive(self(e), {.part = 1}); });
                 e.wait_until([] { return false; });
               }),
               "may not wait");
}

TEST(Exchange, AFaultAtEveryCallReachesEveryCaller) {
  fault_at_every_call(5, [](Rank& rank) {
    Exchange exchange(rank, Lane::bulk);
    exchange.call_when_arrived(left_of(rank), {.step = 0},
                               [&](Message&& m) { exchange.send(right_of(rank), {.step = 1}, m.body); });
    exchange.send(right_of(rank), {.step = 0}, {});
    exchange.receive(left_of(rank), {.step = 1});
    exchange.close();
    collective::barrier(rank);
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
