#include "comm/collective/collective.hpp"
#include "comm/mailbox/inbox.hpp"
#include "comm/mailbox/outbox.hpp"
#include "comm/wrap/checked.hpp"
#include "comm/wrap/counted.hpp"
#include "comm/wrap/traced.hpp"
#include "engine.hpp"
#include "every_call.hpp"

#include <atomic>
#include <map>

namespace overlapack::comm::conformance {
namespace {

TEST(Counted, CountsMessagesBytesAndWaitsByLaneAndKind) {
  on_each_team([](Rank& engine) {
    Counts counts;
    CountedRank rank(engine, counts);
    const int to = right_of(rank);
    rank.start_send(Lane::user, to, {.kind = 1}, Body::phantom(10));
    rank.start_send(Lane::user, to, {.kind = 2}, Body::phantom(30));
    rank.start_send(Lane::bulk, to, {.kind = 1}, Body::phantom(5));
    for (const Lane lane : {Lane::user, Lane::user, Lane::bulk}) receive(rank, lane);
    rank.compute({.kind = "front", .flops = 7}, [] {});
    rank.run_slices({.kind = "gemm", .flops = 3}, 2, [](std::size_t) {});
    EXPECT_EQ(counts.sent.messages, 3);
    EXPECT_EQ(counts.sent.bytes, 45u);
    EXPECT_EQ(counts.sent.largest_bytes, 30u);
    EXPECT_EQ(counts.on(Lane::user).messages, 2);
    EXPECT_EQ(counts.on(Lane::user).bytes, 40u);
    EXPECT_EQ(counts.on(Lane::load).messages, 0);
    EXPECT_EQ(counts.by_kind[1].bytes, 15u);
    EXPECT_EQ(counts.receives_posted, 3);
    EXPECT_EQ(counts.waits, 3);
    EXPECT_EQ(counts.computes, 2);
    EXPECT_EQ(counts.flops, 10);
    const auto part = rank.split(0, 0);  // counts into the same record
    part->start_send(Lane::user, part->rank(), {}, {});
    receive(*part, Lane::user);
    EXPECT_EQ(counts.sent.messages, 4);
    const auto window = rank.make_window(8);
    std::array<std::byte, 8> eight{};
    window->put(to, 0, eight);
    window->flush(to);
    window->get_strided(to, 0, 2, 4, 2, eight.data());
    window->flush(to);
    EXPECT_EQ(counts.put.bytes, 8u);
    EXPECT_EQ(counts.got.bytes, 4u);
    collective::barrier(engine);
  });
}

TEST(Counted, HandsOnEachAccessOfAWindow) {
  on_each_team([](Rank& engine) {
    Counts counts;
    CountedRank rank(engine, counts);
    const auto window = rank.make_window(16);
    const int to = right_of(rank);
    const auto mark = std::byte(rank.rank() + 1), left_mark = std::byte(left_of(rank) + 1);
    const std::array<std::byte, 4> four{mark, mark, mark, mark};
    window->put_strided(to, 0, 2, 4, 2, four.data());
    window->flush(to);
    collective::barrier(engine);
    std::array<std::byte, 8> mine{};
    window->get(rank.rank(), 0, mine);
    window->flush(rank.rank());
    for (std::size_t i = 0; i < mine.size(); ++i) EXPECT_EQ(mine[i], i % 4 < 2 ? left_mark : std::byte(0));
    EXPECT_EQ(counts.put.messages, 1);
    EXPECT_EQ(counts.put.bytes, 4u);
    collective::barrier(engine);
  });
}

/// Even and odd ranks, each part from its last rank down: a ring in each.
TEST(Traced, PartsHaveTheNamesOfTheWholeTeam) {
  on_each_team([](Rank& engine) {
    trace::Recorder recorder(engine.rank());
    TracedRank rank(engine, recorder);
    const int me = rank.rank(), last = rank.size() - 1 - (rank.size() - 1 - me) % 2;
    {
      const auto part = rank.split(me % 2, -me);
      const int size = part->size(), to = (part->rank() + 1) % size, from = (part->rank() + size - 1) % size;
      part->start_send(Lane::bulk, to, {}, Body::phantom(8));
      receive(*part, Lane::bulk);
      std::map<trace::What, trace::Event> events;
      for (const trace::Event& e : recorder.events()) events[e.what] = e;
      EXPECT_EQ(events[trace::What::send].peer, last - 2 * to);
      EXPECT_EQ(events[trace::What::receive].peer, last - 2 * from);
      EXPECT_EQ(events[trace::What::send].stream, events[trace::What::receive].stream);
      EXPECT_NE(events[trace::What::send].stream, static_cast<int>(Lane::bulk));
    }
    // a wait tells the number of the receive that it ended by, unless that was complete before
    recorder.clear();
    rank.start_send(Lane::bulk, right_of(rank), {}, Body::phantom(8));
    receive(rank, Lane::bulk);
    trace::Event arrival;
    for (const trace::Event& e : recorder.events())
      if (e.what == trace::What::receive) arrival = e;
    EXPECT_GT(arrival.number, 0);
    EXPECT_LE(arrival.posted_s, arrival.begin_s);
    for (const trace::Event& e : recorder.events())
      EXPECT_TRUE(e.what != trace::What::wait || e.number == arrival.number || arrival.begin_s <= e.begin_s);
    collective::barrier(engine);
  });
}

TEST(Traced, RecordsAccessesOfWindowsWhereItKeepsEvents) {
  on_each_team([](Rank& engine) {
    trace::Recorder events(engine.rank()), totals(engine.rank(), trace::Recorder::Keep::totals);
    TracedRank rank(engine, events), brief(engine, totals);
    const auto part = rank.split(rank.rank() % 2, -rank.rank());
    const auto window = part->make_window(16);
    events.clear();
    const int to = right_of(*part);
    std::array<std::byte, 8> word{};
    window->put(to, 8, word);
    window->flush(to);
    window->store_words(to, 0, 8, word);
    window->load_words(0, 8, word);
    collective::barrier(engine);

    std::vector<std::pair<std::string_view, std::size_t>> accesses;
    for (const trace::Event& e : events.events()) {
      if (e.what != trace::What::access) continue;
      accesses.emplace_back(e.kind, e.bytes);
      const int last = rank.size() - 1 - (rank.size() - 1 - rank.rank()) % 2;
      EXPECT_EQ(e.peer, e.kind == "load" ? -1 : last - 2 * to);
      EXPECT_LE(e.begin_s, e.end_s);
    }
    EXPECT_EQ(accesses, (std::vector<std::pair<std::string_view, std::size_t>>{
                            {"put", 8}, {"flush", 0}, {"store", 8}, {"load", 8}}));

    const auto brief_window = brief.make_window(8);
    brief_window->put(right_of(brief), 0, word);
    brief_window->flush(right_of(brief));
    EXPECT_EQ(totals.totals()[trace::What::access], 0);
    collective::barrier(engine);
  });
}

TEST(Traced, RecordsEachSendEachReceiveAndEachWork) {
  const auto records_all = [](Rank& engine) {
    trace::Recorder recorder(engine.rank());
    TracedRank rank(engine, recorder);
    constexpr int count = 20;
    {
      Inbox inbox(rank, Lane::bulk, {.posted = 3});  // takes arrivals in hooks, inside waits
      Outbox outbox(rank, Lane::bulk, {.inbox = &inbox});
      // A full outbox waits with the inbox held: where sends wait for their receives, somebody has to post new ones.
      for (int i = 0; i < count; ++i)
        outbox.send(right_of(rank), {.kind = i}, Body::phantom(8), [&] { rank.poll(); });
      for (int i = 0; i < count; ++i) EXPECT_EQ(inbox.wait().header.kind, i);
      inbox.close();
    }
    rank.compute({.kind = "front", .flops = 5}, [&] {
      rank.run_slices({.kind = "gemm", .flops = 3}, 2, [](std::size_t) {});  // part of the front's event
    });
    rank.compute({.kind = "pack"}, [] {});
    engine.start_send(Lane::user, engine.rank(), {}, {});
    Recv unrecorded = engine.post_receive(Lane::user);
    wait(rank, unrecorded);
    collective::barrier(engine);

    std::map<trace::What, int> events;
    for (const trace::Event& e : recorder.events()) {
      EXPECT_LE(e.begin_s, e.end_s);
      if (rank.size() > 1 && e.kind == "slices of others")
        continue;  // taken while waiting, or not: as it falls
      ++events[e.what];
      if (e.what == trace::What::send || e.what == trace::What::receive) {
        EXPECT_EQ(e.bytes, 8u);
        EXPECT_EQ(e.stream, static_cast<int>(Lane::bulk));
        EXPECT_EQ(e.peer, e.what == trace::What::send ? right_of(rank) : left_of(rank));
        EXPECT_EQ(e.kind, "bulk");
      }
      if (e.what == trace::What::compute) {
        EXPECT_EQ(e.kind, "front");
      }
    }
    EXPECT_EQ(events[trace::What::send], count);
    EXPECT_EQ(events[trace::What::receive], count);
    EXPECT_EQ(events[trace::What::compute], 1);
    EXPECT_EQ(events[trace::What::pack], 1);
    EXPECT_EQ(recorder.totals().flops, 5);
  };
  on_each_team(records_all);
  on_each_team({.eager_bytes = 0}, records_all);  // sends that wait for their receives
}

TEST(Checked, DelaysAndReordersWhatTheContractLeavesOpenAndNothingElse) {
  std::atomic<std::int64_t> outrun = 0;  // a few in all
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    on_each_team([&](Rank& engine) {
      CheckedRank checked(engine, {.seed = seed});
      Rank& rank = checked;
      const int count = rank.capabilities().virtual_time ? 20 : 100;  // see ThousandsBothWaysAtOnce
      for (int i = 0; i < count; ++i)
        for (int to = 0; to < rank.size(); ++to)
          rank.start_send(i % 2 ? Lane::user : Lane::bulk, to, {.kind = i},
                          Body::adopt(pattern(rank.rank(), to, i, 5)));
      for (const Lane lane : {Lane::user, Lane::bulk}) {
        std::map<int, int> next;
        std::vector<Recv> posted;
        for (int i = 0; i < rank.size() * count / 2; ++i) {
          while (posted.size() < 3) posted.push_back(rank.post_receive(lane));
          for (int slice = 0; slice < 2; ++slice) {  // messages arrive meanwhile, in simulated time too
            rank.compute({.kind = "front", .flops = 1e5}, [] {});
            rank.poll();
          }
          wait(rank, posted.front());  // in the order of posting
          const Message m = posted.front().take();
          posted.erase(posted.begin());
          EXPECT_EQ(m.header.kind, 2 * next[m.source]++ + (lane == Lane::user));
          EXPECT_TRUE(holds_pattern(m, rank.rank(), m.header.kind, 5));
        }
      }
      EXPECT_GT(checked.delayed(), 0);
      outrun += collective::all_reduce(rank, checked.outrun(), std::plus<>());
      if (rank.size() > 2) {
        EXPECT_GT(checked.overtaken(), 0);
      }
      collective::barrier(rank);
    });
  EXPECT_GT(outrun, 0);
}

/// Something of everything that is built on the contract; used up to the last message.
void mixed_work(Rank& rank) {
  Inbox inbox(rank, Lane::bulk, {.posted = 2});
  Outbox outbox(rank, Lane::bulk, {.inbox = &inbox});
  for (int i = 0; i < 5; ++i)
    outbox.send(right_of(rank), {.kind = i}, Body::adopt(pattern(rank.rank(), right_of(rank), i, 20)), [] {});
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(holds_pattern(inbox.wait(), rank.rank(), i, 20));
  outbox.drain([] {});
  inbox.close();
  rank.run_slices({.kind = "gemm"}, 4, [](std::size_t) {});
  rank.compute({.kind = "front"}, [] {});
  const auto window = rank.make_window(8);
  window->signal(right_of(rank));
  Request signalled = window->expect_signals(left_of(rank), 1);
  wait(rank, signalled);
  window->put_signal(right_of(rank), 0, {});
  Request put_too = window->expect_signals(left_of(rank), 2);
  wait(rank, put_too);
  EXPECT_EQ(collective::all_reduce(rank, 1, std::plus<>()), rank.size());
  const auto part = rank.split(rank.rank() % 2, 0);
  collective::barrier(*part);
  collective::barrier(rank);
}

TEST(Checked, EverythingBuiltOnTheContractWorksThroughIt) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    on_each_team([&](Rank& engine) {
      CheckedRank rank(engine, {.seed = seed});
      mixed_work(rank);
    });
}

TEST(Checked, AFaultAtEveryCallReachesEveryCaller) { fault_at_every_call(20, mixed_work); }

TEST(Checked, SeesMisuse) {
  each_team({}, [](Team& team) {
    const auto misuse = [&](auto&& act) {
      try {
        team.run([&](Rank& engine) {
          CheckedRank rank(engine, {});
          act(rank);
        });
        return std::string("nothing");
      } catch (const Error& e) {
        return std::string(e.what());
      }
    };
    EXPECT_EQ(misuse([](Rank& r) { r.start_send(Lane::control, 0, {}, {}); }),
              "the control lane belongs to the engine");
    EXPECT_EQ(misuse([](Rank& r) { r.post_receive(Lane::control); }),
              "the control lane belongs to the engine");
    EXPECT_EQ(misuse([](Rank& r) { r.start_send(Lane::user, r.size(), {}, {}); }),
              "rank " + std::to_string(team.size()) + " does not exist");
    EXPECT_EQ(misuse([](Rank& r) { r.wait_any({}); }), "a wait without requests or probes would never end");
    EXPECT_EQ(misuse([](Rank& r) {
                auto bytes = std::make_shared<std::vector<char>>(1 << 20);  // too many to leave at once
                r.start_send(Lane::user, r.rank(), {}, Body(bytes, bytes->data(), bytes->size()));
                (*bytes)[3] = 1;
                receive(r, Lane::user);
              }),
              "a body was changed after it had been sent");
    EXPECT_EQ(misuse([](Rank& r) {  // not: it has come, and is not held any more
                auto bytes = std::make_shared<std::vector<char>>(10);
                for (char time = 0; time < 3; ++time) {
                  (*bytes)[3] = time;
                  Send send =
                      r.start_send(Lane::user, r.rank(), {}, Body(bytes, bytes->data(), bytes->size()));
                  EXPECT_EQ(receive(r, Lane::user).body.as<char>()[3], time);
                  wait(r, send);
                }
                collective::barrier(r);
              }),
              "nothing");
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
