#include "comm/collective/collective.hpp"
#include "comm/receive.hpp"
#include "engine.hpp"

#include <algorithm>

// Puts with flags, where an engine has them.
namespace overlapack::comm::conformance {
namespace {

// What a flag says is there stays until its reader has answered; a put before, without a flag, is there as well.
TEST(Flags, AFlagComesAfterItsPut) {
  on_each_team([](Rank& rank) {
    constexpr std::size_t length = 700, w = sizeof(std::int64_t);
    const auto window = rank.make_window((length + 3) * w);
    const int to = right_of(rank), from = left_of(rank);
    if (!rank.capabilities().orders_puts) {
      EXPECT_THROW(window->put_flag(to, 0, {}, w, 1), Error);
      EXPECT_THROW(window->flag(0), Error);
      EXPECT_THROW(window->expect_flag(0, 1), Error);
      return collective::barrier(rank);
    }
    const auto* const numbers = reinterpret_cast<const std::int64_t*>(window->local().data());
    for (std::int64_t round = 1; round <= 200; ++round) {
      const auto earlier = pattern(rank.rank(), to, 1000 + round, 1),
                 sent = pattern(rank.rank(), to, round, length);
      window->put(to, (length + 2) * w, std::as_bytes(std::span(earlier)));
      window->put_flag(to, 2 * w, std::as_bytes(std::span(sent)), 0, round);
      Request request = window->expect_flag(0, round);
      wait(rank, request);
      EXPECT_EQ(window->flag(0), round);
      const auto expected = pattern(from, rank.rank(), round, length);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), numbers + 2)) << round;
      EXPECT_EQ(numbers[length + 2], pattern(from, rank.rank(), 1000 + round, 1)[0]);
      window->put_flag(from, 0, {}, w, round);  // I have looked
      request = window->expect_flag(w, round);
      wait(rank, request);
    }
    const auto one = pattern(0, 0, 0, 1);
    EXPECT_THROW(window->put_flag(to, (length + 3) * w, std::as_bytes(std::span(one)), 0, 1), Error);
    EXPECT_THROW(window->put_flag(to, 0, {}, (length + 3) * w, 1), Error);
    EXPECT_THROW(window->put_flag(to, 0, {}, 3, 1), Error);
    EXPECT_THROW(window->flag(3), Error);
    collective::barrier(rank);
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
