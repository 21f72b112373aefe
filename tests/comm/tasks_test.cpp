#include "comm/tasks.hpp"

#include "counted_allocations.hpp"
#include "overlapack/error.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <mutex>
#include <set>
#include <thread>

namespace overlapack::comm {
namespace {

/// A tree of tasks: each adds two, down to a depth.
void add_tree(Tasks& tasks, std::atomic<int>& done, int depth) {
  tasks.check();
  ++done;
  tasks.count(1);
  if (depth == 0) return;
  for (int child = 0; child < 2; ++child)
    tasks.add(depth, [&tasks, &done, depth] { add_tree(tasks, done, depth - 1); });
}

TEST(Tasks, RunAllThatAreAdded) {
  for (const int threads : {1, 2, 3, 7, 16}) {
    Tasks tasks(threads);
    for (int again = 0; again < 3; ++again) {
      std::atomic<int> done = 0;
      tasks.run([&] { add_tree(tasks, done, 10); });
      EXPECT_EQ(done, 2047);
    }
  }
}

TEST(Tasks, EndWithTheFirstErrorAndWorkAgain) {
  for (const int threads : {1, 4}) {
    Tasks tasks(threads);
    std::atomic<int> done = 0;
    const auto run = [&](int fails_at) {
      tasks.run([&] {
        for (int i = 0; i < 200; ++i)
          tasks.add(1, [&, i] {
            if (i == fails_at) throw Error(Status::out_of_memory, "no memory");
            ++done;
          });
      });
    };
    EXPECT_THROW(run(20), Error);
    EXPECT_LT(done, 200);
    done = 0;
    EXPECT_NO_THROW(run(-1));
    EXPECT_EQ(done, 200);
  }
}

/// A part refers to what the caller of for_each has.
TEST(Tasks, NoPartRunsLaterThanForEachWhereMemoryFails) {
  bool is_struck = true;
  for (std::int64_t at = 0; is_struck; ++at) {
    Tasks tasks(4);
    std::atomic<int> runs = 0, late = 0;
    std::atomic<bool> is_over = false;
    const std::function<void(Index)> part = [&](Index) { ++(is_over ? late : runs); };
    tasks.run([&] {
      testing::allocations_left = at;
      try {
        tasks.for_each(20, part);
      } catch (const std::bad_alloc&) {
        EXPECT_EQ(runs, 0);
      }
      is_struck = testing::allocations_left < 0;
      testing::allocations_left = -1;
      is_over = true;
    });
    EXPECT_EQ(late, 0) << at;
    EXPECT_TRUE(runs == 0 || runs == 20) << at;
  }
}

/// Also while the caller's thread waits for a helper, and out of check() inside of a task.
TEST(Tasks, PollOnTheCallersThreadAndMayEndTheRun) {
  const std::thread::id caller = std::this_thread::get_id();
  for (const int threads : {1, 3}) {
    int polls = 0;
    Tasks tasks(threads);
    const auto poll = [&](double counted) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_GE(counted, 1);
      if (++polls == 3) throw Error(Status::cancelled, "enough");
    };
    const auto until_stopped = [&] {
      for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        tasks.check();
      }
    };
    const auto begin = [&] {
      tasks.count(1);
      for (int i = 0; i < 4; ++i) tasks.add(1, until_stopped);
    };
    EXPECT_THROW(tasks.run(begin, poll), Error);
    EXPECT_EQ(polls, 3);
  }
}

TEST(Tasks, AreSharedByThreads) {
  Tasks tasks(4);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  tasks.run([&] {
    for (int i = 0; i < 40; ++i)
      tasks.add(1, [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      });
  });
  EXPECT_GT(threads.size(), 1u);
  EXPECT_LE(threads.size(), 4u);
}

/// Tasks, each with parts, some of them with parts of their own.
TEST(Tasks, TakePartsSideBySide) {
  for (const int threads : {1, 2, 3, 7, 16}) {
    Tasks tasks(threads);
    std::atomic<Index> sum = 0;
    const auto add_all = [&](Index parts) { tasks.for_each(parts, [&](Index i) { sum += i; }); };
    add_all(100);
    tasks.run([&] {
      for (int task = 0; task < 10; ++task)
        tasks.add(1, [&] { tasks.for_each(7, [&](Index i) { add_all(i + 1); }); });
    });
    const auto add_range = [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) sum += i;
    };
    tasks.for_ranges(1000, add_range, 64);
    tasks.for_each(0, [&](Index) { sum += 1; });
    EXPECT_EQ(sum, 4950 + 10 * (0 + 1 + 3 + 6 + 10 + 15 + 21) + 499500);
  }
}

TEST(Tasks, GiveThePartsFirstError) {
  for (const int threads : {1, 4}) {
    Tasks tasks(threads);
    std::atomic<int> done = 0;
    const auto loop = [&](Index fails_at) {
      tasks.for_each(100, [&](Index i) {
        if (i == fails_at) throw Error(Status::out_of_memory, "no memory");
        ++done;
      });
    };
    EXPECT_THROW(loop(0), Error);
    EXPECT_THROW(tasks.run([&] { loop(50); }), Error);
    EXPECT_LT(done, 200);
    done = 0;
    EXPECT_NO_THROW(loop(-1));
    EXPECT_EQ(done, 100);
  }
}

/// Two tasks beside each other, one with four parts, all of one length: the chain is of two, the work of five.
TEST(Tasks, MeasureWorkAndTheLongestChain) {
  const auto work = [] {
    const std::clock_t begin = std::clock();
    volatile double x = 0;
    while (std::clock() - begin < CLOCKS_PER_SEC / 100) x = x + 1;
  };
  Tasks tasks(1);
  tasks.run([&] {
    tasks.add(1, work);
    work();
    tasks.for_each(4, [&](Index) { work(); });
  });
  Tasks(1).for_each(2, [](Index) {});  // others on this thread do not begin the chain anew
  const Tasks::Time time = tasks.time();
  EXPECT_GT(time.work_s, 0.055);
  EXPECT_GT(time.path_s, 0.015);
  EXPECT_LT(time.path_s, 0.6 * time.work_s);
}

}  // namespace
}  // namespace overlapack::comm
