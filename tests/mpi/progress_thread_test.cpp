#include "base/random.hpp"
#include "comm/collective/collective.hpp"
#include "comm/engine/mpi/process/mpi_library.hpp"
#include "comm/engine/mpi/process/transfers.hpp"
#include "comm/receive.hpp"
#include "comm/team.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

// Under mpirun: the engine with a thread that moves bytes, whose first team makes MPI start for several threads.
namespace overlapack::comm {
namespace {

TeamOptions with_thread() {
  return {.engine = "mpi", .ranks = 0, .split_bytes = 5000, .head_bytes = 1000, .progress_thread = true};
}

std::vector<std::int64_t> numbers(int from, int number, std::size_t length) {
  std::vector<std::int64_t> values(length);
  std::iota(values.begin(), values.end(), from * 1000003 + number * 1009);
  return values;
}

/// Everybody sends `count` messages of random lengths to everybody and receives them in order.
void exchange(Rank& rank, int count) {
  Random random(static_cast<std::uint64_t>(rank.rank()) + 1);
  for (int number = 0; number < count; ++number)
    for (int to = 0; to < rank.size(); ++to)
      rank.start_send(
          Lane::bulk, to, {.kind = number},
          Body::adopt(numbers(rank.rank(), number, static_cast<std::size_t>(random.below(3000)))));
  std::vector<int> next(static_cast<std::size_t>(rank.size()));
  for (int i = 0; i < count * rank.size(); ++i) {
    const Message message = receive(rank, Lane::bulk);
    const int expected = next[static_cast<std::size_t>(message.source)]++;
    EXPECT_EQ(message.header.kind, expected);
    const auto got = message.body.as<std::int64_t>();
    EXPECT_EQ(std::vector<std::int64_t>(got.begin(), got.end()),
              numbers(message.source, expected, got.size()));
  }
}

TEST(ProgressThread, ChangesNothingOfWhatArrives) {
  const auto team = open(with_thread());
  for (int run = 0; run < 5; ++run) team->run([](Rank& rank) { exchange(rank, 40); });
}

TEST(ProgressThread, LetsAnAbortThrough) {
  const auto team = open(with_thread());
  for (int round = 0; round < 10; ++round) {
    EXPECT_THROW(team->run([&](Rank& rank) {
      if (rank.rank() == round % rank.size()) throw Error(Status::cancelled, "stop");
      exchange(rank, 5);
    }),
                 Error);
    team->run([](Rank& rank) { exchange(rank, 3); });
  }
}

/// A barrier of all processes on a communicator of its own, which ends in a call that lets bytes move.
class PlainBarrier {
 public:
  PlainBarrier() {
    const std::lock_guard lock(library_.mutex);
    const OverlapackUserComm world{};
    library_.check(library_.table().duplicate_user_comm(&world, &comm_), "MPI_Comm_dup");
    library_.transfers().start(
        "MPI_Ibarrier", [this](const OverlapackCompletion&) { is_over_ = true; },
        [this](OverlapackRequest* request) { return library_.table().barrier(comm_, request); });
  }
  ~PlainBarrier() {
    const std::lock_guard lock(library_.mutex);
    while (!is_over_) library_.transfers().advance();
    library_.check(library_.table().free_comm(comm_), "MPI_Comm_free");
  }
  PlainBarrier(const PlainBarrier&) = delete;
  PlainBarrier& operator=(const PlainBarrier&) = delete;

  bool is_over() const {
    const std::lock_guard lock(library_.mutex);
    return is_over_;
  }
  /// The smallest number that was free.
  int number_of_communicator() const { return comm_; }

 private:
  mpi::MpiLibrary& library_ = mpi::MpiLibrary::start({});
  OverlapackComm comm_ = -1;
  bool is_over_ = false;
};

// Between runs the program may be in MPI itself, or have ended it.
TEST(ProgressThread, MovesBytesInRunsAlone) {
  constexpr auto a_while = std::chrono::milliseconds(20), a_moment = std::chrono::milliseconds(1);
  const auto team = open(with_thread());
  for (int run = 0; run < 3; ++run) {
    team->run([&](Rank&) {
      PlainBarrier barrier;
      while (!barrier.is_over()) std::this_thread::sleep_for(a_moment);
    });
    PlainBarrier barrier;
    std::this_thread::sleep_for(a_while);
    EXPECT_FALSE(barrier.is_over());
  }
}

// Going on alone, the others would wait for it; what was begun is given back.
TEST(Team, WhatOneRankRefusesAllRefuse) {
  const int size = open({.engine = "mpi", .ranks = 0})->size();
  const int number = PlainBarrier().number_of_communicator();
  for (int refusing = 0; refusing < size; ++refusing)
    for (const bool has_thread : {false, true}) {
      TeamOptions options = with_thread();
      options.progress_thread = has_thread;
      if (open({.engine = "mpi", .ranks = 0})->first_local() == refusing) options.workers = -1;
      try {
        open(options);
        ADD_FAILURE() << "rank " << refusing << " had no say";
      } catch (const Error& e) {
        EXPECT_EQ(e.status(), Status::bad_plan);
        EXPECT_STREQ(e.what(), "the number of workers cannot be negative");
      }
      EXPECT_EQ(PlainBarrier().number_of_communicator(), number);
    }
  open(with_thread())->run([](Rank& rank) { exchange(rank, 3); });
}

// Their communicators and memory go at the end of each run, on all ranks in one order: another order would hang.
TEST(Team, PartsAndWindowsComeAndGoInManyRuns) {
  const auto team = open({.engine = "mpi", .ranks = 0});
  for (int run = 0; run < 300; ++run)
    team->run([&](Rank& rank) {
      const auto part = rank.split(rank.rank() % 2, 0);
      const auto window = part->make_window(64);
      EXPECT_EQ(window->local().size(), 64U);
      collective::barrier(*part);
    });
}

// MPI's requests are one list for the whole process: what one team is told must not be another's.
TEST(Team, TwoAreServedAtOnce) {
  const auto outer = open({.engine = "mpi", .ranks = 0});
  const auto inner = open(with_thread());
  for (int run = 0; run < 5; ++run)
    outer->run([&](Rank& rank) {
      const int to = (rank.rank() + 1) % rank.size();
      std::vector<Recv> posted;
      for (int i = 0; i < 20; ++i) posted.push_back(rank.post_receive(Lane::user));
      for (int i = 0; i < 20; ++i)
        rank.start_send(Lane::user, to, {.kind = i}, Body::adopt(numbers(rank.rank(), i, 1000)));
      inner->run([](Rank& other) { exchange(other, 20); });
      for (int i = 0; i < 20; ++i) {
        wait(rank, posted[static_cast<std::size_t>(i)]);
        const Message message = posted[static_cast<std::size_t>(i)].take();
        EXPECT_EQ(message.header.kind, i);
        const auto got = message.body.as<std::int64_t>();
        EXPECT_EQ(std::vector<std::int64_t>(got.begin(), got.end()), numbers(message.source, i, 1000));
      }
    });
}

}  // namespace
}  // namespace overlapack::comm

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const auto first = overlapack::comm::open({.engine = "mpi", .ranks = 0, .progress_thread = true});
  if (first->first_local() != 0) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  return RUN_ALL_TESTS();
}
