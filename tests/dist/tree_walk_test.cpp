#include "dist/tree/tree_walk.hpp"

#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "dist/tree/stealing.hpp"
#include "engine.hpp"
#include "one_task_a_rank.hpp"

#include <functional>
#include <map>
#include <set>
#include <utility>

/// Messages of a walk that are passed on, and messages that come before one that they need.
namespace overlapack::dist {
namespace {

using comm::conformance::each_team;
using comm::conformance::on_each_team;

enum Kind : std::int32_t { to_relay = 1, relayed };

/// Ranks 0 and 1 pass on what the last rank sends them, each to the other.
class Relays : public TaskEvents {
 public:
  static constexpr int messages = 20;

  Relays(comm::Rank& rank, const TaskTree& tree, const WalkPlan& plan)
      : rank_(rank), walk_(rank, tree, Direction::upward, plan, *this) {
    if (rank.rank() > 1) return;
    for (int i = 0; i < 2 * messages; ++i) walk_.add_hold();  // to pass on, and passed on by the other
  }

  bool run(Index) override {
    if (rank_.rank() == rank_.size() - 1)
      for (int i = 0; i < messages; ++i)
        for (const int relay : {0, 1})
          walk_.post(relay, {.kind = to_relay}, comm::Body::adopt(std::vector<char>(300)));
    return true;
  }
  void on_task_message(Index, comm::Message) override { ADD_FAILURE() << "no task has anything to wait for"; }
  void on_message(comm::Message message) override {
    if (message.header.kind == relayed) {
      ++got_;
      return walk_.release_hold();
    }
    walk_.add_urgent_job([this, body = message.body] {
      walk_.post(1 - rank_.rank(), {.kind = relayed}, body);
      walk_.release_hold();
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
class Triangle : public TaskEvents {
 public:
  static constexpr int rounds = 100;
  enum Kind : std::int32_t { number = 1, news };

  Triangle(comm::Rank& rank, const TaskTree& tree, comm::ReceiveMode receive)
      : rank_(rank),
        walk_(rank, tree, Direction::upward,
              {.receive = receive, .posted = 1, .early = EarlyMessages::wait, .budget_bytes = 1}, *this) {
    for (int i = 0; i < rounds * (rank.rank() == 0 ? 0 : 2); ++i) walk_.add_hold();
  }

  bool run(Index) override {
    if (rank_.rank() != 0) return true;
    for (int i = 0; i < rounds; ++i) {
      for (int to = rank_.size() - 1; to > 0; --to) walk_.post(to, {.kind = number, .id = {0, 0, i}}, {});
      walk_.post(1, {.kind = news, .id = {0, 0, i}}, {});
    }
    return true;
  }
  void on_task_message(Index, comm::Message) override { ADD_FAILURE() << "no task has anything to wait for"; }
  void on_message(comm::Message message) override {
    const Index i = message.header.id[2];
    if (message.header.kind == number) {
      EXPECT_EQ(i, numbers_++);
      return walk_.release_hold();
    }
    const bool is_early = numbers_ <= i;
    if (is_early) walk_.receive_late_message(0, [&] { return numbers_ > i; });
    EXPECT_GT(numbers_, i);
    late_ += is_early;
    if (rank_.rank() != 1) return walk_.release_hold();
    walk_.add_job([this, i] {
      for (int to = 2; to < rank_.size(); ++to) walk_.post(to, {.kind = news, .id = {0, 0, i}}, {});
      walk_.release_hold();
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

/// Two leaves a rank below a chain over all ranks. A walk is idle where nothing of it is ready, has ended after its last task, and does
/// what it is asked for then.
class Idle : public TaskEvents {
 public:
  enum Kind : std::int32_t { done = 1 };

  explicit Idle(comm::Rank& rank)
      : tree_(make_tree(rank.size())), walk_(rank, tree_, Direction::upward, {}, *this) {}

  bool run(Index task) override {
    --ready_;
    ++done_;
    const Index parent = tree_.parent[static_cast<std::size_t>(task)];
    if (parent >= 0 && !walk_.is_mine(parent)) walk_.send(parent, {.kind = done}, {}, true);
    return true;
  }
  void on_task_ready(Index) override { ++ready_; }
  void on_task_message(Index, comm::Message) override {}
  void on_idle(bool has_ended) override {
    EXPECT_EQ(ready_, 0);
    EXPECT_EQ(has_ended, done_ == 3);
    if (has_ended && !std::exchange(has_asked_, true)) walk_.add_job([this] { ++last_jobs_; });
  }

  int run_all() {
    walk_.run();
    EXPECT_EQ(last_jobs_, 1);
    return done_;
  }

 private:
  /// Tasks 0 .. 2 p - 1 are the leaves, 2 r and 2 r + 1 those of 2 p + r in the chain.
  static TaskTree make_tree(int ranks) {
    TaskTree tree;
    for (int leaf = 0; leaf < 2 * ranks; ++leaf) {
      tree.parent.push_back(2 * ranks + leaf / 2);
      tree.owner.push_back(leaf / 2);
    }
    for (int r = 0; r < ranks; ++r) {
      tree.parent.push_back(r + 1 < ranks ? 2 * ranks + r + 1 : -1);
      tree.owner.push_back(r);
    }
    return tree;
  }

  TaskTree tree_;
  TreeWalk walk_;
  int ready_ = 2, done_ = 0, last_jobs_ = 0;
  bool has_asked_ = false;
};

TEST(TreeWalk, IsIdleWhenNothingIsReadyAndEndsAfterItsLastTask) {
  on_each_team([](comm::Rank& engine) {
    comm::CheckedRank rank(engine, {});
    EXPECT_EQ(Idle(rank).run_all(), 3);
    comm::collective::barrier(rank);
  });
}

/// Nothing of the second one comes to the first, which is still there.
TEST(TreeWalk, OneFollowsAnother) {
  on_each_team([](comm::Rank& rank) {
    Idle first(rank);
    EXPECT_EQ(first.run_all(), 3);
    EXPECT_EQ(Idle(rank).run_all(), 3);
  });
}

TEST(TreeWalk, WaitingForLateMessagesTakesOnePostedReceive) {
  on_each_team([](comm::Rank& rank) {
    const TaskTree tree = one_task_a_rank(rank.size());
    try {
      Relays(rank, tree,
             {.receive = comm::ReceiveMode::immediate, .posted = 2, .early = EarlyMessages::wait});
      ADD_FAILURE() << "two receives were posted";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_plan);
    }
    comm::collective::barrier(rank);
  });
}

/// Rank 0 has all tasks; those from `first_to_leave` on that have a parent may be taken by others. In each of the first `rounds` tasks that
/// it does itself it does not go on before the others have been hungry so many times, all together, once more.
class Robbed : public TaskEvents, public StealEvents {
 public:
  enum Kind : std::int32_t { stealing = 1, done };

  Robbed(comm::Rank& rank, TaskTree tree, Index first_to_leave, Index rounds)
      : tree_(std::move(tree)),
        first_to_leave_(first_to_leave),
        rounds_(rounds),
        walk_(rank, tree_, Direction::upward, {.budget_bytes = 1}, *this),
        stealing_(walk_, tree_.size(), *this, stealing),
        ready_(leaves_of(tree_)) {}

  bool run(Index task) override {
    --ready_;
    stealing_.on_task_begin(task);
    done_.push_back(task);
    while (waits_in(task) && hungry_ < (task + 1) * (walk_.rank().size() - 1)) walk_.handle_arrived();
    if (tree_.parent[task] >= 0 && !walk_.is_mine(tree_.parent[task]))
      walk_.send(tree_.parent[task], {.kind = done}, {}, true);
    return true;
  }
  void on_task_ready(Index task) override {
    ++ready_;
    stealing_.on_task_ready(task);
  }
  void on_task_message(Index, comm::Message) override {}
  void on_message(comm::Message message) override {
    constexpr std::int64_t hungry = 0, heard = 3;
    const std::int64_t step = message.header.id[3];
    if (step == heard) has_heard_.insert(message.source);
    if (step == hungry) {
      ++hungry_;
      ++asked_[message.source];
      EXPECT_FALSE(has_heard_.contains(message.source)) << "that was its last message";
    }
    stealing_.on_message(std::move(message));
  }
  void on_idle(bool) override { stealing_.ask_for_work(); }
  bool is_closed() const override { return stealing_.is_closed(); }

  bool may_be_stolen(Index task) const override { return tree_.parent[task] >= 0 && task >= first_to_leave_; }
  comm::Body pack_stolen(Index task, int thief) override {
    EXPECT_TRUE(may_be_stolen(task));
    ++given_;
    EXPECT_GT(--ready_, 0) << "it was what this rank does next";
    EXPECT_GE(--asked_[thief], 0) << "it asked for less";
    tree_.owner[task] = thief;
    return comm::Body::adopt(std::vector<Index>{-task});
  }
  void store_stolen(Index task, comm::Body body) override {
    EXPECT_EQ(body.as<Index>()[0], -task);
    tree_.owner[task] = walk_.rank().rank();
  }

  std::vector<Index> run_all() {
    walk_.run();
    EXPECT_EQ(stealing_.stolen(), walk_.rank().rank() == 0 ? 0 : static_cast<Index>(done_.size()));
    EXPECT_LE(hungry_, walk_.rank().size() - 1 + given_);  // each once, and again only after a task has come
    return done_;
  }

 private:
  /// Tasks that wait for no other; ready at the start where all are of one rank.
  static Index leaves_of(const TaskTree& tree) {
    const std::set<Index> parents(tree.parent.begin(), tree.parent.end());
    Index leaves = 0;
    for (Index t = 0; t < tree.size(); ++t) leaves += !parents.contains(t);
    return leaves;
  }
  bool waits_in(Index task) const { return walk_.rank().rank() == 0 && task < rounds_; }

  TaskTree tree_;
  Index first_to_leave_, rounds_;
  TreeWalk walk_;
  Stealing stealing_;
  Index ready_;  ///< of rank 0
  std::vector<Index> done_;
  std::set<int> has_heard_;
  std::map<int, int> asked_;  ///< by thief: what it was not given yet
  Index hungry_ = 0, given_ = 0;
};

/// Each task is done once, some of them by others than rank 0.
void rob(comm::Team& team, TaskTree tree, Index first_to_leave, Index rounds) {
  tree.owner.assign(tree.parent.size(), 0);
  for (std::uint64_t seed = 0; seed <= 5; ++seed)
    team.run([&](comm::Rank& engine) {
      comm::CheckedRank rank(engine, {.seed = seed, .delay = seed == 0 ? 0 : 0.5});
      const std::vector<Index> mine = Robbed(rank, tree, first_to_leave, rounds).run_all();
      std::vector<int> times(tree.parent.size(), 0);
      for (const Index task : mine) ++times[static_cast<std::size_t>(task)];
      comm::collective::all_reduce(rank, std::span<int>(times), std::plus<>());
      EXPECT_EQ(times, std::vector<int>(times.size(), 1));
      if (rank.rank() == 0) {
        EXPECT_EQ(mine.size() < times.size(), rank.size() > 1);
      }
      comm::collective::barrier(rank);
    });
}

// Leaves of one root, and a task that stays, which nothing waits for.
TEST(TreeWalk, HungryRanksTakeTasksAndEachIsDoneOnce) {
  each_team({.eager_bytes = 0}, [](comm::Team& team) {
    TaskTree tree;
    const Index leaves = 3 * team.size();
    tree.parent.assign(static_cast<std::size_t>(leaves), leaves);
    tree.parent.insert(tree.parent.end(), {-1, -1});
    rob(team, tree, 0, 2);
  });
}

// As many chains of a leaf, which stays, and its parent as there are ranks: when all are hungry there is nothing to take yet.
TEST(TreeWalk, HungryRanksAreOfferedWhatGetsReady) {
  each_team({.eager_bytes = 0}, [](comm::Team& team) {
    TaskTree tree;
    const Index chains = team.size();
    for (Index c = 0; c < chains; ++c) tree.parent.push_back(chains + c);
    tree.parent.insert(tree.parent.end(), static_cast<std::size_t>(chains), 2 * chains);
    tree.parent.push_back(-1);
    rob(team, tree, chains, 1);
  });
}

}  // namespace
}  // namespace overlapack::dist
