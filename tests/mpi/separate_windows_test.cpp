/// An MPI whose windows are not the memory of their owner, at least on one rank: Open MPI with an answer of this program's own.
#include "comm/collective/collective.hpp"
#include "comm/team.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

bool is_separate = false;

}  // namespace

/// The only attribute that is asked for is MPI_WIN_MODEL; 0 is MPI_WIN_UNIFIED in mpi.h, 1 is MPI_WIN_SEPARATE.
extern "C" [[gnu::visibility("default")]] int MPI_Win_get_attr(void*, int, void* value, int* found) {
  static int model = 0;
  model = is_separate ? 1 : 0;
  *static_cast<int**>(value) = &model;
  *found = 1;
  return 0;
}

namespace overlapack::comm {
namespace {

TEST(SeparateWindows, AreRefusedOnAllRanks) {
  const auto team = open({.engine = "mpi", .ranks = 0});
  is_separate = team->first_local() == 1;
  std::vector<double> memory(3);
  const std::function<void(Rank&)> uses[] = {
      [](Rank& rank) { rank.make_window(24); },
      [&](Rank& rank) { rank.attach(std::as_writable_bytes(std::span(memory))); }};
  for (const auto& use : uses) {
    try {
      team->run(use);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::bad_plan) << e.what();
      EXPECT_NE(std::string(e.what()).find("MPI_WIN_SEPARATE"), std::string::npos) << e.what();
    }
  }
  is_separate = false;
  team->run([](Rank& rank) {  // the team is as good as before
    const auto window = rank.make_window(24);
    EXPECT_EQ(collective::all_reduce(rank, 1, std::plus<>()), rank.size());
  });
}

}  // namespace
}  // namespace overlapack::comm

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
