#include "comm/failure.hpp"

#include "comm/collective/collective.hpp"
#include "engine.hpp"

#include <array>
#include <chrono>
#include <new>
#include <thread>

namespace overlapack::comm::conformance {
namespace {

/// Ranks other than the one that fails wait for messages that never come.
void wait_for_ever(Rank& rank) { receive(rank, Lane::user); }

TEST(Failure, TheErrorOfOneRankReachesEveryCaller) {
  each_team({}, [](Team& team) {
    for (int failing = 0; failing < team.size(); ++failing) {
      const Error e = error_of(team, [&](Rank& rank) {
        if (rank.rank() == failing)
          throw Error(Status::singular, "rank " + std::to_string(failing) + " met a zero");
        wait_for_ever(rank);
      });
      EXPECT_EQ(e.status(), Status::singular);
      EXPECT_STREQ(e.what(), ("rank " + std::to_string(failing) + " met a zero").c_str());
    }
  });
}

TEST(Failure, AnyExceptionBecomesAnError) {
  each_team({}, [](Team& team) {
    const int last = team.size() - 1;
    const auto kind_of = [&](auto thrower) {
      return error_of(team, [&](Rank& rank) {
        if (rank.rank() == last) thrower();
        wait_for_ever(rank);
      });
    };
    EXPECT_EQ(kind_of([] { throw std::bad_alloc(); }).status(), Status::out_of_memory);
    const Error e = kind_of([] { throw std::runtime_error("odd"); });
    EXPECT_EQ(e.status(), Status::internal);
    EXPECT_STREQ(e.what(), "odd");
    EXPECT_EQ(kind_of([] { throw 42; }).status(), Status::internal);
  });
}

TEST(Failure, ATeamCanBeUsedAgain) {
  each_team({}, [](Team& team) {
    for (int round = 0; round < 5; ++round) {
      EXPECT_THROW(team.run([&](Rank& rank) {
        // leave messages, posted receives and half a collective behind
        Recv posted = rank.post_receive(Lane::bulk);
        for (int to = 0; to < rank.size(); ++to)
          rank.start_send(Lane::user, to, {.kind = 99}, Body::phantom(8));
        if (rank.rank() == round % rank.size()) throw Error(Status::cancelled, "stop");
        collective::barrier(rank);
        wait_for_ever(rank);
        wait(rank, posted);
      }),
                   Error);
      team.run([&](Rank& rank) {
        EXPECT_EQ(collective::all_reduce(rank, 1, std::plus<>()), rank.size());
        rank.start_send(Lane::user, right_of(rank), {.kind = round}, {});
        EXPECT_EQ(receive(rank, Lane::user).header.kind, round);
        EXPECT_FALSE(rank.probe(Lane::user).has_value());
      });
    }
  });
}

// Some of the smaller teams are seen to be left by all while others are still being emptied: none may be given back with
// a receive posted, which would take a message of the team that gets its communicator.
TEST(Failure, SmallerTeamsLeaveNoReceiveBehind) {
  each_team({}, [](Team& team) {
    for (int round = 0; round < 40; ++round)
      team.run([&](Rank& rank) {
        std::vector<std::unique_ptr<Rank>> parts;
        for (int i = 0; i < 4; ++i)
          parts.push_back(rank.split(i % 2 == 0 ? 0 : rank.rank() % 2, rank.rank()));
        for (const auto& part : parts) {
          const Recv never = part->post_receive(Lane::user, left_of(*part));
          const Recv nor = part->post_receive(Lane::bulk);
          part->start_send(Lane::load, right_of(*part), {.kind = round}, {});
          EXPECT_EQ(receive(*part, Lane::load).header.kind, round);
        }
        if (rank.rank() == round % rank.size()) std::this_thread::sleep_for(std::chrono::microseconds(300));
      });
  });
}

TEST(Failure, AbortReachesRanksInEveryKindOfWait) {
  each_team({}, [](Team& team) {
    for (int way = 0; way < 8; ++way) {
      const Error e = error_of(team, [&](Rank& rank) {
        const auto window = rank.make_window(8);
        if (rank.rank() == 0) {
          pause(rank, 0.002);
          const Error stop(Status::cancelled, "stop");
          rank.abort(stop);
          throw stop;
        }
        switch (way) {
          case 0:
            receive(rank, Lane::user);
            break;
          case 1:
            rank.wait_any({}, {Lane::load});
            break;
          case 2: {
            Request never = window->expect_signals(0, 1);
            wait(rank, never);
            break;
          }
          case 3:
            collective::barrier(rank);
            break;
          case 4:  // no wait at all: working, polling between
            for (;;) rank.poll();
          case 5:
            rank.split(0, 0);
            break;
          case 6:
            rank.make_window(8);
            break;
          case 7:
            rank.attach({});
        }
      });
      EXPECT_EQ(e.status(), Status::cancelled) << way;
    }
  });
}

// Nor does it poll: it sends, puts, gets or adds, and never asks what has come.
TEST(Failure, AbortReachesARankThatNeverWaits) {
  each_team({}, [](Team& team) {
    for (int way = 0; way < 7; ++way) {
      const Error e = error_of(team, [&](Rank& rank) {
        std::array<std::byte, 8> bytes{};
        const auto window = rank.make_window(bytes.size() * static_cast<std::size_t>(rank.size()));
        const std::size_t mine = bytes.size() * static_cast<std::size_t>(rank.rank());
        collective::barrier(rank);
        if (rank.rank() == 0 || rank.capabilities().virtual_time) {  // there, time passes in waits alone
          pause(rank, 0.002);
          throw Error(Status::cancelled, "stop");
        }
        for (;;) switch (way) {
            case 0:
              rank.start_send(Lane::user, 0, {}, {});
              break;
            case 1:
              window->flush(0);
              break;
            case 2:
              window->put(0, mine, bytes);
              break;
            case 3:
              window->get(0, 0, bytes);
              break;
            case 4:
              window->signal(0);
              break;
            case 5:
              window->store_words(0, mine, 8, bytes);
              break;
            case 6:
              window->load_words(0, 8, bytes);
          }
      });
      EXPECT_EQ(e.status(), Status::cancelled) << way << ": " << e.what();
    }
  });
}

// Its memory goes when nobody reads there any more, and would be missed: so much of it goes back to the system.
TEST(Failure, MemoryThatOthersReadStaysUntilTheyHaveLeft) {
  constexpr std::size_t bytes = std::size_t{8} << 20;
  each_team({}, [](Team& team) {
    for (int round = 0; round < 5; ++round) {
      const Error e = error_of(team, [&](Rank& rank) {
        std::vector<std::byte> memory(rank.rank() == 0 ? bytes : 0, std::byte{1}), got(bytes);
        const auto window = rank.attach(memory);
        collective::barrier(rank);
        stop_all_on_failure(rank, [&] {
          if (rank.rank() == 0 || rank.capabilities().virtual_time) {
            pause(rank, 0.001);
            throw Error(Status::cancelled, "stop");
          }
          for (;;) {
            window->get(0, 0, got);
            window->flush(0);
          }
        });
      });
      EXPECT_EQ(e.status(), Status::cancelled) << e.what();
    }
  });
}

// What was got is there when the abort of another rank is thrown: then its memory goes. In simulated time it is never written.
TEST(Failure, GetsEndBeforeTheirMemoryGoes) {
  constexpr std::size_t length = 20000;
  each_team({}, [](Team& team) {
    const auto expected = pattern(0, 0, 0, length);
    auto source = expected;
    const Error e = error_of(team, [&](Rank& rank) {
      const auto window =
          rank.attach(rank.rank() == 0 ? std::as_writable_bytes(std::span(source)) : std::span<std::byte>());
      collective::barrier(rank);
      if (rank.rank() == 0) {
        const Error stop(Status::cancelled, "stop");
        rank.abort(stop);
        throw stop;
      }
      std::vector<std::int64_t> got(length);
      bool is_started = false;
      try {
        window->get(0, 0, std::as_writable_bytes(std::span(got)));
        is_started = true;
        for (;;) rank.poll();
      } catch (const Error&) {
        EXPECT_TRUE(!is_started || rank.capabilities().virtual_time || got == expected);
        throw;
      }
    });
    EXPECT_EQ(e.status(), Status::cancelled) << e.what();
  });
}

TEST(Failure, TheWatchdogTellsWhoWaitsForWhat) {
  each_team({.watchdog_s = 0.05}, [](Team& team) {
    const Error e = error_of(team, [](Rank& rank) {
      rank.compute({.kind = "front"}, [] {});
      receive(rank, Lane::bulk, left_of(rank));
    });
    EXPECT_EQ(e.status(), Status::comm_failure);
    const std::string report = e.what();
    EXPECT_NE(report.find("rank 0 waits for"), std::string::npos) << report;
    EXPECT_NE(report.find("bulk"), std::string::npos) << report;
    EXPECT_NE(report.find("front"), std::string::npos) << report;
    EXPECT_NE(report.find("receive"), std::string::npos) << report;
  });
}

TEST(Failure, TheWatchdogSaysOnceWhatManyReceivesWaitFor) {
  each_team({.watchdog_s = 0.05}, [](Team& team) {
    const Error e = error_of(team, [](Rank& rank) {
      Recv receives[] = {rank.post_receive(Lane::bulk), rank.post_receive(Lane::bulk),
                         rank.post_receive(Lane::user)};
      Request* const requests[] = {&receives[0], &receives[1], &receives[2]};
      rank.wait_any(requests);
    });
    EXPECT_NE(std::string(e.what()).find(
                  "waits for receive from any rank on lane bulk, or receive from any rank on lane user"),
              std::string::npos)
        << e.what();
  });
}

// Longer than the watchdog's time, whichever rank it is, and all others wait for it.
TEST(Failure, TheWatchdogWaitsForARankThatComputes) {
  each_team({.watchdog_s = 0.02}, [](Team& team) {
    for (int busy = 0; busy < team.size(); ++busy)
      team.run([&](Rank& rank) {
        if (rank.rank() != busy) return static_cast<void>(receive(rank, Lane::user, busy));
        rank.compute({.kind = "long"}, [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); });
        for (int to = 0; to < rank.size(); ++to)
          if (to != busy) rank.start_send(Lane::user, to, {}, {});
      });
  });
}

TEST(Failure, TheWatchdogNamesRanksThatHaveFinished) {
  each_team({.watchdog_s = 0.05}, [](Team& team) {
    for (int finished = 0; finished < team.size() && team.size() > 1; ++finished) {
      const Error e = error_of(team, [&](Rank& rank) {
        if (rank.rank() != finished) receive(rank, Lane::user, finished);
      });
      EXPECT_EQ(e.status(), Status::comm_failure);
      const std::string report = e.what();
      for (int r = 0; r < team.size(); ++r)
        EXPECT_NE(report.find("rank " + std::to_string(r) + (r == finished ? " has finished" : " waits for")),
                  std::string::npos)
            << report;
      team.run([](Rank& rank) { collective::barrier(rank); });  // and the team is as good as before
    }
  });
}

// Rank 0 comes late and without a poll: what the others have told it meanwhile is still on its way when the run ends.
TEST(Failure, TheWatchdogMayHaveMuchToSayAtTheEndOfARun) {
  each_team({.watchdog_s = 0.02}, [](Team& team) {
    for (int round = 0; round < 2; ++round)
      team.run([](Rank& rank) {
        if (rank.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
      });
  });
}

// The same, and the next run is of a team without a watchdog.
TEST(Failure, WhatTheWatchdogSaidLateIsForgottenByATeamWithoutOne) {
  each_team({.watchdog_s = 0.02}, [](Team& team) {
    const auto other = open({.engine = setup().engine, .ranks = is_thread() ? team.size() : 0});
    for (int round = 0; round < 2; ++round) {
      team.run([](Rank& rank) {
        if (rank.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
      });
      other->run([](Rank& rank) { collective::barrier(rank); });
    }
  });
}

TEST(Failure, ARunInsideARunIsRefusedAndASecondTeamIsNot) {
  each_team({}, [](Team& team) {
    EXPECT_EQ(error_of(team, [&](Rank&) { team.run([](Rank&) {}); }).status(), Status::bad_plan);
    const auto other = open({.engine = setup().engine, .ranks = is_thread() ? team.size() : 0});
    team.run([&](Rank& rank) {
      other->run([](Rank& inner) { collective::barrier(inner); });
      collective::barrier(rank);
    });
    EXPECT_EQ(error_of(team, [&](Rank&) { other->run([&](Rank&) { team.run([](Rank&) {}); }); }).status(),
              Status::bad_plan);
  });
}

TEST(Failure, EnginesThatDoNotExistAreRefused) {
  for (const std::string name : {"shmem", "carrier pigeon", ""}) {
    if (name == setup().engine) continue;
    try {
      open({.engine = name, .ranks = 2});
      ADD_FAILURE() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::bad_plan);
    }
  }
}

TEST(Failure, AddressingARankThatDoesNotExistIsAnError) {
  each_team({}, [](Team& team) {
    EXPECT_THROW(team.run([](Rank& rank) { rank.start_send(Lane::user, rank.size(), {}, {}); }), Error);
    EXPECT_THROW(team.run([](Rank& rank) { rank.start_send(Lane::user, -1, {}, {}); }), Error);
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
