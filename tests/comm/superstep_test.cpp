#include "comm/collective/collective.hpp"
#include "comm/receive.hpp"
#include "comm/superstep/world.hpp"
#include "comm/wrap/checked.hpp"
#include "comm/wrap/counted.hpp"
#include "engine.hpp"
#include "superstep_twin.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

// BSPlib's semantics, on every engine: random supersteps against a sequential twin, what each call costs, and that misuse is
// one sentence on all ranks.
namespace overlapack::comm::superstep::testing {
namespace {

using conformance::each_team;
using conformance::on_each_team;

template <class T>
std::span<const std::byte> bytes_of(const T& values) {
  return std::as_bytes(std::span(values));
}
template <class T>
std::span<std::byte> room_of(T& values) {
  return std::as_writable_bytes(std::span(values));
}

/// One process of a random program.
class Player {
 public:
  Player(Rank& rank, const WorldPlan& plan) : world_(rank, plan) {
    for (std::size_t area = 0; area < areas; ++area)
      memory_.push_back(first_bytes(area, world_.process(), world_.processes()));
    slots_.resize(1);
    for (std::size_t area = 1; area < areas; ++area) slots_.push_back(world_.push_reg(memory_[area]));
    world_.sync();
  }

  void run(const Step& step) {
    age(memory_);
    for (const Action& a : step.actions)
      if (a.process == world_.process()) say(a, step.tag_bytes);
    world_.set_tagsize(step.next_tag_bytes);
    if (step.sync == SyncBy::known && step.actions.size() % 2 == 0)
      return world_.sync_known(step.senders_to(world_.process()));
    if (step.sync == SyncBy::known) {
      world_.start_sync_known(step.senders_to(world_.process()));
      for (int polls = 0; polls < 3 && !world_.is_ready(); ++polls) world_.rank().poll();
      return world_.finish_sync();
    }
    if (step.sync == SyncBy::whole) return world_.sync();
    world_.start_sync();
    world_.rank().poll();
    world_.finish_sync();
  }

  void expect_as(const Twin& twin) {
    const int me = world_.process();
    EXPECT_EQ(memory_, twin.memory(me)) << "process " << me << ", superstep " << world_.superstep();
    EXPECT_EQ(world_.queue_size().messages, std::ssize(twin.queue(me)));
    std::size_t bytes = 0;
    for (const TwinMessage& expected : twin.queue(me)) bytes += expected.payload.size();
    std::size_t left = world_.queue_size().messages / 2;  // the others are dropped by the next sync
    for (const TwinMessage& expected : twin.queue(me)) {
      EXPECT_EQ(world_.queue_size().bytes, bytes);
      if (left-- == 0 || world_.front() == nullptr) break;
      const MessageView got = world_.hpmove();
      bytes -= got.payload.size();
      EXPECT_TRUE(std::ranges::equal(got.tag, expected.tag));
      EXPECT_TRUE(std::ranges::equal(got.payload, expected.payload));
    }
  }

  World& world() { return world_; }

 private:
  void say(const Action& a, std::size_t tag_bytes) {
    const std::span<std::byte> own = std::span(memory_[0]).subspan(a.own);
    switch (a.what) {
      case Action::What::put:
        return world_.put(a.peer, own.first(a.bytes), slots_[a.area], a.offset);
      case Action::What::hpput:
        return world_.hpput(a.peer, own.first(a.bytes), slots_[a.area], a.offset);
      case Action::What::get:
        return world_.get(a.peer, slots_[a.area], a.offset, own.first(a.bytes));
      case Action::What::hpget:
        return world_.hpget(a.peer, slots_[a.area], a.offset, own.first(a.bytes));
      case Action::What::send:
        return world_.send(a.peer, tag_of(a, tag_bytes), own.first(a.bytes));
      case Action::What::hpsend:
        return world_.hpsend(a.peer, tag_of(a, tag_bytes), own.first(a.bytes));
      case Action::What::scribble:
        return scribble(memory_[0], a);
    }
  }

