#include "comm/tasks.hpp"

#include "overlapack/error.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
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
    Tasks tasks(threads, {});
    for (int again = 0; again < 3; ++again) {
      std::atomic<int> done = 0;
      tasks.run([&] { add_tree(tasks, done, 10); });
      EXPECT_EQ(done, 2047);
    }
    EXPECT_EQ(tasks.counted(), 3 * 2047);
  }
}

TEST(Tasks, EndWithTheFirstErrorAndWorkAgain) {
  for (const int threads : {1, 4}) {
    Tasks tasks(threads, {});
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

/// Also while the caller's thread waits for a helper, and out of check() inside of a task.
TEST(Tasks, PollOnTheCallersThreadAndMayEndTheRun) {
  const std::thread::id caller = std::this_thread::get_id();
  for (const int threads : {1, 3}) {
    int polls = 0;
    Tasks tasks(threads, [&](double) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      if (++polls == 3) throw Error(Status::cancelled, "enough");
    });
    const auto until_stopped = [&] {
      for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        tasks.check();
      }
    };
    EXPECT_THROW(tasks.run([&] {
      for (int i = 0; i < 4; ++i) tasks.add(1, until_stopped);
    }),
                 Error);
    EXPECT_EQ(polls, 3);
  }
}

TEST(Tasks, AreSharedByThreads) {
  Tasks tasks(4, {});
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

}  // namespace
}  // namespace overlapack::comm
