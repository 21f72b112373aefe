#include "comm/channel/channel.hpp"

#include "base/random.hpp"
#include "comm/collective/collective.hpp"
#include "comm/receive.hpp"
#include "comm/wrap/checked.hpp"
#include "comm/wrap/counted.hpp"
#include "engine.hpp"

#include <algorithm>

// What paper 5, section 4.2 asks of channels, on every engine.
namespace overlapack::comm::conformance {
namespace {

using Words = std::vector<std::int64_t>;

std::span<const std::byte> bytes_of(const Words& words) { return std::as_bytes(std::span(words)); }
std::span<std::byte> room_of(Words& words) { return std::as_writable_bytes(std::span(words)); }

constexpr std::size_t length = 40;
constexpr ChannelPlan plan_of(int max_messages, ChannelMode mode = ChannelMode::async) {
  return {.message_bytes = length * sizeof(std::int64_t), .max_messages = max_messages, .mode = mode};
}
Words all(std::int64_t value) { return Words(length, value); }

/// Let time pass until it is so.
void await(Rank& rank, const std::function<bool()>& is_so) {
  while (!is_so()) pause(rank, 1e-4);
}

/// Ranks 2k and 2k+1 of a team as pairs; the last of an odd number has none.
int partner_of(const Rank& rank) {
  const int partner = rank.rank() ^ 1;
  return partner < rank.size() ? partner : -1;
}

/// fn(channel, is_first) at both ends of a channel of each pair.
void on_pairs(const ChannelPlan& plan, const std::function<void(Rank&, Channel&, bool)>& fn) {
  on_each_team([&](Rank& rank) {
    Channels channels(rank, plan.message_bytes);
    if (const int partner = partner_of(rank); partner >= 0) {
      Channel channel = channels.create(partner, plan, bytes_of(all(-1)));
      fn(rank, channel, rank.rank() < partner);
      channel.destroy();
    }
    channels.close();
  });
}

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
TEST(Channel, IsFullAfterAsManyMessagesAsItAllows) {
  for (const int max_messages : {1, 3})
    on_each_team([&](Rank& rank) {
      if (rank.capabilities().virtual_time) return;  // looking takes no simulated time
      const auto flag = rank.make_window(8);
      Channels channels(rank);
      if (const int partner = partner_of(rank); partner >= 0) {
        Channel channel = channels.create(partner, plan_of(max_messages));
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

// Every rank with every other, two channels a pair, under late and reordered deliveries: a message is whole, and newer than
// the one before.
TEST(Channel, AllPairsUnderDelays) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    on_each_team([&](Rank& engine) {
      CheckedRank rank(engine, {.seed = seed});
      Random random(seed * 100 + static_cast<std::uint64_t>(rank.rank()));
      const std::size_t others = static_cast<std::size_t>(rank.size() - 1);
      Channels channels(rank, others * length * sizeof(std::int64_t));
      std::vector<Channel> ends;
      std::vector<int> peers;
      for (int peer = 0; peer < rank.size(); ++peer)
        for (const ChannelMode mode : {ChannelMode::async, ChannelMode::racy})
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
            if (ends[c].plan().mode == ChannelMode::async) {
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

TEST(Channel, EndsThatDifferAreAnErrorForBoth) {
  each_team({}, [](Team& team) {
    if (team.size() < 2) return;
    const ChannelPlan usual = plan_of(2);
    ChannelPlan other[] = {plan_of(3), plan_of(2, ChannelMode::racy), usual, usual};
    other[2].message_bytes += 8;
    other[3].word_bytes = 4;
    for (const ChannelPlan& plan : other) {
      const Error e = error_of(team, [&](Rank& rank) {
        Channels channels(rank, 10000);
        if (rank.rank() > 1) return receive(rank, Lane::user), void();
        try {
          channels.create(1 - rank.rank(), rank.rank() == 0 ? usual : plan);
          ADD_FAILURE() << "rank " << rank.rank() << " got a channel";
        } catch (const Error& mine) {
          EXPECT_EQ(mine.status(), Status::bad_input);
          throw;
        }
      });
      EXPECT_EQ(e.status(), Status::bad_input) << e.what();
      EXPECT_NE(std::string(e.what()).find("the ends of a channel differ"), std::string::npos) << e.what();
    }
  });
}

TEST(Channel, PlansThatCannotWorkAreRefused) {
  each_team({}, [](Team& team) {
    if (team.size() < 2) return;
    const ChannelPlan racy = plan_of(1, ChannelMode::racy);
    ChannelPlan complex = racy, odd = racy;
    complex.word_bytes = 16;
    odd.message_bytes = 12;
    struct Case {
      ChannelPlan plan;
      std::optional<std::size_t> racy_bytes;
      const char* says;
    };
    const Case cases[] = {{plan_of(0), {}, "can carry none"},
                          {plan_of(-1), {}, "can carry none"},
                          {complex, 1000, "whole, of 4 or 8 bytes"},
                          {odd, 1000, "no whole number of words"},
                          {racy, {}, "there is no room"},
                          {racy, racy.message_bytes - 8, "there is no room"}};
    for (const auto& [plan, racy_bytes, says] : cases) {
      const Error e = error_of(team, [&](Rank& rank) {
        Channels channels(rank, racy_bytes);
        channels.create((rank.rank() + 1) % rank.size(), plan);
      });
      EXPECT_EQ(e.status(), Status::bad_plan) << e.what();
      EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
    }
    const Error second = error_of(team, [&](Rank& rank) {
      Channels channels(rank, racy.message_bytes + 8);  // room for one, and a word
      const int peer = (rank.rank() + 1) % rank.size();
      const Channel first = channels.start_create(peer, racy);
      channels.start_create(peer, racy);
    });
    EXPECT_EQ(second.status(), Status::bad_plan);
    EXPECT_NE(std::string(second.what()).find("8 are left"), std::string::npos) << second.what();
    const Error self = error_of(team, [](Rank& rank) { Channels(rank).create(rank.rank(), plan_of(1)); });
    EXPECT_EQ(self.status(), Status::bad_plan);
    const Error none = error_of(team, [](Rank& rank) { Channels(rank).create(rank.size(), plan_of(1)); });
    EXPECT_EQ(none.status(), Status::bad_plan);
    EXPECT_NE(std::string(none.what()).find("name one from 0 to"), std::string::npos) << none.what();
  });
}

// Whether it comes before the rank says that it creates no more, or later.
TEST(Channel, AnEndThatOneRankAloneCreatesIsAnError) {
  for (const bool is_late : {false, true})
    each_team({}, [&](Team& team) {
      if (team.size() < 2) return;
      const Error e = error_of(team, [&](Rank& rank) {
        Channels channels(rank);
        if (rank.rank() == 0) {
          if (is_late) receive(rank, Lane::user, 1);
          channels.create(1, plan_of(1));
        }
        if (rank.rank() == 1 && !is_late) pause(rank, 0.02);
        channels.expect_no_more();
        if (rank.rank() == 1 && is_late) rank.start_send(Lane::user, 0, {}, {});
        collective::barrier(rank);
      });
      EXPECT_EQ(e.status(), Status::bad_input) << e.what();
      EXPECT_NE(std::string(e.what()).find("rank 0 creates a channel to rank 1, which ends without its own"),
                std::string::npos)
          << e.what();
    });
}

TEST(Channel, MisuseIsAnError) {
  each_team({}, [](Team& team) {
    if (team.size() != 2) return;
    const auto misuse = [&](const std::function<void(Channels&, Channel&)>& fn) {
      return error_of(team,
                      [&](Rank& rank) {
                        Channels channels(rank);
                        Channel channel = channels.create(1 - rank.rank(), plan_of(1));
                        fn(channels, channel);
                      })
          .status();
    };
    Words small(3);
    EXPECT_EQ(misuse([](Channels& channels, Channel&) { channels.close(); }), Status::internal);
    EXPECT_EQ(misuse([](Channels& channels, Channel&) { channels.expect_no_more(); }), Status::internal);
    EXPECT_EQ(error_of(team,
                       [](Rank& rank) {
                         Channels channels(rank);
                         Channel channel = channels.create(1 - rank.rank(), plan_of(1));
                         if (rank.rank() == 0) channel.wait();
                         channel.destroy();
                       })
                  .status(),
              Status::bad_input);
    EXPECT_EQ(misuse([&](Channels&, Channel& c) { c.send(bytes_of(small)); }), Status::bad_input);
    EXPECT_EQ(misuse([&](Channels&, Channel& c) { c.recv(room_of(small)); }), Status::bad_input);
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
