#include "comm/engine/mpi/plugin/posted_receives.hpp"

#include <gtest/gtest.h>

namespace overlapack::comm::mpi::plugin {
namespace {

constexpr PostedReceives::Position here{.comm = 1, .rank = 2};

TEST(PostedReceives, MatchInTheOrderOfTheCalls) {
  PostedReceives receives;
  EXPECT_FALSE(receives.send(here, 0, 7));  // before any receive: that one takes it
  receives.post(here, -1, 7, 10, true);
  EXPECT_FALSE(receives.send(here, 0, 7));
  receives.post(here, 0, 7, 11, true);
  receives.post(here, 0, 7, 12, true);
  EXPECT_FALSE(receives.send(here, 0, 8));
  EXPECT_FALSE(receives.send({.comm = 1, .rank = 3}, 0, 7));
  EXPECT_TRUE(receives.send(here, 0, 7));
  EXPECT_FALSE(receives.send(here, 0, 7));
  receives.post(here, 1, 7, 13, true);
  receives.withdraw(here, 13);
  EXPECT_FALSE(receives.send(here, 1, 7));
}

// A receive that stands for a rank which only probes takes its message, but the sender must ask (paper 1's Algorithm 1).
TEST(PostedReceives, AStandingOneIsNotSeen) {
  PostedReceives receives;
  receives.post(here, -1, 7, 10, false);
  EXPECT_FALSE(receives.send(here, 0, 7));
  receives.post(here, -1, 7, 11, true);  // the standing one took that message
  EXPECT_TRUE(receives.send(here, 0, 7));
}

}  // namespace
}  // namespace overlapack::comm::mpi::plugin
