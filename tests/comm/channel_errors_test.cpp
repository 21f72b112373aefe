#include "channel_pairs.hpp"
#include "comm/collective/collective.hpp"

// What a channel refuses, on every engine.
namespace overlapack::comm::conformance {
namespace {

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
    const bool has_puts = setup().engine == "shmem" || setup().engine == "smpi";
    const Case cases[] = {
        {plan_of(0), {}, "can carry none"},
        {plan_of(-1), {}, "can carry none"},
        {complex, 1000, "whole, of 4 or 8 bytes"},
        {odd, 1000, "no whole number of words"},
        {racy, {}, "there is no room"},
        {racy, racy.message_bytes - 8, "there is no room"},
        {plan_of(1, ChannelMode::async_puts),
         {},
         has_puts ? "there is no room for the buffers" : "does not keep the order of puts"}};
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
        channels.forbid_new_channels();
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
    EXPECT_EQ(misuse([](Channels& channels, Channel&) { channels.forbid_new_channels(); }), Status::internal);
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
