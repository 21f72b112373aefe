#include "dist/tree/load_board.hpp"

#include "comm/collective/collective.hpp"
#include "engine.hpp"
#include "one_task_a_rank.hpp"

#include <numeric>
#include <utility>

namespace overlapack::dist {
namespace {

using comm::conformance::on_each_team;

std::vector<Load> same_loads(int ranks, Load load) {
  return std::vector<Load>(static_cast<std::size_t>(ranks), load);
}

std::vector<int> all_of(const comm::Rank& rank) {
  std::vector<int> ranks(static_cast<std::size_t>(rank.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// Until this rank knows that the load of every other is so; what has not come after 10 s does not come.
void expect_soon(comm::Rank& rank, LoadBoard& board, Load expected) {
  const double deadline = rank.now() + 10;
  const auto is_known = [&] {
    const std::span<const Load> loads = board.loads();
    for (int r = 0; r < rank.size(); ++r) {
      const Load& load = loads[static_cast<std::size_t>(r)];
      if (r != rank.rank() && (load.flops != expected.flops || load.bytes != expected.bytes)) return false;
    }
    return true;
  };
  while (!is_known() && rank.now() < deadline) rank.poll();
  EXPECT_TRUE(is_known());
}

TEST(LoadBoard, TellsChangesAboveAThreshold) {
  for (const NewsBy by : {NewsBy::own_lane, NewsBy::put})
    on_each_team([&](comm::Rank& rank) {
      const int others = rank.size() - 1;
      LoadBoard board(rank, same_loads(rank.size(), {100, 10}), {.flops = 5, .bytes = 1000}, all_of(rank),
                      by);
      board.add_mine(3, 10);
      EXPECT_EQ(board.announcements_sent(), 0);
      EXPECT_EQ(board.loads()[static_cast<std::size_t>(rank.rank())].flops, 103);
      board.add_mine(3, 10);  // 6 more than what was told last
      EXPECT_EQ(board.announcements_sent(), others);
      expect_soon(rank, board, {106, 10});
      comm::collective::barrier(rank);
      board.add_mine(0, 1011);
      EXPECT_EQ(board.announcements_sent(), 2 * others);
      board.add_mine(-5, 11);  // as many flops as the threshold, but fewer bytes
      EXPECT_EQ(board.announcements_sent(), 2 * others);
      expect_soon(rank, board, {106, 1011});
      board.finish();
    });
}

TEST(LoadBoard, TellsNothingBelowZero) {
  on_each_team([](comm::Rank& rank) {
    LoadBoard board(rank, same_loads(rank.size(), {}), {.flops = -1}, all_of(rank));
    board.add_mine(1e9, 1e9);
    EXPECT_EQ(board.announcements_sent(), 0);
    board.finish();
  });
}

/// A task a rank, whose load changes three times in it.
class Changes : public TaskEvents {
 public:
  Changes(comm::Rank& rank, std::vector<int> readers)
      : tree_(one_task_a_rank(rank.size())),
        walk_(rank, tree_, Direction::upward, {}, *this),
        board_(rank, same_loads(rank.size(), {}), {.flops = 5, .bytes = 1e9}, std::move(readers),
               NewsBy::shared_lane, &walk_) {}

  bool run(Index) override {
    for (int i = 0; i < 3; ++i) board_.add_mine(10, 0);
    return true;
  }
  void on_task_message(Index, comm::Message) override { ADD_FAILURE() << "no task has anything to wait for"; }
  void on_message(comm::Message message) override { board_.handle_load_message(message); }
  void on_idle(bool has_ended) override {
    if (has_ended && !std::exchange(is_closing_, true)) board_.close();
  }
  bool is_closed() const override { return board_.is_closed(); }

  LoadBoard& run_all() {
    walk_.run();
    return board_;
  }

 private:
  TaskTree tree_;
  TreeWalk walk_;
  LoadBoard board_;
  bool is_closing_ = false;
};

TEST(LoadBoard, ManyChangesInOneTaskAreOneMessageOnASharedLane) {
  on_each_team([](comm::Rank& rank) {
    Changes changes(rank, all_of(rank));
    LoadBoard& board = changes.run_all();
    EXPECT_EQ(board.announcements_sent(), rank.size() - 1);
    for (const Load& load : board.loads()) EXPECT_EQ(load.flops, 30);
    board.finish();
  });
}

/// Rank 0 alone looks at loads.
TEST(LoadBoard, OnlyReadersHearOfChanges) {
  for (const NewsBy by : {NewsBy::own_lane, NewsBy::put})
    on_each_team([&](comm::Rank& rank) {
      LoadBoard board(rank, same_loads(rank.size(), {1, 1}), {.flops = 5, .bytes = 1000}, {0}, by);
      board.add_mine(10, 1);
      EXPECT_EQ(board.announcements_sent(), rank.rank() > 0);
      if (rank.rank() == 0)
        expect_soon(rank, board, {11, 1});
      else
        for (int r = 0; r < rank.size(); ++r)
          if (r != rank.rank()) {
            EXPECT_EQ(board.loads()[static_cast<std::size_t>(r)].flops, 1);
          }
      board.finish();
    });
  on_each_team([](comm::Rank& rank) {
    Changes changes(rank, {0});
    LoadBoard& board = changes.run_all();
    EXPECT_EQ(board.announcements_sent(), rank.rank() > 0);
    for (int r = 0; r < rank.size(); ++r)
      EXPECT_EQ(board.loads()[static_cast<std::size_t>(r)].flops,
                rank.rank() == 0 || r == rank.rank() ? 30 : 0);
    board.finish();
  });
}

}  // namespace
}  // namespace overlapack::dist
