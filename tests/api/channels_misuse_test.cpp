#include "overlapack/channels.hpp"
#include "web.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

// Misuse of channels and detectors, a sentence each.
namespace overlapack {
namespace {

using channels::Channel;
using channels::ChannelOptions;
using channels::Mode;
using channels::Process;

/// The error with which a program ends; threads only, since MPI ends with an error.
Error error_of(const std::function<void(Process&)>& program, int ranks = 3, double watchdog_s = -1) {
  try {
    channels::run({.ranks = ranks, .run = {.watchdog_s = watchdog_s}}, program);
  } catch (const Error& error) {
    return error;
  }
  return Error(Status::not_converged, "nothing was thrown");
}
void expect_sentence(const Error& error, Status status, const char* says) {
  EXPECT_EQ(error.status(), status) << error.what();
  EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
  EXPECT_EQ(error.where(), "channels");
}

/// The program of ranks 0 and 1 with a channel between them; others do nothing.
Error error_on_pair(const std::function<void(Process&, Channel&)>& program,
                    const ChannelOptions& options = {8}) {
  return error_of([&](Process& process) {
    if (process.rank() > 1) return;
    if (options.mode == Mode::racy) throw Error(Status::internal, "the test's pairs are async");
    Channel channel = process.create(1 - process.rank(), options);
    program(process, channel);
    channel.destroy();
  });
}

TEST(ChannelMisuse, RanksThatAreNone) {
  expect_sentence(error_of([](Process& p) { p.create(3, {8}); }), Status::bad_plan,
                  "a channel is to lead to rank 3, but there are 3 ranks; name one from 0 to 2");
  expect_sentence(error_of([](Process& p) { p.create(-1, {8}); }), Status::bad_plan, "to lead to rank -1");
  expect_sentence(error_of([](Process& p) { p.create(p.rank(), {8}); }), Status::bad_plan, "joins two ranks");
}

TEST(ChannelMisuse, OptionsThatCannotWork) {
  const auto error = [](const ChannelOptions& options) {
    return error_of([&](Process& p) { p.create((p.rank() + 1) % 3, options); });
  };
  expect_sentence(error({.message_bytes = 8, .max_messages = 0}), Status::bad_plan, "give max_messages >= 1");
  expect_sentence(error({.message_bytes = 16, .mode = Mode::racy, .word_bytes = 16}), Status::bad_plan,
                  "complex numbers are two words");
  expect_sentence(error({.message_bytes = 8, .mode = Mode::racy}), Status::bad_plan, "make room");
  // Longer first values would be those of the next channel.
  const double first[] = {1, 2};
  expect_sentence(error_of([&](Process& p) {
                    p.make_racy_room(32);
                    p.create((p.rank() + 1) % 3, {.message_bytes = 8, .mode = Mode::racy},
                             std::as_bytes(std::span(first)));
                  }),
                  Status::bad_plan, "begins with 16 bytes, but its messages have 8");
}

TEST(ChannelMisuse, EndsThatDiffer) {
  expect_sentence(error_of([](Process& p) {
                    if (p.rank() < 2) p.create(1 - p.rank(), {.message_bytes = p.rank() == 0 ? 8u : 16u});
                  }),
                  Status::bad_input, "the ends of a channel differ: rank 0 gives async, 8 bytes");
}

TEST(ChannelMisuse, MessagesOfAnotherSize) {
  double three[3] = {};
  expect_sentence(error_on_pair([&](Process&, Channel& c) { c.send<double>(three); }), Status::bad_input,
                  "a message has 24 bytes, the channel carries 8");
  expect_sentence(error_on_pair([&](Process&, Channel& c) { c.recv<double>(three); }), Status::bad_input,
                  "a message is received into 24 bytes, the channel carries 8");
}

TEST(ChannelMisuse, CreatedByOneRankOnly) {
  // The other one ends its program ...
  expect_sentence(error_of([](Process& p) {
                    if (p.rank() == 0) p.create(1, {8});
                  }),
                  Status::bad_input,
                  "rank 0 creates a channel to rank 1, which ends without its own; create it on both ranks");
  // ... or ended it before
  expect_sentence(error_of([](Process& p) {
                    if (p.rank() != 0) return;
                    for (int k = 0; k < 1000; ++k) p.poll(), std::this_thread::yield();
                    p.create(1, {8});
                  }),
                  Status::bad_input, "rank 1, which ends without its own");
  // ... or waits for a third one, as all do: the watchdog sees it.
  const Error ring = error_of([](Process& p) { p.create((p.rank() + 1) % 3, {8}); }, 3, 0.2);
  expect_sentence(ring, Status::comm_failure, "lane channel");
}

TEST(ChannelMisuse, DestroyedByOneRankOnly) {
  expect_sentence(error_of([](Process& p) {
                    if (p.rank() > 1) return;
                    Channel channel = p.create(1 - p.rank(), {8});
                    if (p.rank() == 0) channel.destroy();
                  }),
                  Status::internal,
                  "rank 1 leaves 1 of its channels open, the first one to rank 0; destroy each on both");
}

TEST(ChannelMisuse, UsedAfterItWasDestroyed) {
  for (int call = 0; call < 6; ++call)
    expect_sentence(error_on_pair([&](Process& p, Channel& c) {
                      double x = 0;
                      c.destroy();
                      if (call == 0) c.can_send();
                      if (call == 1) c.send<double>({&x, 1});
                      if (call == 2) c.can_recv();
                      if (call == 3) c.recv<double>({&x, 1});
                      if (call == 4) p.finish_create(c);
                    }),
                    Status::bad_input, "was destroyed; create another one");
}

TEST(ChannelMisuse, UsedWhileItEnds) {
  expect_sentence(error_on_pair([](Process&, Channel& c) {
                    c.start_destroy();
                    c.can_recv();
                  }),
                  Status::bad_input, "is about to end; call destroy");
}

TEST(ChannelMisuse, UsedBeforeItIsFinished) {
  expect_sentence(error_of([](Process& p) {
                    double x = 0;
                    p.start_create((p.rank() + 1) % 3, {8}).send<double>({&x, 1});
                  }),
                  Status::bad_input, "is not finished; call finish_create first");
}

TEST(ChannelMisuse, UsedOutsideOfItsProgram) {
  Channel kept, none;
  channels::run({.ranks = 2}, [&](Process& p) {
    Channel channel = p.create(1 - p.rank(), {8});
    channel.destroy();
    if (p.rank() == 0) kept = channel;
  });
  EXPECT_EQ(kept.counts().ends, 1);
  for (Channel* const channel : {&kept, &none}) try {
      channel->can_send();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& e) {
      const char* const says =
          channel == &none ? "was never created" : "the program of this channel has ended";
      EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
    }
}

TEST(ChannelMisuse, WaitingForOneThatSendsNoMore) {
  expect_sentence(error_on_pair([](Process& p, Channel& c) {
                    if (p.rank() == 0) c.wait();
                  }),
                  Status::bad_input, "rank 0 waits for a message of rank 1, which destroys the channel");
}

TEST(ChannelMisuse, AnErrorOfTheProgramEndsItOnAllRanks) {
  const Error e = error_on_pair([](Process& p, Channel& c) {
    if (p.rank() == 1) throw Error(Status::cancelled, "enough");
    while (!c.can_recv()) {
    }
  });
  EXPECT_EQ(e.status(), Status::cancelled);
  EXPECT_STREQ(e.what(), "enough");
}

TEST(ChannelMisuse, DetectorsInEachOthersWay) {
  const auto with_detector = [](const std::function<void(Process&, Web<double>&)>& then) {
    return error_of([&](Process& p) {
      Web<double> web(1, p.rank(), p.ranks());
      const channels::Detector<double> detector(p, web);
      then(p, web);
    });
  };
  expect_sentence(with_detector([](Process& p, Web<double>& web) { channels::Detector<double>(p, web); }),
                  Status::bad_input, "has a detector, which must be over and gone before another one");
  expect_sentence(with_detector([](Process& p, Web<double>& web) { channels::iterate(p, web); }),
                  Status::bad_input, "before iterate");
  expect_sentence(with_detector([](Process& p, Web<double>&) { p.make_racy_room(8); }), Status::bad_input,
                  "before make_racy_room");
  expect_sentence(with_detector([](Process&, Web<double>&) {}), Status::bad_input,
                  "has left a detector before it was over, so that the end of the program cannot follow");
  expect_sentence(error_on_pair([](Process& p, Channel&) {
                    Web<double> web(1, p.rank(), p.ranks());
                    channels::iterate(p, web);
                  }),
                  Status::bad_input, "which must be destroyed before iterate");
}

// It is told so, and may go afterwards: what it had from its rank went with the program.
TEST(ChannelMisuse, ADetectorOutsideOfItsProgram) {
  std::vector<std::unique_ptr<Web<double>>> webs(2);
  std::vector<std::unique_ptr<channels::Detector<double>>> kept(2);
  const Error e = error_of(
      [&](Process& p) {
        const auto mine = static_cast<std::size_t>(p.rank());
        webs[mine] = std::make_unique<Web<double>>(1, p.rank(), p.ranks());
        kept[mine] = std::make_unique<channels::Detector<double>>(p, *webs[mine]);
      },
      2);
  expect_sentence(e, Status::bad_input, "has a detector, which must be over and gone");
  int told = 0;
  for (const auto& detector : kept) try {
      if (detector) detector->is_over(0, std::vector<double>(webs[0]->state_size()));
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("the program of this detector has ended"), std::string::npos);
      ++told;
    }
  EXPECT_GT(told, 0);  // the other rank may have had the error before it had its detector
  EXPECT_EQ(told, std::ranges::count_if(kept, [](const auto& d) { return d != nullptr; }));
}

TEST(ChannelMisuse, RoomThatIsInUse) {
  expect_sentence(error_of([](Process& p) {
                    p.make_racy_room(8);
                    if (p.rank() < 2) p.create(1 - p.rank(), {.message_bytes = 8, .mode = Mode::racy});
                    p.make_racy_room(16);
                  }),
                  Status::bad_input, "makes room for racy messages while it has a racy channel");
}

TEST(ChannelMisuse, PartsThatDoNotFit) {
  const auto error = [](const std::function<void(Process&, Still&)>& prepare) {
    return error_of([&](Process& p) {
      Still part;
      prepare(p, part);
      channels::Detector<double> detector(p, part);
      detector.is_over(0, std::vector<double>(9));
    });
  };
  expect_sentence(error([](Process&, Still& part) {
                    part.list = {{3, 1, 1}};
                  }),
                  Status::bad_input, "has a neighbour 3; name other ranks that exist");
  expect_sentence(error([](Process& p, Still& part) {
                    part.list = {{p.rank(), 1, 1}};
                  }),
                  Status::bad_input, "name other ranks that exist");
  expect_sentence(error([](Process& p, Still& part) {
                    if (p.rank() == 0) part.list = {{1, 2, 3}};
                    if (p.rank() == 1) part.list = {{0, 4, 2}};
                  }),
                  Status::bad_input, "rank 1 sends 4 numbers to rank 0, which expects 3");
  expect_sentence(error([](Process&, Still&) {}), Status::bad_input, "x has 9 numbers, a state has 10");
  expect_sentence(error_of([](Process& p) {
                    Still part;
                    channels::Detector<double>(p, part).take();
                  }),
                  Status::bad_input, "the outcome is not known yet");
  expect_sentence(error_of(
                      [](Process& p) {
                        Still part;
                        if (p.rank() == 0) part.list = {{1, 1, 1}};
                        channels::Detector<double>(p, part).take();
                      },
                      3, 0.2),
                  Status::comm_failure, "lane bulk");
  try {
    channels::run({.ranks = 2, .iteration = {.variant = Variant::racy}}, [](Process& p) {
      Web<std::complex<double>> web(1, p.rank(), p.ranks());
      channels::iterate(p, web);
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    expect_sentence(e, Status::bad_plan, "use variant async");
  }
}

TEST(ChannelMisuse, OpenShmemRunsNoPrograms) {
  try {
    channels::run({.ranks = 2, .run = {.engine = Engine::shmem}}, [](Process&) {});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    expect_sentence(e, Status::bad_plan, "here use \"thread\" or \"mpi\"");
  }
}

}  // namespace
}  // namespace overlapack
