#include "comm/collective/collective.hpp"
#include "comm/receive.hpp"
#include "comm/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

// What only the thread engine promises: hand-over by pointer, the two protocols, forks, one run at a time.
namespace overlapack::comm {
namespace {

TEST(ThreadEngine, HandsBodiesOverByPointer) {
  run({.ranks = 3}, [](Rank& rank) {
    const Body body = Body::adopt(std::vector<double>(1000, 3.0));
    const Body got = collective::broadcast(rank, 0, body);
    const auto address = reinterpret_cast<std::intptr_t>(rank.rank() == 0 ? body.data() : got.data());
    const auto root_address =
        collective::broadcast(rank, 0, Body::adopt(std::vector<std::intptr_t>{address}));
    EXPECT_EQ(address, root_address.as<std::intptr_t>()[0]);
    EXPECT_EQ(rank.counters().copied_bytes, 0);
  });
}

/// Rank 1 gives rank 0 nothing to do, neither a message nor a slice.
TEST(ThreadEngine, HooksRunWhileARankWaits) {
  run({.ranks = 2}, [](Rank& rank) {
    static std::atomic<int> runs{0};
    if (rank.rank() == 0) {
      const auto token = rank.on_progress([] { ++runs; });
      receive(rank, Lane::user);
    } else {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (runs < 10 && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      EXPECT_GE(runs, 10);
      rank.start_send(Lane::user, 0, {}, Body::adopt(std::vector<char>(1)));
    }
  });
}

/// The same while it runs a slice of rank 1, and others are ready.
TEST(ThreadEngine, HooksRunBetweenSlicesOfOthers) {
  run({.ranks = 2}, [](Rank& rank) {
    static std::atomic<int> runs{0}, by_others{0};
    if (rank.rank() == 0) {
      const auto token = rank.on_progress([] { ++runs; });
      receive(rank, Lane::user);
    } else {
      const auto caller = std::this_thread::get_id();
      rank.run_slices({"slices"}, 400, [&](std::size_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (std::this_thread::get_id() != caller) ++by_others;
      });
      if (by_others > 100) {
        EXPECT_GE(runs, 3);
      }
      rank.start_send(Lane::user, 0, {}, Body::adopt(std::vector<char>(1)));
    }
  });
}

TEST(ThreadEngine, ShortProtocolCompletesAtOnceAndCopies) {
  run({.ranks = 2, .eager_bytes = 100}, [](Rank& rank) {
    if (rank.rank() == 0) {
      const Send send = rank.start_send(Lane::user, 1, {}, Body::adopt(std::vector<char>(100, 'a')));
      EXPECT_FALSE(send.pending());
      EXPECT_EQ(rank.counters().deferred_sends, 0);
      collective::barrier(rank);
      collective::barrier(rank);
      rank.start_send(Lane::user, 1, {}, Body::adopt(std::vector<char>(100, 'b')));  // into a posted receive
    } else {
      collective::barrier(rank);  // the message is in the eager buffer now
      EXPECT_EQ(rank.counters().eager_total_bytes, 100);
      EXPECT_EQ(rank.counters().copied_bytes, 0);
      EXPECT_EQ(receive(rank, Lane::user).body.as<char>()[99], 'a');
      EXPECT_EQ(rank.counters().copied_bytes, 100);
      Recv posted = rank.post_receive(Lane::user);
      collective::barrier(rank);
      wait(rank, posted);
      EXPECT_EQ(posted.take().body.as<char>()[99], 'b');
      EXPECT_EQ(rank.counters().copied_bytes, 100);  // no second copy: it went straight to its position
    }
  });
}

TEST(ThreadEngine, LongProtocolWaitsForTheReceive) {
  run({.ranks = 2, .eager_bytes = 100}, [](Rank& rank) {
    if (rank.rank() == 0) {
      Send send = rank.start_send(Lane::user, 1, {}, Body::adopt(std::vector<char>(101)));
      EXPECT_TRUE(send.pending());
      EXPECT_EQ(rank.counters().deferred_sends, 1);
      collective::barrier(rank);
      EXPECT_FALSE(rank.test(send));  // seen by a probe, but not received
      collective::barrier(rank);
      wait(rank, send);
      collective::barrier(rank);
      const Send posted = rank.start_send(Lane::user, 1, {}, Body::adopt(std::vector<char>(101)));
      EXPECT_FALSE(posted.pending());  // its receive was there
    } else {
      rank.wait_any({}, {Lane::user});
      collective::barrier(rank);
      collective::barrier(rank);
      EXPECT_EQ(receive(rank, Lane::user).body.size(), 101u);
      Recv posted = rank.post_receive(Lane::user);
      collective::barrier(rank);
      wait(rank, posted);
    }
  });
}

TEST(ThreadEngine, DroppingALongSendStillDeliversIt) {
  run({.ranks = 2, .eager_bytes = 0}, [](Rank& rank) {
    if (rank.rank() == 0)
      rank.start_send(Lane::user, 1, {}, Body::adopt(std::vector<int>{1, 2, 3}));
    else
      EXPECT_EQ(receive(rank, Lane::user).body.as<int>()[2], 3);
  });
}

TEST(ThreadEngine, RankZeroIsTheCallersThread) {
  const auto caller = std::this_thread::get_id();
  run({.ranks = 3}, [&](Rank& rank) { EXPECT_EQ(std::this_thread::get_id() == caller, rank.rank() == 0); });
}

TEST(ThreadEngine, AllThatSleepComeWhereEachHasAPart) {
  constexpr int ranks = 6, workers = 3, threads = ranks + workers;
  run({.ranks = ranks, .workers = workers}, [](Rank& rank) {
    if (rank.rank() == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the others sleep by now
      std::atomic<int> begun{0};
      const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      rank.run_slices({"meet"}, threads, [&](std::size_t) {
        ++begun;
        while (begun < threads && std::chrono::steady_clock::now() < until) std::this_thread::yield();
      });
      EXPECT_LT(std::chrono::steady_clock::now(), until) << "a slice waited for a thread that slept";
      EXPECT_EQ(rank.counters().slices_by_others, threads - 1);
    }
    collective::barrier(rank);
  });
}

TEST(ThreadEngine, ATeamWorksInAForkedChild) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer does not support new threads in a forked child";
#endif
  const auto team = open({.ranks = 3, .workers = 1});
  const auto sum = [&] {
    int result = 0;
    team->run([&](Rank& rank) {
      const int s = collective::all_reduce(rank, rank.rank(), std::plus<>());
      if (rank.rank() == 0) result = s;
    });
    return result;
  };
  EXPECT_EQ(sum(), 3);
  const pid_t child = fork();
  if (child == 0) _exit(sum() == 3 ? 0 : 1);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(sum(), 3);
}

TEST(ThreadEngine, TheNextTeamAlikeHasTheSameThreadsAndNothingElse) {
  const auto threads_of = [](const TeamOptions& options) {
    std::vector<std::thread::id> ids(static_cast<std::size_t>(options.ranks));
    run(options, [&](Rank& rank) {
      EXPECT_EQ(rank.counters().copied_bytes, 0);
      EXPECT_EQ(rank.counters().eager_total_bytes, 0);
      EXPECT_FALSE(rank.probe(Lane::user));
      ids[static_cast<std::size_t>(rank.rank())] = std::this_thread::get_id();
      collective::barrier(rank);
      if (rank.rank() == 0)  // left behind by a program that ends too early
        rank.start_send(Lane::user, 1, {}, Body::adopt(std::vector<char>(10, 'a')));
      collective::barrier(rank);
    });
    return ids;
  };
  const TeamOptions options{.ranks = 3, .eager_bytes = 1 << 20};
  const auto first = threads_of(options);
  EXPECT_EQ(threads_of(options), first);
  EXPECT_NE(threads_of({.ranks = 2, .eager_bytes = 1 << 20})[1], first[1]);
}

TEST(ThreadEngine, ATeamAfterOneThatFailedIsWhole) {
  const TeamOptions options{.ranks = 3};
  EXPECT_THROW(run(options,
                   [](Rank& rank) {
                     if (rank.rank() == 1) throw Error(Status::bad_input, "one rank fails");
                     receive(rank, Lane::user);
                   }),
               Error);
  int sum = 0;
  run(options, [&](Rank& rank) {
    const int all = collective::all_reduce(rank, rank.rank(), std::plus<>());
    if (rank.rank() == 0) sum = all;
  });
  EXPECT_EQ(sum, 3);
}

TEST(ThreadEngine, RunsOfSeveralCallersFollowEachOther) {
  const auto team = open({.ranks = 2});
  std::vector<std::thread> callers;
  std::array<int, 4> results{};
  for (std::size_t c = 0; c < results.size(); ++c)
    callers.emplace_back([&, c] {
      for (int i = 0; i < 20; ++i)
        team->run([&](Rank& rank) {
          const int s = collective::all_reduce(rank, 1, std::plus<>());
          if (rank.rank() == 0) results[c] += s;
        });
    });
  for (auto& t : callers) t.join();
  for (const int r : results) EXPECT_EQ(r, 40);
}

TEST(ThreadEngine, SizesThatMakeNoSenseAreRefused) {
  EXPECT_THROW(open({.ranks = 0}), Error);
  EXPECT_THROW(open({.ranks = -1}), Error);
  EXPECT_THROW(open({.ranks = 1, .workers = -1}), Error);
}

}  // namespace
}  // namespace overlapack::comm