  World world_;
  std::vector<Bytes> memory_;
  std::vector<Slot> slots_;
};

/// A program of so many random supersteps; returns the sum of what the processes did.
WorldCounters play(Rank& rank, std::uint64_t seed, int steps, const WorldPlan& plan) {
  Player player(rank, plan);
  Twin twin(rank.size());
  Random random(seed);
  std::size_t tag_bytes = 0;
  for (int i = 0; i < steps; ++i) {
    const Step step = random_step(random, rank.size(), tag_bytes);
    player.run(step);
    twin.run(step);
    player.expect_as(twin);
    tag_bytes = step.next_tag_bytes;
  }
  player.world().end();
  collective::barrier(rank);
  EXPECT_EQ(player.world().cost().supersteps, steps + 1);
  return player.world().counters();
}

WorldPlan plan_of(std::uint64_t seed) {
  return {.direct_bytes = seed % 2 == 0 ? 16u : 4096u, .is_checked = seed % 3 == 0};
}

void play_programs(int programs, int steps) {
  on_each_team([&](Rank& rank) {
    for (int seed = 1; seed <= programs; ++seed)
      play(rank, static_cast<std::uint64_t>(seed), steps, plan_of(static_cast<std::uint64_t>(seed)));
  });
}

void play_late(int programs, int steps) {
  on_each_team([&](Rank& engine) {
    CheckedRank rank(engine, {.seed = 5});
    for (int seed = 1; seed <= programs; ++seed)
      play(rank, 1000 + static_cast<std::uint64_t>(seed), steps, plan_of(static_cast<std::uint64_t>(seed)));
    collective::barrier(rank);
  });
}

TEST(Superstep, RandomProgramsAreThoseOfTheTwin) { play_programs(20, 15); }
TEST(Superstep, LateAndReorderedMessagesChangeNothing) { play_late(8, 10); }
TEST(Superstep, DISABLED_TenThousandRandomSupersteps) {
  play_programs(400, 25);
  play_late(200, 20);
}

TEST(SuperstepStress, EachPathRuns) {
  on_each_team([](Rank& rank) {
    if (rank.size() < 3) return;
    WorldCounters sum;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const WorldCounters mine = play(rank, seed, 15, {.direct_bytes = 16});
      const std::int64_t counts[] = {mine.known_syncs, mine.split_syncs, mine.combined,
                                     mine.early,       mine.direct,      mine.copied_bytes};
      std::int64_t* const to[] = {&sum.known_syncs, &sum.split_syncs, &sum.combined,
                                  &sum.early,       &sum.direct,      &sum.copied_bytes};
      for (std::size_t i = 0; i < std::size(to); ++i)
        *to[i] += collective::all_reduce(rank, counts[i], std::plus<>());
    }
    EXPECT_GT(sum.known_syncs, 0);
    EXPECT_GT(sum.split_syncs, 0);
    EXPECT_GT(sum.combined, 0);
    EXPECT_GT(sum.early, 0);
    EXPECT_GT(sum.direct, 0);  // to oneself, where memory is not shared
    EXPECT_GT(sum.copied_bytes, 0);
  });
}

// Paper 4: a thousand puts to one process are one message, and a sync costs ceil(log2 p) rounds beside.
TEST(Superstep, PutsToAProcessAreOneMessage) {
  on_each_team([](Rank& engine) {
    Counts counts;
    CountedRank rank(engine, counts);
    World world(rank);
    std::vector<std::int64_t> here(1000, -1);
    const Slot slot = world.push_reg(room_of(here));
    world.sync();
    const std::int64_t before = counts.sent.messages, p = world.processes();
    const int next = (world.process() + 1) % world.processes();
    for (std::int64_t i = 0; i < 1000; ++i) {
      std::int64_t value = i * 3 + world.process();
      world.put(next, std::as_bytes(std::span(&value, 1)), slot, static_cast<std::size_t>(i) * 8);
      value = -1;  // was read at the call
    }
    EXPECT_EQ(here[7], -1);
    world.sync();
    EXPECT_EQ(here[999], 999 * 3 + (world.process() + p - 1) % p);
    const auto rounds = static_cast<std::int64_t>(std::ceil(std::log2(static_cast<double>(p))));
    EXPECT_EQ(counts.sent.messages - before, rounds + (p > 1 ? 1 : 0));
    world.end();
    EXPECT_EQ(world.cost().words, p > 1 ? 1000 : 0);
    collective::barrier(rank);
  });
}

// BSPlib's order within a sync: gets are read, then written, then puts.
TEST(Superstep, APutStandsWhereAGetIsWrittenToo) {
  on_each_team([](Rank& rank) {
    World world(rank);
    const int p = world.processes(), me = world.process(), next = (me + 1) % p;
    std::vector<std::int64_t> area{-1, 100 + me};
    const Slot slot = world.push_reg(room_of(area));
    world.sync();
    const std::int64_t put = 200 + me;
    world.put(next, std::as_bytes(std::span(&put, 1)), slot, 0);
    world.put(next, std::as_bytes(std::span(&put, 1)), slot, 8);  // after it was got
    std::int64_t got = 0;
    world.get(next, slot, 8, room_of(area).first(8));
    world.get(next, slot, 8, std::as_writable_bytes(std::span(&got, 1)));
    world.sync();
    EXPECT_EQ(area[0], 200 + (me + p - 1) % p);
    EXPECT_EQ(area[1], 200 + (me + p - 1) % p);
    EXPECT_EQ(got, 100 + next);
    world.end();
    collective::barrier(rank);
  });
}

// h is the most that one process sends or receives; gets cost two words more, messages their tag and one.
TEST(Superstep, CountsTheHRelation) {
  on_each_team([](Rank& rank) {
    World world(rank);
    std::vector<double> all(static_cast<std::size_t>(rank.size()) * 10), mine(10, 1.0);
    const Slot slot = world.push_reg(room_of(all));
    world.sync();
    const std::int64_t p = rank.size();
    world.put(0, bytes_of(mine), slot, static_cast<std::size_t>(rank.rank()) * 80);  // all to one
    world.sync();
    std::vector<double> got(10);
    if (rank.rank() == 0 && p > 1) world.get(1, slot, 0, room_of(got));
    world.get(rank.rank(), slot, 0, room_of(all));  // one's own cost none
    world.sync();
    if (rank.rank() != 0) world.get(0, slot, 0, {});  // p - 1 requests come to process 0
    world.sync();
    world.send(static_cast<int>((rank.rank() + 1) % p), {}, bytes_of(mine));
    world.sync();
    world.end();
    EXPECT_EQ(world.cost().words, p == 1 ? 0 : 10 * (p - 1) + 10 + 2 * (p - 1) + 11);
    EXPECT_EQ(world.cost().supersteps, 5);
    EXPECT_EQ(world.cost().messages, p == 1 ? 0 : p - 1 + 1 + p - 1 + 1);
    if (rank.rank() == 0) {
      EXPECT_EQ(std::accumulate(all.begin(), all.end(), 0.0), 10.0 * static_cast<double>(p));
    }
    collective::barrier(rank);
  });
}

// Both kinds of sync in halves say when there is nothing to wait for.
TEST(Superstep, ReadyWhenAllThatIsWaitedForIsHere) {
  on_each_team([](Rank& rank) {
    World world(rank);
    const int p = world.processes(), before = (world.process() + p - 1) % p;
    for (const bool known : {false, true}) {
      const std::int64_t value = 5;
      world.send((world.process() + 1) % p, {}, std::as_bytes(std::span(&value, 1)));
      if (!known) world.start_sync();
      // what a process has for itself is here, whether or not it names itself
      if (known)
        world.start_sync_known(p == 1 ? std::vector<int>{} : std::vector<int>{world.process(), before});
      while (!world.is_ready()) rank.poll();
      world.finish_sync();
      EXPECT_EQ(world.queue_size().messages, 1);
      world.start_sync_known({});
      EXPECT_TRUE(world.is_ready());
      world.finish_sync();
    }
    EXPECT_EQ(world.counters().combined, 0);  // each message had one record
    world.end();
    collective::barrier(rank);
  });
}

TEST(Superstep, NotReadyBeforeTheSenderThatIsNamed) {
  on_each_team([](Rank& rank) {
    if (rank.size() < 2) return;
    World world(rank);
    if (rank.rank() == 0) {
      world.start_sync_known({1});
      EXPECT_FALSE(world.is_ready());
      rank.start_send(Lane::user, 1, {}, {});
      world.finish_sync();
    } else {
      if (rank.rank() == 1) {
        receive(rank, Lane::user, 0);
        world.send(0, {}, {});
      }
      world.sync_known({});
    }
    world.end();
    collective::barrier(rank);
  });
}

// As BSPlib allows, so that a program that counts on an order can be seen.
TEST(Superstep, ASeedPutsTheQueueInAnotherOrder) {
  on_each_team([](Rank& rank) {
    World world(rank, {.queue_seed = 1});
    std::vector<std::size_t> order(20), sorted(order.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    for (const std::size_t bytes : sorted) world.send(rank.rank(), {}, std::vector<std::byte>(bytes));
    world.sync();
    for (std::size_t& bytes : order) bytes = world.hpmove().payload.size();
    EXPECT_NE(order, sorted);
    EXPECT_TRUE(std::ranges::is_permutation(order, sorted));
    world.end();
    collective::barrier(rank);
  });
}

TEST(Superstep, RegistrationsComeAndGo) {
  on_each_team([](Rank& rank) {
    World world(rank);
    std::int64_t one = 1, two = 2, value = 7;
    const auto word = [](std::int64_t& x) { return std::as_writable_bytes(std::span(&x, 1)); };
    const Slot first = world.push_reg(word(one));
    EXPECT_THROW(world.put(0, word(value), first, 0), Error);  // from the next sync on
    world.sync();
    const Slot second = world.push_reg(word(two)), again = world.push_reg(word(one));
    EXPECT_EQ(world.slot_of(&one).number, first.number);
    world.pop_reg(first);
    world.put(world.process(), word(value), first, 0);  // until the next sync
    world.sync();
    EXPECT_EQ(one, 7);
    EXPECT_EQ(world.slot_of(&one).number, again.number);
    EXPECT_EQ(world.slot_of(&value).number, -1);
    EXPECT_THROW(world.put(0, word(value), first, 0), Error);
    EXPECT_THROW(world.pop_reg(first), Error);
    world.put(world.process(), word(value), second, 0);
    world.sync();
    EXPECT_EQ(two, 7);
    world.end();
    collective::barrier(rank);
  });
}

TEST(Superstep, AWorldOfSomeRanksInAnyOrder) {
  on_each_team([](Rank& rank) {
    if (rank.size() < 3) return;
    if (rank.rank() == 0 || rank.rank() == 2) {
      World world(rank, {}, {2, 0});
      EXPECT_EQ(world.process(), rank.rank() == 2 ? 0 : 1);
      std::int64_t here = 0, mine = 10 + world.process();
      const Slot slot = world.push_reg(std::as_writable_bytes(std::span(&here, 1)));
      world.sync();
      world.put(1 - world.process(), std::as_bytes(std::span(&mine, 1)), slot, 0);
      world.sync();
      EXPECT_EQ(here, 11 - world.process());
      world.end();
    }
    collective::barrier(rank);
  });
}

/// The error of a program on a team; every rank must come out of it.
template <class F>
Error error_of(Team& team, bool is_checked, F&& program) {
  try {
    team.run([&](Rank& rank) {
      World world(rank, {.is_checked = is_checked});
      program(world);
    });
  } catch (const Error& e) {
    return e;
  }
  return Error(Status::not_converged, "nothing was thrown");
}

TEST(Superstep, MisuseIsASentenceOnAllRanks) {
  std::vector<std::int64_t> values(10);
  const std::vector<std::int64_t> words(10);
  struct Case {
    std::string says;
    std::function<void(World&)> program;
    bool is_checked = true;
  };
  const auto with_slot = [&](const std::function<void(World&, Slot)>& use) {
    return [use](World& world) {
      std::vector<std::int64_t> memory(10);
      const Slot slot = world.push_reg(room_of(memory));
      world.sync();
      use(world, slot);
      world.sync();
      world.end();
    };
  };
  const Case cases[] = {
      {"process 1, superstep 0: slot 3 is not registered",
       [&](World& w) {
         if (w.process() == 1) w.put(0, bytes_of(words), {3}, 0);
         w.sync();
       }},
      {"process 0, superstep 1: process 1 puts 80 bytes at offset 8 of slot 0, which has 80 here",
       with_slot([&](World& w, Slot slot) {
         if (w.process() == 1) w.put(0, bytes_of(words), slot, 8);
       })},
      {"process 1, superstep 1: process 0 gets 8 bytes at offset 18446744073709551608 of slot 0",
       with_slot([&](World& w, Slot slot) {
         if (w.process() == 0) w.get(1, slot, std::size_t(-8), room_of(values).first(8));
       })},
      {"superstep 1: process 1 ends the world while process 0 synchronises",
       [&](World& w) {
         w.sync();
         if (w.process() != 1) w.sync();
         w.end();
       }},
      {"process 0 synchronises in superstep 0, process 1 in superstep 1; call sync_known on all or on none",
       [&](World& w) {
         if (w.process() == 0) return w.sync();
         w.sync_known({});
         w.sync();
       },
       false},
      {"superstep 0: process 0 registers slot 0 in a call that process 1 does not make",
       [&](World& w) {
         if (w.process() == 0) w.push_reg({});
         w.sync();
       }},
      {"superstep 1: process 1 pops slot 0 in a call that process 0 does not make",
       with_slot([&](World& w, Slot slot) {
         if (w.process() == 1) w.pop_reg(slot);
       })},
      {"superstep 1: process 0 pops slot 0 where process 1 registers slot 1; call push_reg and pop_reg in "
       "the "
       "same order on all",
       with_slot([&](World& w, Slot slot) {
         if (w.process() == 1) w.push_reg({});
         w.pop_reg(slot);
         if (w.process() != 1) w.push_reg({});
       })},
      {"process 0 and process 1 have registered areas differently before a sync_known",
       [&](World& w) {
         if (w.process() == 0) w.push_reg({});
         w.sync_known({});
         w.sync();
       },
       false},
      {"process 1, superstep 1: slot 0 is popped, but was not registered, or was popped before",
       with_slot([&](World& w, Slot slot) {
         if (w.process() == 1) w.pop_reg(slot);
         if (w.process() == 1) w.pop_reg(slot);
       })},
      {"process 1, superstep 0: slot 0 is not registered; push_reg holds from the next sync on",
       [&](World& w) {
         w.push_reg(room_of(values));
         if (w.process() == 1) w.put(0, bytes_of(words), w.area_at(values.data()), 0);
         w.sync();
       }},
      {"process 1, superstep 1: an area is named that begins at", with_slot([&](World& w, Slot) {
         if (w.process() == 1) w.area_at(values.data());
       })},
      {"process 1, superstep 1: an area is popped that begins at", with_slot([&](World& w, Slot) {
         if (w.process() == 1) w.pop_area(values.data());
       })},
      {"superstep 1: all processes pop a null pointer, but no area is registered by a null pointer on all",
       with_slot([&](World& w, Slot) { w.pop_area(nullptr); })},
      {"process 1, superstep 1: it pops a null pointer where others pop slot 0, which it has not registered",
       with_slot([&](World& w, Slot slot) {
         if (w.process() == 1)
           w.pop_area(nullptr);
         else
           w.pop_reg(slot);
       })},
      {"sync_known agrees on no pop of a null pointer; call sync",
       [&](World& w) {
         w.pop_area(nullptr);
         w.sync_known({});
       }},
      {"process 0 calls set_tagsize 0 times, process 1 1 times",
       [&](World& w) {
         if (w.process() == 1) w.set_tagsize(0);
         w.sync();
       }},
      {"process 0 sets tags of 0 bytes, process 1 of 8",
       [&](World& w) {
         if (w.process() == 1) w.set_tagsize(8);
         w.sync();
       }},
      {"process 1, superstep 0: a tag of 8 bytes is sent where tags have 0",
       [&](World& w) {
         if (w.process() == 1) w.send(0, bytes_of(words).first(8), {});
         w.sync();
       }},
      {"there is no process 99 in a world of",
       [&](World& w) {
         if (w.process() == 1) w.send(99, {}, {});
         w.sync();
       }},
      {"process 0, superstep 0: sync_known names 0 senders, but 1 have something for it",
       [&](World& w) {
         if (w.process() == 1) w.send(0, {}, bytes_of(words));
         w.sync_known({});
       }},
      {"process 0, superstep 0: process 1 has nothing for it, but sync_known waits for that",
       [&](World& w) {
         if (w.process() == 0) return w.sync_known({1});
         w.sync_known({});
         if (w.process() == 1) w.send(0, {}, bytes_of(words));
         w.sync_known({});
         w.sync();
       },
       false},
      {"process 0, superstep 1: process 1 had something for it in superstep 0, whose sync_known did not name "
       "it",
       [&](World& w) {
         for (int i = 0; i < 2; ++i) {
           if (w.process() == 1) w.send(0, {}, bytes_of(words));
           if (w.process() == 0 && i == 1)
             w.sync_known({1});
           else
             w.sync_known({});
         }
         w.sync();
       },
       false},
      {"there is no process -1 in a world of",
       [&](World& w) { w.sync_known({w.process() == 1 ? -1 : w.process()}); }},
      {"there is no process 99 in a world of",
       [&](World& w) { w.sync_known({w.process() == 1 ? 99 : w.process()}); }},
      {"sync_known names process 0 twice; name each sender once",
       [&](World& w) {
         if (w.process() == 0) w.send(1, {}, bytes_of(words));
         w.sync_known(w.process() == 1 ? std::vector<int>{0, 0} : std::vector<int>{});
       }},
      {"sync_known delivers no gets", with_slot([&](World& w, Slot slot) {
         w.get(0, slot, 0, room_of(values).first(8));
         w.sync_known({});
       })},
      {"process 1, superstep 0: the queue is empty",
       [&](World& w) {
         if (w.process() == 1) w.hpmove();
         w.sync();
       }},
      {"nothing is asked for between start_sync and finish_sync",
       [&](World& w) {
         w.start_sync();
         if (w.process() == 1) w.send(0, {}, {});
         w.finish_sync();
       }},
      {"the world ends with something for process 0 that no sync delivers",
       [&](World& w) {
         if (w.process() == 1) w.send(0, {}, bytes_of(words));
         w.end();
       }},
  };
  each_team({}, [&](Team& team) {
    if (team.size() < 2) return;
    for (const Case& c : cases) {
      const Error e = error_of(team, c.is_checked, c.program);
      EXPECT_EQ(e.status(), Status::internal) << c.says;
      EXPECT_NE(std::string(e.what()).find(c.says), std::string::npos)
          << e.what() << "\n  expected: " << c.says;
    }
  });
}

// What was lent is its owner's again when the sync has thrown: nobody reads there, and nobody writes. The sync fails on process 2
// while process 1 copies from or into the memory of process 0, or is about to.
TEST(Superstep, WhatWasLentIsFreeWhenTheSyncHasThrown) {
  if (!conformance::is_thread()) GTEST_SKIP() << "only threads copy from and into each other's memory";
  constexpr std::size_t lent_bytes = std::size_t{1} << 24;
  constexpr std::byte old{0}, lent{1}, reused{2};
  struct Case {
    bool is_get, is_known;
  };
  each_team({}, [&](Team& team) {
    if (team.size() < 3) return;
    for (const auto [is_get, is_known] : {Case{false, false}, Case{false, true}, Case{true, false}}) {
      std::vector<std::byte> area(lent_bytes, is_get ? lent : old), mine(lent_bytes, is_get ? old : lent);
      std::atomic<bool> has_left = false;
      const Error e = error_of(team, false, [&, is_get = is_get, is_known = is_known](World& world) {
        const int me = world.process();
        std::vector<std::byte> word(8);
        const Slot slot = world.push_reg(me == 1 ? std::span(area) : std::span(word));
        try {
          world.sync();
          if (me == 0 && is_get) world.hpget(1, slot, 0, mine);
          if (me == 0 && !is_get) world.hpput(1, mine, slot, 0);
          if (me == 0) world.put(2, word, slot, 1);  // leaves the area there
          if (is_known)
            world.sync_known(me == 1 || me == 2 ? std::vector<int>{0} : std::vector<int>{});
          else
            world.sync();
          world.sync();
        } catch (const Error&) {
          if (me == 0) std::ranges::fill(mine, reused);
          if (me == 1) has_left = true;
          while (me == 0 && !has_left) std::this_thread::yield();
          throw;
        }
      });
      EXPECT_NE(std::string(e.what()).find("puts 8 bytes at offset 1"), std::string::npos) << e.what();
      EXPECT_EQ(std::ranges::count(mine, reused), std::ssize(mine)) << is_get;
      EXPECT_EQ(std::ranges::count(area, area.front()), std::ssize(area)) << is_get;
      EXPECT_NE(area.front(), reused) << is_get;
    }
  });
}

// Between the halves of a sync a process may end by an error of its own, and its memory with it: nobody reads or writes there then.
TEST(Superstep, WhatWasLentIsLeftAloneBetweenTheHalves) {
  if (!conformance::is_thread()) GTEST_SKIP() << "only threads copy from and into each other's memory";
  constexpr std::size_t lent_bytes = std::size_t{1} << 16;
  constexpr std::byte old{0}, lent{1}, reused{2};
  on_each_team([&](Rank& rank) {
    if (rank.size() < 2) return;
    for (const bool is_get : {false, true}) {
      World world(rank);
      const int me = world.process();
      std::vector<std::byte> area(lent_bytes, is_get ? lent : old), mine(lent_bytes, is_get ? old : lent);
      const Slot slot = world.push_reg(area);
      world.sync();
      if (me == 0 && is_get) world.hpget(1, slot, 0, mine);
      if (me == 0 && !is_get) world.hpput(1, mine, slot, 0);
      world.start_sync();
      if (me == 0) {
        while (!world.is_ready()) rank.poll();
        std::ranges::fill(mine, reused);
        rank.start_send(Lane::user, 1, {}, {});
        receive(rank, Lane::user, 1);  // which has finished its sync
        EXPECT_EQ(std::ranges::count(mine, reused), std::ssize(mine));
      }
      if (me == 1) receive(rank, Lane::user, 0);
      world.finish_sync();
      if (me == 1) rank.start_send(Lane::user, 0, {}, {});
      if (me == (is_get ? 0 : 1)) {
        EXPECT_EQ(std::ranges::count(is_get ? mine : area, lent), std::ssize(mine));
      }
      EXPECT_EQ(world.counters().direct, 0);
      world.end();
      collective::barrier(rank);
    }
  });
}

}  // namespace
}  // namespace overlapack::comm::superstep::testing
