#include "dist/moves/move_times.hpp"

#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "comm/wrap/counted.hpp"
#include "engine.hpp"

#include <cmath>

/// What moves cost, measured on whichever engine the test was started with: that all ranks end with the same figures, and that
/// what is said to be measured was done.
namespace overlapack::dist::testing {
namespace {

using comm::conformance::each_team;
using comm::conformance::on_each_team;

std::vector<double> figures_of(const MoveTimes& times) {
  std::vector<double> figures{times.flops_per_s};
  for (const TransferCost& cost : {times.in_row, times.in_column})
    for (const double figure : {cost.message_s, cost.byte.message_s, cost.byte_of_one_column.message_s,
                                cost.next_s, cost.hidden, cost.signal_s, cost.next_signal_s, cost.get_s,
                                cost.byte.get_s, cost.byte_of_one_column.get_s, cost.get_byte_of_first_s})
      figures.push_back(figure);
  return figures;
}

double sum(const TransferCost& cost) {
  return cost.message_s + cost.byte.message_s + cost.byte_of_one_column.message_s + cost.next_s +
         cost.signal_s + cost.next_signal_s + cost.get_s + cost.byte.get_s + cost.byte_of_one_column.get_s +
         cost.get_byte_of_first_s;
}

void expect_measured(comm::Rank& engine, const ProcessGrid& grid) {
  comm::Counts counts;
  comm::CountedRank rank(engine, counts);
  const MoveTimes times = measured_moves(rank, grid);
  const std::vector<double> mine = figures_of(times);
  for (const double figure : mine) EXPECT_TRUE(std::isfinite(figure) && figure >= 0) << figure;
  EXPECT_GT(times.flops_per_s, 0);
  EXPECT_LE(times.in_row.hidden, 1);
  EXPECT_LE(times.in_column.hidden, 1);
  EXPECT_EQ(times.in_row.message_s > 0, grid.cols() > 1);
  EXPECT_EQ(times.in_column.message_s > 0, grid.rows() > 1);
  EXPECT_EQ(sum(times.in_row) > 0, grid.cols() > 1);
  std::vector<double> least = mine, most = mine;
  comm::collective::all_reduce(rank, std::span<double>(least),
                               [](double a, double b) { return std::min(a, b); });
  comm::collective::all_reduce(rank, std::span<double>(most),
                               [](double a, double b) { return std::max(a, b); });
  EXPECT_EQ(least, most);
  const auto total = [&](std::int64_t of_mine) {
    return comm::collective::all_reduce(rank, of_mine, std::plus<>());
  };
  EXPECT_EQ(total(counts.signals) > 0, times.has_windows && grid.size() > 1);
  EXPECT_EQ(total(counts.got.messages) > 0, times.has_windows && grid.size() > 1);
}

TEST(MoveTimes, AreTheSameOnAllRanks) {
  on_each_team([](comm::Rank& rank) {
    expect_measured(rank, squarest_grid(rank.size(), GridOrder::row_major));
    expect_measured(rank, ProcessGrid(rank.size(), 1, GridOrder::column_major, rank.size()));
  });
}

TEST(MoveTimes, RanksOutsideOfTheGridOnlyKeepStep) {
  on_each_team([](comm::Rank& rank) {
    if (rank.size() > 2) expect_measured(rank, ProcessGrid(1, 2, GridOrder::row_major, rank.size()));
  });
}

TEST(MoveTimes, AFaultAtEveryCallEndsAllRanks) {
  if (!comm::conformance::is_thread()) GTEST_SKIP() << "processes keep windows until they end";
  each_team({.watchdog_s = 20}, [](comm::Team& team) {
    if (team.size() != 4) return;
    std::int64_t k = 0;
    for (bool has_thrown = true; has_thrown && k < 10000; k += has_thrown ? 1 + k / 2 : 0) {
      has_thrown = false;
      try {
        team.run([&](comm::Rank& engine) {
          comm::CheckedRank rank(engine,
                                 {.seed = 5, .delay = 0, .throw_at_call = engine.rank() == k % 4 ? k : -1});
          measured_moves(rank, squarest_grid(4, GridOrder::row_major));
        });
      } catch (const Error& error) {
        has_thrown = true;
        EXPECT_EQ(std::string(error.what()), "a fault was injected at call " + std::to_string(k));
      }
    }
    EXPECT_GT(k, 100);
  });
}

}  // namespace
}  // namespace overlapack::dist::testing
