#include "comm/collective/collective.hpp"
#include "engine.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

/// Tasks that become ready as others end (Rank::run_tasks).
namespace overlapack::comm::conformance {
namespace {

/// A triangle: task (i, j), j <= i, is ready when (i - 1, j - 1) and (i - 1, j) have ended. Each adds up the numbers of paths that lead
/// to it, so that a task that begins too early has a wrong sum.
class Triangle final : public TaskSource {
 public:
  explicit Triangle(int rows)
      : rows_(rows), paths_(static_cast<std::size_t>(rows * rows)), left_(paths_.size()) {
    if (rows_ > 0) ready_.push_back({.i = 0, .j = 0});
    for (int i = 0; i < rows_; ++i)
      for (int j = 0; j <= i; ++j) left_[at(i, j)] = i == 0 ? 0 : (j > 0) + (j < i);
  }
  std::size_t ready() const override { return ready_.size(); }
  Task take() override {
    const Task task = ready_.back();
    ready_.pop_back();
    return task;
  }
  void run(const Task& task) override {
    if (task.i == fails_at) throw Error(Status::singular, "no pivot");
    const int i = task.i, j = task.j;
    paths_[at(i, j)] =
        i == 0 ? 1 : (j > 0 ? paths_[at(i - 1, j - 1)] : 0) + (j < i ? paths_[at(i - 1, j)] : 0);
    ++runs;
  }
  void done(const Task& task) override {
    ++ended_;
    for (const int j : {task.j, task.j + 1})
      if (task.i + 1 < rows_ && --left_[at(task.i + 1, j)] == 0) ready_.push_back({.i = task.i + 1, .j = j});
  }
  bool is_over() const override { return ended_ == rows_ * (rows_ + 1) / 2; }

  double sum_of_last_row() const {
    double sum = 0;
    for (int j = 0; j < rows_; ++j) sum += paths_[at(rows_ - 1, j)];
    return sum;
  }

  std::atomic<int> runs = 0;
  int fails_at = -1;

 private:
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(i * rows_ + j); }

  int rows_, ended_ = 0;
  std::vector<double> paths_;
  std::vector<int> left_;
  std::vector<Task> ready_;
};

TEST(RunTasks, EachRunsOnceAfterWhatItNeeds) {
  on_each_team({.workers = workers(2)}, [](Rank& rank) {
    for (int round = 0; round < 10; ++round)
      for (const int rows : {0, 1, 2, 7, 40}) {
        Triangle triangle(rows);
        rank.run_tasks({.kind = "gemm"}, triangle);
        EXPECT_EQ(triangle.runs.load(), rows * (rows + 1) / 2);
        if (rows > 0) {
          EXPECT_EQ(triangle.sum_of_last_row(), std::ldexp(1.0, rows - 1));
        }
      }
    collective::barrier(rank);
  });
}

TEST(RunTasks, AnExceptionEndsThemAndReachesTheOwner) {
  on_each_team({.workers = workers(2)}, [](Rank& rank) {
    for (int round = 0; round < 20; ++round) {
      Triangle triangle(30);
      triangle.fails_at = round;
      EXPECT_THROW(rank.run_tasks({.kind = "gemm"}, triangle), Error);
      EXPECT_LE(triangle.runs.load(), round * (round + 1) / 2);
    }
    collective::barrier(rank);  // and the owner goes on
  });
}

TEST(RunTasks, OthersTakeSome) {
  each_team({.workers = workers(2)}, [](Team& team) {
    team.run([](Rank& rank) {
      if (slice_threads(rank) == 1) return;
      while (rank.rank() == 0 && rank.counters().slices_by_others == 0) {
        Triangle triangle(60);
        rank.run_tasks({.kind = "gemm"}, triangle);
      }
    });
  });
}

TEST(RunTasks, LetMessagesThroughBetweenThem) {
  on_each_team([](Rank& rank) {
    constexpr int tasks = 10;
    int polls = 0, between = 0;
    const Triangle* running = nullptr;
    const auto token = rank.on_progress([&] {
      ++polls;
      if (running && running->runs > 0 && running->runs < tasks) ++between;
    });
    const auto run_all = [&] {
      Triangle triangle(4);
      running = &triangle;
      rank.run_tasks({.kind = "gemm"}, triangle);
      running = nullptr;
    };
    run_all();
    if (slice_threads(rank) == 1) {
      EXPECT_GE(polls, tasks);
    } else {  // others may have run all
      for (int round = 0; round < 1000 && between == 0; ++round) run_all();
      EXPECT_GT(between, 0);
    }
    collective::barrier(rank);
  });
}

TEST(RunTasks, AHookThatThrowsEndsThem) {
  if (setup().engine == "smpi") GTEST_SKIP() << "a simulated kernel takes no time of its own";
  on_each_team([](Rank& rank) {
    const bool is_mine = rank.rank() == 0;
    int polls = 0;
    {
      const auto token = rank.on_progress([&] {
        if (is_mine && ++polls == 3) throw Error(Status::cancelled, "stop");
      });
      if (is_mine) {
        EXPECT_THROW(
            for (;;) {
              Triangle again(200);
              rank.run_tasks({.kind = "gemm"}, again);
            },
            Error);
      }
    }
    collective::barrier(rank);
  });
}

TEST(RunTasks, AbortStopsThem) {
  each_team({}, [](Team& team) {
    try {
      team.run([](Rank& rank) {
        if (rank.rank() == rank.size() - 1) throw Error(Status::cancelled, "stop");
        for (;;) {
          Triangle triangle(20);
          rank.run_tasks({.kind = "gemm"}, triangle);
        }
      });
      ADD_FAILURE() << "the run came to an end";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::cancelled);
    }
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
