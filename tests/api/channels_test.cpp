#include "overlapack/channels.hpp"

#include "web.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

// The public face of channels: every call of it, on threads and on processes. What channels guarantee is tested in
// tests/comm/channel_test.cpp, the detector in channels_engines_test.cpp, misuse in channels_misuse_test.cpp.
namespace overlapack {
namespace {

using channels::Channel;
using channels::Mode;
using channels::Process;

/// OVERLAPACK_TEST_RANKS threads, or the processes of mpirun.
int wanted_ranks() {
  const char* const ranks = std::getenv("OVERLAPACK_TEST_RANKS");
  return ranks ? std::atoi(ranks) : 0;
}
Options usual() { return {.ranks = wanted_ranks()}; }

/// Ranks 2k and 2k+1 are partners; the last of an odd number has none.
int partner_of(const Process& process) {
  const int partner = process.rank() ^ 1;
  return partner < process.ranks() ? partner : -1;
}

TEST(Channels, EveryCallOfTheCppInterface) {
  const channels::Counts all = channels::run(usual(), [](Process& process) {
    EXPECT_GE(process.rank(), 0);
    EXPECT_LT(process.rank(), process.ranks());
    EXPECT_GE(process.time(), 0);
    process.poll();
    process.make_racy_room(16);
    const int partner = partner_of(process);
    if (partner < 0) return;
    Channel channel = process.create(partner, {.message_bytes = 8, .max_messages = 3});
    EXPECT_EQ(channel.number(), 0);
    double got = -1;
    for (double k = 1; k <= 3; ++k) {
      EXPECT_TRUE(channel.can_send());
      channel.send<double>({&k, 1});
    }
    while (channel.counts().arrived < 3) process.poll();
    EXPECT_TRUE(channel.can_recv());
    EXPECT_TRUE(channel.recv<double>({&got, 1}));
    EXPECT_EQ(got, 3);
    EXPECT_FALSE(channel.recv<double>({&got, 1}));
    const double initial[] = {5, 6};
    Channel racy = process.start_create(partner, {.message_bytes = 16, .mode = Mode::racy},
                                        std::as_bytes(std::span(initial)));
    process.finish_create(racy);
    double words[] = {0, 0};
    racy.wait();  // for nothing
    if (process.rank() < partner) {
      EXPECT_TRUE(racy.recv<double>(words));
      EXPECT_EQ(words[0] + words[1], 11);
    } else {
      racy.send<double>(initial);
    }
    racy.destroy();
    channel.destroy();
    const channels::Counts c = channel.counts();  // of a destroyed one, too
    EXPECT_EQ(c.ends, 1);
    EXPECT_EQ(c.sent, 3);
    EXPECT_EQ(c.arrived, 3);
    EXPECT_EQ(c.received, 1);
    EXPECT_EQ(c.overwritten, 2);
    EXPECT_GE(c.most_in_flight, 1);
  });
  const int pairs = static_cast<int>(all.ends) / 4;
  EXPECT_EQ(all.ends, 4 * pairs);
  EXPECT_EQ(all.sent, 7 * pairs);      // twice three, and one racy
  EXPECT_EQ(all.received, 3 * pairs);  // twice one, and one racy
  EXPECT_EQ(all.overwritten, 4 * pairs);
  if (wanted_ranks() > 0) {
    EXPECT_EQ(pairs, wanted_ranks() / 2);
  }
}

TEST(Channels, WhatIsUnderWayAtTheEndArrives) {
  channels::run(usual(), [](Process& process) {
    const int partner = partner_of(process);
    if (partner < 0) return;
    Channel channel = process.create(partner, {.message_bytes = 800, .max_messages = 20});
    const std::vector<double> message(100, process.rank());
    for (int k = 0; k < 10 + process.rank(); ++k) channel.send<double>(message);
    channel.destroy();
    EXPECT_EQ(channel.counts().arrived, 10 + partner);
    EXPECT_EQ(channel.counts().received, 0);
  });
}

TEST(Channels, TheFirstRanksRunTheProgram) {
  std::atomic<int> ran = 0;
  Options options = usual();
  if (options.ranks > 0) return;  // threads are as many as asked for
  options.ranks = 1;
  channels::run(options, [&](Process& process) {
    EXPECT_EQ(process.ranks(), 1);
    ++ran;
  });
  EXPECT_LE(ran, 1);
}

// iterate has channels of its own in between.
TEST(Channels, RoomForRacyMessagesOutlastsIterate) {
  Options options = usual();
  options.iteration.tolerance = 1e-3;
  channels::run(options, [](Process& process) {
    process.make_racy_room(8);
    Web<double> web(1, process.rank(), process.ranks());
    EXPECT_EQ(channels::iterate(process, web).end, channels::End::converged);
    const int partner = partner_of(process);
    if (partner < 0) return;
    const std::int64_t mine = 5 + process.rank();
    Channel channel = process.create(partner, {.message_bytes = 8, .mode = Mode::racy});
    channel.send<std::int64_t>({&mine, 1});
    channel.destroy();
  });
}

TEST(Channels, IterateAndDetectorAreForAllTypes) {
  channels::run(usual(), [](Process& process) {
    Web<float> single(3, process.rank(), process.ranks());
    Web<std::complex<double>> twofold(3, process.rank(), process.ranks());
    EXPECT_EQ(channels::iterate(process, single).end, channels::End::converged);
    EXPECT_EQ(channels::iterate(process, twofold).end, channels::End::converged);
  });
}

TEST(Channels, AnIterationThatCannotEndWellSaysHow) {
  channels::run({.ranks = wanted_ranks(), .iteration = {.max_iterations = 5, .residual_period = 1}},
                [](Process& p) {
                  Still part;
                  channels::Detector<double> detector(p, part);
                  const std::vector<double> x(10);
                  for (std::int64_t k = 0; !detector.is_over(k, x);) ++k;
                  const auto found = detector.take();
                  EXPECT_EQ(found.end, channels::End::max_iterations);
                  EXPECT_EQ(to_string(found.end), "max_iterations");
                  EXPECT_EQ(found.residual, std::sqrt(static_cast<double>(p.ranks())));  // divided by nothing
                });
}

}  // namespace
}  // namespace overlapack
