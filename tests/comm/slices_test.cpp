#include "comm/collective/collective.hpp"
#include "comm/receive.hpp"
#include "engine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace overlapack::comm::conformance {
namespace {

/// About 0.1 ms of work that the compiler keeps.
double busy() {
  volatile double x = 1;
  for (int i = 0; i < 20000; ++i) x = x * 1.0000001 + 1e-9;
  return x;
}

TEST(Slices, AreAllRunExactlyOnce) {
  on_each_team({.workers = workers(2)}, [](Rank& rank) {
    for (const std::size_t count : {0, 1, 2, 3, 17, 100}) {
      std::vector<std::atomic<int>> runs(count);
      rank.run_slices({.kind = "gemm"}, count, [&](std::size_t i) { ++runs[i]; });
      for (const auto& r : runs) EXPECT_EQ(r.load(), 1);
    }
    collective::barrier(rank);
  });
}

TEST(Slices, ResultsAreSeenByTheOwner) {
  on_each_team({.workers = workers(1)}, [](Rank& rank) {
    std::vector<std::int64_t> plain(1000, 0);
    for (int round = 1; round <= 20; ++round) {
      rank.run_slices({.kind = "gemm"}, 10, [&](std::size_t s) {
        for (std::size_t i = s * 100; i < (s + 1) * 100; ++i) plain[i] += static_cast<std::int64_t>(i);
      });
      for (std::size_t i = 0; i < plain.size(); ++i)
        EXPECT_EQ(plain[i], round * static_cast<std::int64_t>(i));
    }
    collective::barrier(rank);
  });
}

TEST(Slices, WaitingRanksTakeSome) {
  each_team({}, [](Team& team) {
    if (team.size() == 1 || team.local_count() == 1) return;
    std::int64_t by_others = 0, for_others = 0;
    team.run([&](Rank& rank) {
      if (rank.rank() == 0) {
        // until somebody has helped: how soon that is belongs to the scheduler
        while (rank.counters().slices_by_others == 0)
          rank.run_slices({.kind = "gemm"}, 50, [](std::size_t) { busy(); });
        for (int to = 1; to < rank.size(); ++to) rank.start_send(Lane::user, to, {}, {});
      } else {
        receive(rank, Lane::user, 0);
      }
      const auto counters = rank.counters();
      const std::int64_t sum = collective::all_reduce(rank, counters.slices_for_others, std::plus<>());
      if (rank.rank() != 0) return;
      for_others = sum;
      by_others = counters.slices_by_others;
    });
    EXPECT_GT(by_others, 0);
    EXPECT_EQ(by_others, for_others);
  });
}

TEST(Slices, WorkersTakeSome) {
  if (workers(1) == 0) {
    each_team({}, [](Team&) { EXPECT_THROW(open({.engine = setup().engine, .workers = 1}), Error); });
    return;
  }
  each_team({.workers = 2}, [](Team& team) {
    team.run([](Rank& rank) {
      while (rank.rank() == 0 && rank.counters().slices_by_others == 0)
        rank.run_slices({.kind = "gemm"}, 50, [](std::size_t) { busy(); });
      EXPECT_TRUE(rank.rank() != 0 || rank.counters().slices_by_others > 0);
      EXPECT_TRUE(rank.capabilities().slice_helpers);
      EXPECT_EQ(rank.capabilities().workers, 2);
    });
  });
}

TEST(Slices, LetMessagesThroughBetweenThem) {
  on_each_team([](Rank& rank) {
    constexpr int slices = 8;
    int polls = 0, between = 0;
    std::atomic<int> runs = 0;
    const auto token = rank.on_progress([&] {
      ++polls;
      if (runs > 0 && runs < slices) ++between;
    });
    const auto run_all = [&] {
      runs = 0;
      rank.run_slices({.kind = "gemm"}, slices, [&](std::size_t) { ++runs; });
    };
    run_all();
    if (slice_threads(rank) == 1) {
      EXPECT_GE(polls, slices);
    } else {  // others may have run all
      for (int round = 0; round < 1000 && between == 0; ++round) run_all();
      EXPECT_GT(between, 0);
    }
    collective::barrier(rank);
  });
}

/// Long messages, none of which is kept for its receiver, arrive while it is inside one kernel.
TEST(Slices, MessagesArriveDuringOneKernel) {
  if (setup().engine == "smpi") GTEST_SKIP() << "a simulated kernel takes no time of its own";
  constexpr std::int64_t count = 5;
  constexpr std::size_t length = 40000;
  on_each_team({.eager_bytes = 0}, [](Rank& rank) {
    if (rank.size() == 1) return;
    if (rank.rank() == 1) {
      receive(rank, Lane::user, 0);  // its receives are posted
      std::vector<Send> sends;
      for (std::int64_t i = 0; i < count; ++i)
        sends.push_back(rank.start_send(Lane::bulk, 0, {}, Body::adopt(pattern(1, 0, i, length))));
      for (Send& send : sends) wait(rank, send);
    } else if (rank.rank() == 0) {
      std::vector<Recv> receives;
      for (std::int64_t i = 0; i < count; ++i) receives.push_back(rank.post_receive(Lane::bulk, 1));
      rank.start_send(Lane::user, 1, {}, {});
      const auto have_all_come = [&] { return std::ranges::none_of(receives, &Recv::pending); };
      const auto owner = std::this_thread::get_id();  // others may take slices, too
      std::atomic<bool> came_inside = false;
      rank.run_slices({.kind = "gemm"}, 50000, [&](std::size_t) {
        if (std::this_thread::get_id() == owner && have_all_come()) came_inside = true;
        if (!came_inside) std::this_thread::sleep_for(std::chrono::microseconds(200));
      });
      EXPECT_TRUE(came_inside);
      for (std::int64_t i = 0; i < count; ++i) {
        wait(rank, receives[static_cast<std::size_t>(i)]);
        EXPECT_TRUE(holds_pattern(receives[static_cast<std::size_t>(i)].take(), 0, i, length));
      }
    }
    collective::barrier(rank);
  });
}

TEST(Slices, AnExceptionInOneReachesTheOwner) {
  each_team({.workers = workers(1)}, [](Team& team) {
    for (int round = 0; round < 3; ++round) {
      team.run([](Rank& rank) {
        EXPECT_THROW(rank.run_slices({.kind = "panel"}, 40,
                                     [](std::size_t i) {
                                       busy();
                                       if (i == 20) throw Error(Status::singular, "no pivot");
                                     }),
                     Error);
        collective::barrier(rank);  // and the owner goes on
      });
    }
  });
}

TEST(Slices, AbortStopsThem) {
  each_team({}, [](Team& team) {
    try {
      team.run([](Rank& rank) {
        if (rank.rank() == rank.size() - 1) throw Error(Status::cancelled, "stop");
        for (;;) rank.run_slices({.kind = "gemm"}, 20, [](std::size_t) { busy(); });
      });
      ADD_FAILURE() << "the run came to an end";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::cancelled);
    }
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
