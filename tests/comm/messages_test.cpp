#include "base/random.hpp"
#include "comm/collective/collective.hpp"
#include "comm/receive.hpp"
#include "engine.hpp"

#include <map>

namespace overlapack::comm::conformance {
namespace {

TEST(Messages, KeepTheirOrderInEachPairAndLane) {
  on_each_team([](Rank& rank) {
    constexpr int count = 50;
    const std::array lanes{Lane::load, Lane::bulk, Lane::user};
    for (int i = 0; i < count; ++i)
      for (const Lane lane : lanes)
        for (int to = 0; to < rank.size(); ++to)
          rank.start_send(lane, to, {.kind = i, .id = {static_cast<int>(lane)}},
                          Body::adopt(pattern(rank.rank(), to, i, static_cast<std::size_t>(i))));
    for (const Lane lane : {Lane::user, Lane::load, Lane::bulk}) {  // not in the order of sending
      std::map<int, int> next;
      for (int i = 0; i < count * rank.size(); ++i) {
        const Message m = receive(rank, lane);
        EXPECT_EQ(m.lane, lane);
        EXPECT_EQ(m.header.id[0], static_cast<int>(lane));
        EXPECT_EQ(m.header.kind, next[m.source]);
        EXPECT_TRUE(holds_pattern(m, rank.rank(), m.header.kind, static_cast<std::size_t>(m.header.kind)));
        ++next[m.source];
      }
      for (const auto& [source, n] : next) EXPECT_EQ(n, count) << "from " << source;
    }
  });
}

TEST(Messages, MayBeEmptyAndGoToOneself) {
  on_each_team([](Rank& rank) {
    rank.start_send(Lane::user, rank.rank(), {.kind = 7, .sequence = 3, .id = {1, 2, 3, 4, 5, -6}}, {});
    const Message m = receive(rank, Lane::user, rank.rank());
    EXPECT_EQ(m.source, rank.rank());
    EXPECT_EQ(m.header.kind, 7);
    EXPECT_EQ(m.header.sequence, 3u);
    EXPECT_EQ(m.header.id, (std::array<std::int64_t, 6>{1, 2, 3, 4, 5, -6}));
    EXPECT_EQ(m.body.size(), 0u);
    EXPECT_FALSE(m.body.is_phantom());
  });
}

TEST(Messages, ArePickedBySource) {
  on_each_team([](Rank& rank) {
    for (int to = 0; to < rank.size(); ++to) rank.start_send(Lane::user, to, {.kind = rank.rank()}, {});
    for (int from = rank.size() - 1; from >= 0; --from) {
      const Message m = receive(rank, Lane::user, from);
      EXPECT_EQ(m.source, from);
      EXPECT_EQ(m.header.kind, from);
    }
  });
}

TEST(Messages, ThousandsBothWaysAtOnce) {
  on_each_team([](Rank& rank) {
    // The simulator takes longer with the square of what is under way between all ranks.
    const int count = rank.capabilities().virtual_time ? 2000 / rank.size() : 2000;
    const int to = right_of(rank), from = left_of(rank);
    for (int i = 0; i < count; ++i)
      rank.start_send(Lane::bulk, to, {.kind = i}, Body::adopt(pattern(rank.rank(), to, i, 16)));
    for (int i = 0; i < count; ++i) {
      const Message m = receive(rank, Lane::bulk, from);
      EXPECT_EQ(m.header.kind, i);
      EXPECT_TRUE(holds_pattern(m, rank.rank(), i, 16));
    }
  });
}

// 1000 bytes stand for the 1 GiB at which engines split transfers, and a head of 256 for 256 KiB.
TEST(Messages, AreWholeAroundTheSizesWhereEnginesSplitThem) {
  on_each_team({.split_bytes = 1000, .head_bytes = 256}, [](Rank& rank) {
    const std::array<std::size_t, 12> lengths{0, 1, 31, 32, 33, 124, 125, 126, 250, 251, 1000, 100000};
    const int to = right_of(rank);
    for (std::size_t i = 0; i < lengths.size(); ++i)
      rank.start_send(Lane::bulk, to, {.kind = static_cast<int>(i)},
                      Body::adopt(pattern(rank.rank(), to, static_cast<std::int64_t>(i), lengths[i])));
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const Message m = receive(rank, Lane::bulk, left_of(rank));
      EXPECT_EQ(m.header.kind, static_cast<int>(i));
      EXPECT_TRUE(holds_pattern(m, rank.rank(), static_cast<std::int64_t>(i), lengths[i])) << lengths[i];
    }
  });
}

TEST(Messages, ProbeTellsWhatAReceiveThenGets) {
  on_each_team([](Rank& rank) {
    const int to = right_of(rank);
    EXPECT_FALSE(rank.probe(Lane::user, to).has_value() && rank.size() == 1);
    rank.start_send(Lane::user, to, {.kind = 5}, Body::adopt(pattern(rank.rank(), to, 0, 9)));
    const Woken woken = rank.wait_any({}, {Lane::load, Lane::user});
    EXPECT_EQ(woken.by, Woken::By::probe);
    EXPECT_EQ(woken.lane, Lane::user);
    EXPECT_EQ(rank.probe(Lane::user), left_of(rank));
    EXPECT_EQ(rank.probe(Lane::user, left_of(rank)), left_of(rank));  // it is still there
    const Message m = receive(rank, Lane::user, left_of(rank));
    EXPECT_EQ(m.header.kind, 5);
    EXPECT_TRUE(holds_pattern(m, rank.rank(), 0, 9));
    EXPECT_FALSE(rank.probe(Lane::user).has_value());
  });
}

TEST(Messages, GoToPostedReceivesInTheOrderOfPosting) {
  on_each_team([](Rank& rank) {
    constexpr int count = 20;
    std::vector<Recv> posted;
    for (int i = 0; i < count; ++i) posted.push_back(rank.post_receive(Lane::bulk));
    const int to = right_of(rank);
    for (int i = 0; i < count; ++i) rank.start_send(Lane::bulk, to, {.kind = i}, {});
    for (int i = 0; i < count; ++i) {
      wait(rank, posted[static_cast<std::size_t>(i)]);
      EXPECT_EQ(posted[static_cast<std::size_t>(i)].take().header.kind, i);
    }
  });
}

TEST(Messages, ACancelledReceiveTakesNothing) {
  on_each_team([](Rank& rank) {
    Recv cancelled = rank.post_receive(Lane::user);
    rank.cancel(cancelled);
    EXPECT_FALSE(static_cast<bool>(cancelled));
    { const Recv dropped = rank.post_receive(Lane::user); }
    collective::barrier(rank);  // nobody sends before all have cancelled
    rank.start_send(Lane::user, right_of(rank), {.kind = 4}, {});
    EXPECT_EQ(receive(rank, Lane::user).header.kind, 4);
  });
}

TEST(Messages, AReceiveThatWasServedCannotBeCancelled) {
  on_each_team([](Rank& rank) {
    Recv posted = rank.post_receive(Lane::user);
    rank.start_send(Lane::user, rank.rank(), {.kind = 6}, {});
    wait(rank, posted);
    rank.cancel(posted);
    EXPECT_TRUE(static_cast<bool>(posted) && !posted.pending());
    if (posted) {
      EXPECT_EQ(posted.take().header.kind, 6);
    }
    EXPECT_THROW(posted.take(), Error);  // and is empty afterwards
  });
}

TEST(Messages, WaitAnySaysWhichRequestIsDone) {
  on_each_team([](Rank& rank) {
    Recv never = rank.post_receive(Lane::load);
    Recv mine = rank.post_receive(Lane::user);
    Recv empty;
    const std::array<Request*, 4> requests{&never, nullptr, &empty, &mine};
    rank.start_send(Lane::user, right_of(rank), {}, {});
    const Woken woken = rank.wait_any(requests);
    EXPECT_EQ(woken.by, Woken::By::request);
    EXPECT_EQ(woken.index, 3u);
    EXPECT_TRUE(never.pending());
    const std::array<Request*, 2> nothing{nullptr, &empty};
    EXPECT_THROW(rank.wait_any(nothing), Error);
  });
}

TEST(Messages, MoveWhileOneThatIsThereIsWaitedForAgain) {
  on_each_team({.eager_bytes = 0}, [](Rank& rank) {
    Recv here = rank.post_receive(Lane::user);
    rank.start_send(Lane::user, rank.rank(), {}, {});
    Recv coming = rank.post_receive(Lane::bulk);
    Send send = rank.start_send(Lane::bulk, right_of(rank), {}, Body::adopt(std::vector<double>(1000, 1.0)));
    while (coming.pending() || send.pending()) wait(rank, here);
    EXPECT_EQ(coming.take().source, left_of(rank));
  });
}

TEST(Messages, TestSeesASendAndItsReceiveComplete) {
  on_each_team([](Rank& rank) {
    Recv posted = rank.post_receive(Lane::user);
    Send send = rank.start_send(Lane::user, right_of(rank), {}, Body::adopt(std::vector<double>(1000, 1.0)));
    const std::array<Request*, 1> receive{&posted}, sent{&send};
    rank.wait_any(receive);
    EXPECT_TRUE(rank.test(posted));
    rank.wait_any(sent);
    EXPECT_TRUE(rank.test(send));
  });
}

TEST(Messages, OneBodyMayGoToManyAndIsUnchanged) {
  on_each_team([](Rank& rank) {
    const Body body = Body::adopt(pattern(rank.rank(), 0, 3, 1000));
    for (int to = 0; to < rank.size(); ++to) rank.start_send(Lane::bulk, to, {}, body);
    for (int i = 0; i < rank.size(); ++i) EXPECT_TRUE(holds_pattern(receive(rank, Lane::bulk), 0, 3, 1000));
    EXPECT_TRUE(holds_pattern(Message{{}, body, rank.rank(), Lane::bulk}, 0, 3, 1000));
  });
}

TEST(Messages, PhantomBodiesHaveASizeAndNoStorage) {
  on_each_team([](Rank& rank) {
    rank.start_send(Lane::bulk, right_of(rank), {.kind = 1}, Body::phantom(1 << 20));
    const Message m = receive(rank, Lane::bulk, left_of(rank));
    EXPECT_TRUE(m.body.is_phantom());
    EXPECT_EQ(m.body.size(), std::size_t{1} << 20);
  });
}

TEST(Messages, ProgressHooksRunInPollAndWhileWaiting) {
  on_each_team([](Rank& rank) {
    int calls = 0;
    auto token = rank.on_progress([&] { ++calls; });
    rank.poll();
    EXPECT_EQ(calls, 1);
    rank.start_send(Lane::user, rank.rank(), {}, {});
    receive(rank, Lane::user);
    const int before = calls;
    EXPECT_GE(before, 2);
    token.reset();
    rank.poll();
    EXPECT_EQ(calls, before);
  });
}

// Hooks are of the whole team: whoever polls on it, or on a part, lets all of them move bytes.
TEST(Messages, HooksOfAPartRunInPollsOfTheTeamAndBack) {
  on_each_team([](Rank& rank) {
    const auto part = rank.split(rank.rank() % 2, 0);
    int of_part = 0, of_team = 0;
    const auto one = part->on_progress([&] { ++of_part; });
    const auto other = rank.on_progress([&] { ++of_team; });
    rank.poll();
    part->poll();
    EXPECT_EQ(of_part, 2);
    EXPECT_EQ(of_team, 2);
  });
}

TEST(Messages, SplitFormsSmallerTeams) {
  on_each_team([](Rank& rank) {
    // odd and even ranks, each in descending order
    const auto part = rank.split(rank.rank() % 2, -rank.rank());
    const int count = (rank.size() + 1 - rank.rank() % 2) / 2;
    EXPECT_EQ(part->size(), count);
    EXPECT_EQ(part->rank(), count - 1 - rank.rank() / 2);
    int sum = rank.rank();
    sum = collective::all_reduce(*part, sum, std::plus<>());
    int expected = 0;
    for (int r = rank.rank() % 2; r < rank.size(); r += 2) expected += r;
    EXPECT_EQ(sum, expected);
    // the same lane of the whole team and of its parts do not mix
    rank.start_send(Lane::user, right_of(rank), {.kind = 1}, {});
    part->start_send(Lane::user, right_of(*part), {.kind = 2}, {});
    EXPECT_EQ(receive(*part, Lane::user).header.kind, 2);
    EXPECT_EQ(receive(rank, Lane::user).header.kind, 1);
  });
}

TEST(Messages, AReceiveIsTakenOnceAndWhenItIsDone) {
  on_each_team([](Rank& rank) {
    EXPECT_THROW(Recv().take(), Error);
    Recv posted = rank.post_receive(Lane::user);
    EXPECT_THROW(posted.take(), Error);
    rank.start_send(Lane::user, rank.rank(), {.kind = 4}, {});
    wait(rank, posted);
    EXPECT_EQ(posted.take().header.kind, 4);
    EXPECT_THROW(posted.take(), Error);
    collective::barrier(rank);
  });
}

TEST(Messages, EachRankGivesABodyForEach) {
  on_each_team([](Rank& rank) {
    EXPECT_THROW(collective::all_to_all(rank, {}), Error);
    if (rank.rank() == 0) {
      EXPECT_THROW(collective::scatter(rank, 0, {}), Error);
    }
    collective::barrier(rank);
  });
}

TEST(Messages, RandomTrafficOfAllSizesArrivesOnce) {
  on_each_team({.split_bytes = 5000, .head_bytes = 512}, [](Rank& rank) {
    Random random(static_cast<std::uint64_t>(rank.rank()) + 1);
    std::vector<int> sent(static_cast<std::size_t>(rank.size()));
    for (int i = 0; i < 300; ++i) {
      const int to = static_cast<int>(random.below(static_cast<std::uint64_t>(rank.size())));
      const std::size_t length = random.below(i % 10 == 0 ? 4000 : 100);
      const int number = sent[static_cast<std::size_t>(to)]++;
      rank.start_send(Lane::bulk, to, {.kind = number, .id = {static_cast<std::int64_t>(length)}},
                      Body::adopt(pattern(rank.rank(), to, number, length)));
    }
    // how many messages I have to expect from each
    std::vector<Body> counts;
    for (const int n : sent) counts.push_back(Body::adopt(std::vector<int>{n}));
    for (int root = 0; root < rank.size(); ++root) {
      const Body mine = collective::scatter(rank, root, rank.rank() == root ? counts : std::vector<Body>{});
      for (int i = 0; i < mine.as<int>()[0]; ++i) {
        const Message m = receive(rank, Lane::bulk, root);
        EXPECT_EQ(m.header.kind, i);
        EXPECT_TRUE(holds_pattern(m, rank.rank(), i, static_cast<std::size_t>(m.header.id[0])));
      }
    }
    collective::barrier(rank);
    EXPECT_FALSE(rank.probe(Lane::bulk).has_value());
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
