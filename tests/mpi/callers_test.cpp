/// Teams of a program that uses MPI itself: on communicators of its own, given up when it likes, alive when it ends MPI. Its MPI counts
/// communicators: what this file defines comes before the library's.
#include "comm/collective/collective.hpp"
#include "comm/receive.hpp"
#include "comm/team.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <malloc.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

int communicators = 0;  ///< duplicated or split, and not freed

}  // namespace

extern "C" {

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++communicators;
  return PMPI_Comm_dup(comm, copy);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
  ++communicators;
  return PMPI_Comm_split(comm, color, key, part);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  ++communicators;
  return PMPI_Comm_split_type(comm, type, key, info, part);
}

int MPI_Comm_free(MPI_Comm* comm) {
  --communicators;
  return PMPI_Comm_free(comm);
}
}

namespace overlapack::comm {
namespace {

TeamOptions on(MPI_Comm& comm) {
  return {.engine = "mpi", .ranks = 0, .watchdog_s = 20, .mpi_communicator = &comm};
}
TeamOptions on_world() { return {.engine = "mpi", .ranks = 0, .watchdog_s = 20}; }

void use(Team& team) {
  team.run([](Rank& rank) { EXPECT_EQ(collective::all_reduce(rank, 1, std::plus<>()), rank.size()); });
}

int rank_in_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

TEST(GivingUp, WaitsForNobody) {
  auto team = open(on_world());
  use(*team);
  if (rank_in_world() == 0) team.reset();
  MPI_Barrier(MPI_COMM_WORLD);  // the others still have theirs
  team.reset();
  use(*open(on_world()));
}

// As a garbage collector may: in another order on each rank, on another thread, while a team runs.
TEST(GivingUp, IsInAnyOrderOnAnyThread) {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<Team>> teams;
    for (int i = 0; i < 5; ++i) teams.push_back(open(on_world()));
    const auto running = open(on_world());
    for (const auto& team : teams) use(*team);
    std::rotate(teams.begin(), teams.begin() + rank_in_world() % 5, teams.end());
    std::unique_ptr<Team> kept = round % 2 == rank_in_world() % 2 ? std::move(teams.front()) : nullptr;
    std::thread collector([&] {
      for (auto& team : teams) team.reset();
    });
    for (int i = 0; i < 10; ++i) use(*running);
    collector.join();
    use(*running);
    teams.push_back(open(on_world()));
    use(*teams.back());
  }
}

// In a hook of a running team, as by Python's progress function.
TEST(GivingUp, HappensInsideOfARunOfAnother) {
  const auto running = open(on_world());
  for (int round = 0; round < 5; ++round) {
    auto team = open(on_world());
    use(*team);
    running->run([&](Rank& rank) {
      const auto token = rank.on_progress([&] { team.reset(); });
      if (rank.rank() == round % rank.size()) rank.poll();
      collective::barrier(rank);
    });
    EXPECT_EQ(team, nullptr);
  }
}

TEST(GivingUp, AThousandAreAliveOnTwoCommunicators) {
  const int before = communicators;
  std::vector<std::unique_ptr<Team>> teams;
  for (int i = 0; i < 1000; ++i) teams.push_back(open(on_world()));
  for (int i = 0; i < 1000; i += 100) use(*teams[static_cast<std::size_t>(i)]);
  EXPECT_LE(communicators, before + 2);
  use(*teams.back());
}

TEST(GivingUp, LeavesNothingBehind) {
  const auto in_use = [] { return static_cast<double>(mallinfo2().uordblks); };
  const int many = 10000;
  double after_some = 0;
  int communicators_after_some = 0;
  for (int i = 0; i < many; ++i) {
    const auto team = open(on_world());
    if (i % 10 == 0) use(*team);
    if (i == many / 3) after_some = in_use(), communicators_after_some = communicators;
  }
  EXPECT_LT(in_use(), after_some + 200e3);
  EXPECT_EQ(communicators, communicators_after_some);
}

// With windows and parts of a team that outlive its runs.
TEST(GivingUp, GivesPartsAndWindowsBackOnceAllHaveDone) {
  const int before = communicators;
  {
    const auto team = open(on_world());
    std::unique_ptr<Rank> part;
    std::unique_ptr<Window> window;
    team->run([&](Rank& rank) {
      part = rank.split(rank.rank() % 2, 0);
      window = rank.make_window(100);
    });
    EXPECT_EQ(communicators, before + 1);
    if (rank_in_world() == 0) window.reset(), part.reset();
    MPI_Barrier(MPI_COMM_WORLD);
    window.reset(), part.reset();
  }
  EXPECT_EQ(communicators, before + 1);
  use(*open(on_world()));
  EXPECT_EQ(communicators, before);
}

TEST(Teams, AMessageOfOneIsNotForAnother) {
  for (int round = 0; round < 10; ++round) {
    open(on_world())->run([](Rank& rank) {
      for (int to = 0; to < rank.size(); ++to) rank.start_send(Lane::user, to, {.kind = 1}, {});
    });
    open(on_world())->run([](Rank& rank) {
      EXPECT_FALSE(rank.probe(Lane::user));
      collective::barrier(rank);  // nobody sends before all have looked
      rank.start_send(Lane::user, (rank.rank() + 1) % rank.size(), {.kind = 2}, {});
      EXPECT_EQ(receive(rank, Lane::user).header.kind, 2);
      EXPECT_FALSE(rank.probe(Lane::user));
    });
  }
}

// A rank that is ahead sends to one that is still at the end of the run before.
TEST(Teams, ManyShortRunsKeepTheirMessagesApart) {
  const auto one = open(on_world()), other = open(on_world());
  for (int run = 0; run < 500; ++run)
    (run % 3 ? one : other)->run([&](Rank& rank) {
      const int to = (rank.rank() + 1) % rank.size();
      rank.start_send(Lane::bulk, to, {.kind = run}, {});
      if (run % 2) rank.start_send(Lane::bulk, to, {.kind = -run}, {});  // which nobody takes
      Message message = receive(rank, Lane::bulk);
      while (message.header.kind < 0) message = receive(rank, Lane::bulk);
      EXPECT_EQ(message.header.kind, run);
    });
}

TEST(Teams, OfAFreedCommunicatorSaySo) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const int before = communicators;
  auto team = open(on(comm));
  use(*team);
  EXPECT_EQ(communicators, before + 2);
  MPI_Comm_free(&comm);
  EXPECT_EQ(communicators, before - 1);
  try {
    use(*team);
    ADD_FAILURE() << "the communicator is gone";
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Status::bad_plan);
    EXPECT_NE(std::string(e.what()).find("MPI_Comm_free"), std::string::npos) << e.what();
  }
  // another one waits for long: nobody looks at the communicator that is gone
  open(on_world())->run([](Rank& rank) {
    if (rank.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    collective::barrier(rank);
  });
  team.reset();
  use(*open(on_world()));
}

