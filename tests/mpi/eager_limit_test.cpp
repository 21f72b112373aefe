#include "comm/receive.hpp"
#include "comm/team.hpp"

#include <gtest/gtest.h>

#include <vector>

// Under mpirun: the first team sets the limit up to which the library itself sends at once.
namespace overlapack::comm {
namespace {

constexpr std::size_t limit = 200000;  // above what any of Open MPI's transports sends at once by itself

TeamOptions with_limit(std::size_t eager_bytes) {
  return {.engine = "mpi", .ranks = 0, .eager_bytes = eager_bytes, .head_bytes = 2 * limit};
}

/// Is a send of so many bytes complete before its receive is posted? Rank 1 posts it after rank 0 has waited for 0.5 s.
bool is_sent_at_once(Rank& rank, std::size_t bytes) {
  bool at_once = false;
  if (rank.rank() == 0) {
    Send send = rank.start_send(Lane::bulk, 1, {}, Body::adopt(std::vector<std::byte>(bytes)));
    for (const double end = rank.now() + 0.5; send.pending() && rank.now() < end;) rank.poll();
    at_once = !send.pending();
    rank.start_send(Lane::load, 1, {}, Body());
    if (send.pending()) wait(rank, send);
  } else if (rank.rank() == 1) {
    receive(rank, Lane::load, 0);
    EXPECT_EQ(receive(rank, Lane::bulk, 0).body.size(), bytes);
  }
  return at_once;
}

TEST(EagerLimit, IsTheLibrarysOwn) {
  const auto team = open(with_limit(limit));
  team->run([](Rank& rank) {
    for (const std::size_t bytes : {std::size_t{100}, limit / 2, limit}) {
      const bool at_once = is_sent_at_once(rank, bytes);
      if (rank.rank() == 0) EXPECT_TRUE(at_once) << bytes;
    }
    const bool at_once = is_sent_at_once(rank, limit + 1);
    EXPECT_FALSE(at_once);
  });
}

TEST(EagerLimit, StaysOnceMpiRuns) {
  EXPECT_THROW(open(with_limit(2 * limit)), Error);
  EXPECT_NO_THROW(open(with_limit(limit)));
  EXPECT_NO_THROW(open(with_limit(0)));  // longer ones wait in the engine
}

}  // namespace
}  // namespace overlapack::comm

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
