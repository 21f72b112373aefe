#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "dist/fronts/tree_walk.hpp"
#include "engine.hpp"

#include <functional>

/// Messages of a walk that are passed on, and messages that come before one that they need.
namespace overlapack::dist {
namespace {

using comm::conformance::each_team;
using comm::conformance::on_each_team;

/// A task for each rank, which nothing depends on.
TaskTree one_task_a_rank(int ranks) {
  TaskTree tree;
  for (int r = 0; r < ranks; ++r) {
    tree.parent.push_back(-1);
    tree.owner.push_back(r);
  }
  return tree;
}

enum Kind : std::int32_t { to_relay = 1, relayed };

/// Ranks 0 and 1 pass on what the last rank sends them, each to the other.
class Relays : public FrontEvents {
 public:
  static constexpr int messages = 20;

  Relays(comm::Rank& rank, const TaskTree& tree, const WalkPlan& plan)
      : rank_(rank), walk_(rank, tree, Direction::upward, plan, *this) {
    if (rank.rank() > 1) return;
    for (int i = 0; i < 2 * messages; ++i) walk_.hold();  // to pass on, and passed on by the other
  }

  bool run(Index) override {
    if (rank_.rank() == rank_.size() - 1)
      for (int i = 0; i < messages; ++i)
        for (const int relay : {0, 1}) walk_.post(relay, {.kind = to_relay}, comm::Body::adopt(std::vector<char>(300)));
    return true;
  }
  void arrived(Index, comm::Message) override { ADD_FAILURE() << "no task has anything to wait for"; }
  void received(comm::Message message) override {
    if (message.header.kind == relayed) {
      ++got_;
      return walk_.release();
    }
    walk_.add_urgent_job([this, body = message.body] {
      walk_.post(1 - rank_.rank(), {.kind = relayed}, body);
      walk_.release();
    });
  }

  int relay() {
    walk_.run();
    return got_;
  }

 private:
  comm::Rank& rank_;
  TreeWalk walk_;
  int got_ = 0;
};

TEST(TreeWalk, CrossingRelaysWithFullBudgetsDoNotWaitForEachOther) {
  each_team({.eager_bytes = 0}, [](comm::Team& team) {
    if (team.size() == 1) return;
    const TaskTree tree = one_task_a_rank(team.size());
    for (const auto receive : {comm::ReceiveMode::probe, comm::ReceiveMode::immediate})
      for (const int posted : {1, 4})
        team.run([&](comm::Rank& rank) {
          Relays relays(rank, tree, {.receive = receive, .posted = posted, .budget_bytes = 1});
          EXPECT_EQ(relays.relay(), rank.rank() <= 1 ? Relays::messages : 0);
        });
  });
}

/// Rank 0 sends a number to all, then tells rank 1 of it, who tells the others: they need the number first.
class Triangle : public FrontEvents {
 public:
  static constexpr int rounds = 100;
  enum Kind : std::int32_t { number = 1, news };

  Triangle(comm::Rank& rank, const TaskTree& tree, comm::ReceiveMode receive)
      : rank_(rank),
        walk_(rank, tree, Direction::upward,
              {.receive = receive, .posted = 1, .early = EarlyMessages::wait, .budget_bytes = 1}, *this) {
    for (int i = 0; i < rounds * (rank.rank() == 0 ? 0 : 2); ++i) walk_.hold();
  }

  bool run(Index) override {
    if (rank_.rank() != 0) return true;
    for (int i = 0; i < rounds; ++i) {
      for (int to = rank_.size() - 1; to > 0; --to) walk_.post(to, {.kind = number, .id = {0, 0, i}}, {});
      walk_.post(1, {.kind = news, .id = {0, 0, i}}, {});
    }
    return true;
  }
  void arrived(Index, comm::Message) override { ADD_FAILURE() << "no task has anything to wait for"; }
  void received(comm::Message message) override {
    const Index i = message.header.id[2];
    if (message.header.kind == number) {
      EXPECT_EQ(i, numbers_++);
      return walk_.release();
    }
    const bool is_early = numbers_ <= i;
    if (is_early) walk_.receive_late(0, [&] { return numbers_ > i; });
    EXPECT_GT(numbers_, i);
    late_ += is_early;
    if (rank_.rank() != 1) return walk_.release();
    walk_.add_job([this, i] {
      for (int to = 2; to < rank_.size(); ++to) walk_.post(to, {.kind = news, .id = {0, 0, i}}, {});
      walk_.release();
    });
  }

  int run_all() {
    walk_.run();
    EXPECT_EQ(numbers_, rank_.rank() == 0 ? 0 : rounds);
    return late_;
  }

 private:
  comm::Rank& rank_;
  TreeWalk walk_;
  Index numbers_ = 0;
  int late_ = 0;
};

TEST(TreeWalk, LateMessagesAreReceivedBeforeThoseThatNeedThem) {
  each_team({}, [](comm::Team& team) {
    if (team.size() < 3) return;
    const TaskTree tree = one_task_a_rank(team.size());
    std::int64_t late = 0;
    for (const auto receive : {comm::ReceiveMode::probe, comm::ReceiveMode::immediate})
      for (std::uint64_t seed = 1; seed <= 5; ++seed)
        team.run([&](comm::Rank& engine) {
          // to all but rank 1, which hears of nobody else, the first news come before the first number
          comm::CheckedRank rank(engine, {.seed = seed, .last_on_bulk = engine.rank() > 1 ? 0 : -1});
          std::int64_t mine = Triangle(rank, tree, receive).run_all();
          comm::collective::all_reduce(rank, std::span(&mine, 1), std::plus<>());
          if (rank.rank() == 0) late += mine;
          comm::collective::barrier(rank);
        });
    if (team.first_local() == 0) {
      EXPECT_GE(late, 2 * 5 * (team.size() - 2));
    }
  });
}

}  // namespace
}  // namespace overlapack::dist
