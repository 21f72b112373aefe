#include "base/random.hpp"
#include "channel_pairs.hpp"
#include "comm/channel/end.hpp"
#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "comm/wrap/counted.hpp"
#include "comm/wrap/forwarding.hpp"

#include <algorithm>

// What paper 5, section 4.2 asks of channels, on every engine.
namespace overlapack::comm::conformance {
namespace {

TEST(Channel, AReceiveGetsTheNewestMessageAndDropsOlderOnes) {
  on_pairs(plan_of(8), [](Rank& rank, Channel& channel, bool) {
    for (std::int64_t k = 1; k <= 5; ++k) channel.send(bytes_of(all(k)));
    await(rank, [&] { return channel.counts().arrived == 5; });
    Words got = all(0);
    EXPECT_TRUE(channel.can_recv());
    EXPECT_TRUE(channel.recv(room_of(got)));
    EXPECT_EQ(got, all(5));
    EXPECT_EQ(channel.counts().largest_batch, 5);
    EXPECT_EQ(channel.counts().overwritten, 4);
    EXPECT_FALSE(channel.can_recv());
    EXPECT_FALSE(channel.recv(room_of(got)));
    EXPECT_EQ(got, all(5));
    EXPECT_EQ(channel.counts().received, 1);
  });
}

/// Counts receives on the lane of channels.
class PostMeter final : public ForwardingRank {
 public:
  using ForwardingRank::ForwardingRank;
  Recv post_receive(Lane lane, int from) override {
    posted += lane == Lane::channel;
    return ForwardingRank::post_receive(lane, from);
  }
  int posted = 0;
};

// Else long messages to a rank that looks seldom would queue up at their senders, and it would get old ones (paper 5, 3.1.2).
TEST(Channel, AReceiveWaitsForEachMessageThatMayBeUnderWay) {
  static constexpr int under_way = 20;
  on_each_team([](Rank& rank) {
    PostMeter meter(rank);
    Channels channels(meter);
    if (const int partner = partner_of(rank); partner >= 0) {
      Channel channel = channels.create(partner, plan_of(under_way));
      meter.poll();
      EXPECT_GE(meter.posted, under_way);
      channel.destroy();
    }
    channels.close();
  });
}

TEST(Channel, AWaitEndsWithTheNextMessage) {
  on_pairs(plan_of(1), [](Rank&, Channel& channel, bool is_first) {
    Words got = all(0);
    for (std::int64_t k = 1; k <= 20; ++k) {
      if (is_first) channel.send(bytes_of(all(k)));
      channel.wait();
      EXPECT_TRUE(channel.recv(room_of(got)));
      EXPECT_EQ(got, all(k));
      if (!is_first) channel.send(bytes_of(all(k)));
    }
    EXPECT_EQ(channel.counts().overwritten, 0);
  });
  on_pairs(plan_of(1, ChannelMode::racy), [](Rank&, Channel& channel, bool) { channel.wait(); });
}

// The receiver looks at memory only, so that nothing acknowledges, until the sender has seen its channel full.
void fill_a_channel(ChannelMode mode) {
  for (const int max_messages : {1, 3})
    on_each_team_in(mode, [&](Rank& rank) {
      if (rank.capabilities().virtual_time) return;  // looking takes no simulated time
      const auto flag = rank.make_window(8);
      const ChannelPlan plan = plan_of(max_messages, mode);
      Channels channels(rank, room_of(plan));
      if (const int partner = partner_of(rank); partner >= 0) {
        Channel channel = channels.create(partner, plan);
        if (rank.rank() < partner) {
          for (int k = 1; k <= max_messages; ++k) {
            EXPECT_TRUE(channel.can_send());
            channel.send(bytes_of(all(k)));
          }
          EXPECT_FALSE(channel.can_send());
          flag->store_words(partner, 0, 8, bytes_of({1}));
          channel.send(bytes_of(all(99)));  // blocks until the first was acknowledged
        } else {
          for (Words seen{0}; seen[0] == 0;) flag->load_words(0, 8, room_of(seen));
          await(rank, [&] { return channel.counts().arrived == max_messages + 1; });
          Words got = all(0);
          channel.recv(room_of(got));
          EXPECT_EQ(got, all(99));
        }
        channel.destroy();
      }
      channels.close();
    });
}
TEST(Channel, IsFullAfterAsManyMessagesAsItAllows) {
  for (const ChannelMode mode : both_forms) fill_a_channel(mode);
}

TEST(Channel, ABlockingSenderIsServedToTheEnd) {
  constexpr std::int64_t last = 300;
  on_pairs(plan_of(1), [](Rank& rank, Channel& channel, bool is_first) {
    if (is_first) {
      for (std::int64_t k = 1; k <= last; ++k) channel.send(bytes_of(all(k)));
      return;
    }
    Words got = all(0);
    for (std::int64_t before = 0; got[0] < last; before = got[0]) {
      await(rank, [&] { return channel.can_recv(); });
      channel.recv(room_of(got));
      EXPECT_GT(got[0], before);
      EXPECT_EQ(got, all(got[0]));
    }
  });
}

// Each word is one that was sent, and none goes back in time.
TEST(Channel, RacyWordsComeWholeAndInTheirOwnOrder) {
  constexpr std::int64_t last = 500, factor = 0x100000001;  // a torn word is no multiple
  on_pairs(plan_of(1, ChannelMode::racy), [](Rank& rank, Channel& channel, bool is_first) {
    Words got = all(0);
    if (is_first) {
      EXPECT_TRUE(channel.can_recv());
      EXPECT_TRUE(channel.recv(room_of(got)));
      EXPECT_EQ(got, all(-1));  // as given to create: the peer never sends
      for (std::int64_t k = 1; k <= last; ++k) {
        EXPECT_TRUE(channel.can_send());
        channel.send(bytes_of(all(k * factor)));
      }
      return;
    }
    Words before = all(-1);
    await(rank, [&] {
      channel.recv(room_of(got));
      for (std::size_t i = 0; i < length; ++i) {
        EXPECT_TRUE(got[i] == -1 || got[i] % factor == 0) << got[i];
        EXPECT_GE(got[i], before[i]);
      }
      before = got;
      return got == all(last * factor);
    });
  });
}

// While messages go both ways, each carries the word that those of the other way are here.
TEST(Channel, AcknowledgesWithItsNextMessage) {
  constexpr std::int64_t rounds = 100;
  on_each_team([&](Rank& engine) {
    Counts counts;
    CountedRank rank(engine, counts);
    Channels channels(rank);
    const int partner = partner_of(rank);
    if (partner >= 0) {
      Channel channel = channels.create(partner, plan_of(8));
      for (std::int64_t k = 1; k <= rounds; ++k) {
        channel.send(bytes_of(all(k)));
        await(rank, [&] { return channel.counts().arrived >= k; });
      }
      EXPECT_LE(channel.counts().most_in_flight, 3);
      channel.destroy();
      // Beside them: one to open, one to close, and at the end at most two that acknowledge the last.
      EXPECT_LE(counts.on(Lane::channel).messages, rounds + 4);
    }
    channels.close();
  });
}

// Beside an opening and a closing message, all are puts.
TEST(Channel, PutsAreNoMessages) {
  on_each_team_in(ChannelMode::async_puts, [](Rank& engine) {
    Counts counts;
    CountedRank rank(engine, counts);
    const ChannelPlan plan = plan_of(3, ChannelMode::async_puts);
    Channels channels(rank, room_of(plan));
    if (const int partner = partner_of(rank); partner >= 0) {
      Channel channel = channels.create(partner, plan);
      for (std::int64_t k = 1; k <= 50; ++k) channel.send(bytes_of(all(k)));
      channel.start_destroy();
      const ChannelCounts mine = channel.destroy();
      EXPECT_EQ(mine.put, 50);
      EXPECT_EQ(mine.arrived, 50);
      EXPECT_LE(mine.most_in_flight, 3);
      EXPECT_EQ(counts.on(Lane::channel).messages, 2);
    }
    channels.close();
  });
}

// Rank 0 plays the other end by hand: what it says last comes before its last put, for which rank 1 still waits.
TEST(Channel, WaitsForAPutThatComesAfterTheClosing) {
  on_each_team_in(ChannelMode::async_puts, [](Rank& rank) {
    const ChannelPlan plan = plan_of(1, ChannelMode::async_puts);
    if (rank.size() < 2) return;
    if (rank.rank() != 0) {
      Channels channels(rank, room_of(plan));
      if (rank.rank() == 1) {
        Channel channel = channels.create(0, plan);
        channel.wait();
        Words got = all(0);
        EXPECT_TRUE(channel.recv(room_of(got)));
        EXPECT_EQ(got, all(5));
        channel.destroy();
      }
      return channels.close();
    }
    const auto window = rank.make_window(room_of(plan));
    const auto say = [&](ChannelMessage kind, std::uint32_t sequence, std::array<std::int64_t, 6> id) {
      rank.start_send(Lane::channel, 1, {.kind = kind, .sequence = sequence, .id = id}, {});
    };
    const auto bytes = static_cast<std::int64_t>(plan.message_bytes);
    const auto mode = static_cast<std::int64_t>(plan.mode);
    say(ChannelMessage::open, 1, {0, bytes, 1, mode, static_cast<std::int64_t>(plan.word_bytes), 0});
    receive(rank, Lane::channel);  // the other end is open
    say(ChannelMessage::close, 2, {0, 1, 0});
    pause(rank, 0.01);
    const Words last = all(5);
    Slots(*window, 1, plan.message_bytes, 1, 0, 0).put_in_free_slot(0, bytes_of(last));
    receive(rank, Lane::channel);  // and closed
    collective::barrier(rank);
  });
}

// destroy counts that all has arrived; nothing of it is left for the next channel of the pair.
TEST(Channel, DestroyingCompletesWhatNobodyReceived) {
  on_each_team([](Rank& engine) {
    Counts counts;
    CountedRank rank(engine, counts);
    Channels channels(rank);
    if (const int partner = partner_of(rank); partner >= 0) {
      const std::int64_t count = rank.rank() < partner ? 4 : 2;
      Channel old = channels.create(partner, plan_of(4));
      for (std::int64_t k = 1; k <= count; ++k) old.send(bytes_of(all(k)));
      old.destroy();
      EXPECT_GE(counts.on(Lane::channel).messages, count + 2);  // one opens, one closes
      Channel next = channels.create(partner, plan_of(4));
      next.send(bytes_of(all(9)));
      await(rank, [&] { return next.can_recv(); });
      Words got = all(0);
      EXPECT_TRUE(next.recv(room_of(got)));
      EXPECT_EQ(got, all(9));
      EXPECT_EQ(next.counts().arrived, 1);
      next.destroy();
    }
    channels.close();
  });
}

// Room is made anew, at its beginning, once the channels that had it are gone.
TEST(Channel, RoomIsMadeAnew) {
  on_each_team([](Rank& rank) {
    Channels channels(rank);
    const ChannelPlan plan = plan_of(1, ChannelMode::racy);
    for (std::int64_t round = 1; round <= 3; ++round) {
      channels.make_room(plan.message_bytes);
      if (const int partner = partner_of(rank); partner >= 0) {
        Channel channel = channels.create(partner, plan, bytes_of(all(-1)));
        channel.send(bytes_of(all(round)));
        Words got = all(0);
        await(rank, [&] { return channel.recv(room_of(got)), got == all(round); });
        channel.destroy();
      }
      collective::barrier(rank);
    }
    channels.close();
  });
}

// An end that is being destroyed sends nothing more that could carry what it owes.
TEST(Channel, WhatComesWhileItIsDestroyedIsAcknowledgedAtOnce) {
  on_pairs(plan_of(8), [](Rank& rank, Channel& channel, bool is_first) {
    const int partner = partner_of(rank);
    if (is_first) return rank.start_send(Lane::user, partner, {}, {}), void();
    receive(rank, Lane::user, partner);
    channel.send(bytes_of(all(1)));
  });
}

// Every rank with every other, a channel of each mode a pair, under late and reordered deliveries: a message is whole, and newer than
// the one before.
TEST(Channel, AllPairsUnderDelays) {
  constexpr ChannelMode modes[] = {ChannelMode::async, ChannelMode::racy, ChannelMode::async_puts};
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    on_each_team([&](Rank& engine) {
      CheckedRank rank(engine, {.seed = seed});
      Random random(seed * 100 + static_cast<std::uint64_t>(rank.rank()));
      const std::size_t others = static_cast<std::size_t>(rank.size() - 1);
      const std::span used(modes, rank.capabilities().orders_puts ? 3 : 2);
      std::size_t room = 0;
      for (const ChannelMode mode : used) room += others * room_of(plan_of(2, mode));
      Channels channels(rank, room);
      std::vector<Channel> ends;
      std::vector<int> peers;
      for (int peer = 0; peer < rank.size(); ++peer)
        for (const ChannelMode mode : used)
          if (peer != rank.rank())
            ends.push_back(channels.start_create(peer, plan_of(2, mode))), peers.push_back(peer);
      for (Channel& end : ends) channels.finish_create(end);
      std::vector<std::int64_t> newest(ends.size(), 0);
      Words got = all(0);
      for (std::int64_t step = 1; step <= 30; ++step)
        for (std::size_t c = 0; c < ends.size(); ++c) {
          if (random.below(2) == 0 && ends[c].can_send()) ends[c].send(bytes_of(all(step)));
          if (random.below(2) == 0 && ends[c].can_recv()) {
            ends[c].recv(room_of(got));
            EXPECT_GE(*std::min_element(got.begin(), got.end()), newest[c]);
            newest[c] = *std::min_element(got.begin(), got.end());
            if (ends[c].plan().mode != ChannelMode::racy) {
              EXPECT_EQ(got, all(got[0]));
            }
          }
        }
      for (Channel& end : ends) end.destroy();
      channels.close();
      collective::barrier(rank);
    });
}

// The numbers let a message be taken while one that another rank sent before is still coming in.
TEST(Channel, AllChannelsToAPeerNumberTheirMessagesTogether) {
  on_each_team([](Rank& rank) {
    const int partner = partner_of(rank);
    if (partner > rank.rank()) {
      Channels channels(rank);
      for (int i = 0; i < 2; ++i) channels.start_create(partner, plan_of(1));
    } else if (partner >= 0) {
      for (const std::uint32_t k : {1u, 2u})
        EXPECT_EQ(receive(rank, Lane::channel, partner).header.sequence, k);
    }
    collective::barrier(rank);
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