TEST(Teams, StayWithTheirCommunicatorNotWithItsDuplicates) {
  MPI_Comm comm = MPI_COMM_NULL, copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const auto team = open(on(comm));
  MPI_Comm_dup(comm, &copy);
  use(*open(on(copy)));
  MPI_Comm_free(&copy);
  use(*team);
  MPI_Comm_free(&comm);
}

TEST(Teams, OfPartsOfTheWorldRunBesideEachOther) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank_in_world() % 2, 0, &part);
  {
    const auto mine = open(on(part)), all = open(on_world());
    for (int i = 0; i < 10; ++i) use(i % 2 ? *mine : *all);
  }
  MPI_Comm_free(&part);
}

// What the ranks were called with is compared before anything depends on it.
TEST(Teams, OfRanksThatWereCalledDifferentlyAreRefused) {
  TeamOptions options = on_world();
  options.fingerprint = rank_in_world() == 1 ? 2 : 1;
  options.called_with = rank_in_world() == 1 ? "ordering = metis" : "ordering = amd";
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == 1) GTEST_SKIP() << "a single rank";
  try {
    open(options);
    ADD_FAILURE() << "two orderings went together";
  } catch (const Error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("ordering = amd"), std::string::npos) << text;
    EXPECT_NE(text.find("rank 1 with ordering = metis"), std::string::npos) << text;
  }
  use(*open(on_world()));
}

TEST(Receives, ThatOutliveAnAbortedRunAreDone) {
  const auto team = open(on_world());
  std::vector<Recv> kept;
  EXPECT_THROW(team->run([&](Rank& rank) {
    kept.push_back(rank.post_receive(Lane::user));
    kept.push_back(rank.post_receive(Lane::load, rank.rank()));
    collective::barrier(rank);
    if (rank.rank() == 0) throw Error(Status::cancelled, "stop");
    receive(rank, Lane::bulk);
  }),
               Error);
  for (Recv& receive : kept) {
    EXPECT_FALSE(receive.pending());
    EXPECT_THROW(receive.take(), Error);
  }
  kept.clear();
  use(*team);
}

}  // namespace
}  // namespace overlapack::comm

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  MPI_Init(nullptr, nullptr);
  if (overlapack::comm::rank_in_world() != 0) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  int failed = RUN_ALL_TESTS();
  // With a team alive, and one of an abandoned communicator.
  const auto team = overlapack::comm::open(overlapack::comm::on_world());
  overlapack::comm::use(*team);
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
