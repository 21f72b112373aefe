#include "comm/mailbox/exchange.hpp"
#include "comm/mailbox/outbox.hpp"
#include "comm/receive.hpp"
#include "engine.hpp"
#include "fault_sweep.hpp"

/// Transfers of an engine when any one allocation of a rank fails, or all from there on: what is under way then comes to its end on all ranks, and the next
/// run is right.
namespace overlapack::comm::conformance {
namespace {

using overlapack::testing::allocations_left;
using overlapack::testing::FaultOf;
using overlapack::testing::memory_stays_out;
using overlapack::testing::RankWork;
using overlapack::testing::sweep_faults;

constexpr std::size_t head_bytes = 256, split_bytes = 1000;
/// Nothing, one that is copied, one that fills its buffer, one of a head and three parts; in words.
constexpr std::size_t lengths[] = {0, 5, 30, 400};

void send_to(Rank& rank, int to, std::size_t length) {
  const auto number = static_cast<std::int64_t>(length);
  rank.start_send(Lane::user, to, {}, Body::adopt(pattern(rank.rank(), to, number, length)));
}

void expect_from_left(Rank& rank, const Message& message, std::size_t length) {
  EXPECT_EQ(message.source, left_of(rank));
  EXPECT_TRUE(holds_pattern(message, rank.rank(), static_cast<std::int64_t>(length), length)) << length;
}

/// Around the ring, to receives that are posted before, and after the messages are here.
void messages(Rank& rank) {
  for (const std::size_t length : lengths) {
    Recv early = rank.post_receive(Lane::user, left_of(rank));
    Recv any = rank.post_receive(Lane::user);
    for (int i = 0; i < 3; ++i) send_to(rank, right_of(rank), length);
    collective::barrier(rank);
    for (Recv* const receive : {&early, &any}) {
      wait(rank, *receive);
      expect_from_left(rank, receive->take(), length);
    }
    rank.wait_any({}, {Lane::user});
    expect_from_left(rank, receive(rank, Lane::user), length);
    collective::barrier(rank);  // the next ones are for receives that are posted
  }
}

/// A receive that is taken back, one that meets nothing, and a message that nobody takes.
void leftovers(Rank& rank) {
  { const Recv never = rank.post_receive(Lane::load); }
  for (const std::size_t length : lengths)
    rank.start_send(Lane::bulk, right_of(rank), {},
                    Body::adopt(pattern(rank.rank(), right_of(rank), 1, length)));
  collective::barrier(rank);
}

/// Numbered, within a budget, several receives posted; and by name.
void mailboxes(Rank& rank) {
  Inbox inbox(rank, Lane::bulk, {.posted = 2});
  Outbox outbox(rank, Lane::bulk, {.budget_bytes = 1, .inbox = &inbox});
  for (const std::size_t length : lengths)
    outbox.send(right_of(rank), {}, Body::adopt(pattern(rank.rank(), right_of(rank), 1, length)), [] {});
  for (const std::size_t length : lengths)
    EXPECT_TRUE(holds_pattern(inbox.wait(), rank.rank(), 1, length)) << length;
  outbox.drain([] {});
  inbox.close();
  collective::barrier(rank);
  Exchange exchange(rank, Lane::bulk);
  for (const std::int64_t step : {0, 1, 2}) exchange.send(right_of(rank), {.step = step}, {});
  for (const std::int64_t step : {2, 0, 1}) exchange.receive(left_of(rank), {.step = step});
  exchange.close();
  collective::barrier(rank);
}

void parts_of_the_team(Rank& rank) {
  const auto part = rank.split(rank.rank() % 2, -rank.rank());
  EXPECT_EQ(collective::all_reduce(*part, 1, std::plus<>()), part->size());
  send_to(*part, right_of(*part), lengths[3]);
  expect_from_left(*part, receive(*part, Lane::user), lengths[3]);
}

void windows(Rank& rank) {
  const auto window = rank.make_window(64);
  const std::int64_t three = 3;
  window->put(right_of(rank), 8, std::as_bytes(std::span(&three, 1)));
  window->signal(right_of(rank));
  Request signalled = window->expect_signals(left_of(rank), 1);
  wait(rank, signalled);
  std::int64_t got = 0;
  window->get(rank.rank(), 8, std::as_writable_bytes(std::span(&got, 1)));
  window->flush();
  EXPECT_EQ(got, 3);
}

void sweep(const RankWork& work, std::int64_t least) {
  for (const int size : is_thread() ? std::vector<int>{1, 3} : setup().sizes) {
    const auto team = open({.engine = setup().engine,
                            .ranks = size,
                            .split_bytes = split_bytes,
                            .head_bytes = head_bytes,
                            .watchdog_s = 20});
    for (int failing = 0; failing < team->size(); ++failing)
      for (const FaultOf fault : {FaultOf::allocation, FaultOf::memory})
        EXPECT_GT(sweep_faults(*team, fault, failing, work, 1), least);
  }
}

TEST(CommFaults, AFailedRunEndsWithoutMemory) {
  if (!is_thread()) GTEST_SKIP() << "a process keeps nothing of its rank at the end of a run";
  const auto team = open({.ranks = 3});
  const Error stop(Status::singular, "stop");
  const Error error = error_of(*team, [&](Rank& rank) {
    const Recv posted = rank.post_receive(Lane::bulk);
    send_to(rank, right_of(rank), lengths[0]);
    collective::barrier(rank);
    if (rank.rank() != 0) receive(rank, Lane::load);
    allocations_left = 0;  // of the caller, until its run has ended
    memory_stays_out = true;
    throw stop;
  });
  allocations_left = -1;
  memory_stays_out = false;
  EXPECT_EQ(error.status(), Status::singular) << error.what();
  team->run(messages);
}

TEST(CommFaults, AnyFailingAllocationOfAMessage) { sweep(messages, 20); }
TEST(CommFaults, AnyFailingAllocationBeforeWhatNobodyTakes) { sweep(leftovers, 5); }
TEST(CommFaults, AnyFailingAllocationOfMailboxes) { sweep(mailboxes, 20); }
TEST(CommFaults, AnyFailingAllocationOfASplit) { sweep(parts_of_the_team, 5); }
TEST(CommFaults, AnyFailingAllocationOfAWindow) { sweep(windows, 3); }

}  // namespace
}  // namespace overlapack::comm::conformance
