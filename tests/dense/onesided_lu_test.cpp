#include "comm/wrap/checked.hpp"
#include "comm/wrap/counted.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "engine.hpp"
#include "factors.hpp"

#include <optional>

/// LU by puts and gets, on whichever engine the test was started with.
namespace overlapack::dense::testing {
namespace {

using comm::conformance::each_team;
using comm::conformance::on_each_team;
using dist::GridOrder;

template <class T>
class OneSidedLuOf : public ::testing::Test {};
using ScalarTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(OneSidedLuOf, ScalarTypes);

/// Every way to search, to order the exchanges, to exchange and to broadcast.
template <class F>
void for_each_onesided_plan(F&& f) {
  for (const PivotSearch search : {PivotSearch::combined, PivotSearch::columns})
    for (const dist::SwapKind order : {dist::SwapKind::direct, dist::SwapKind::pairwise})
      for (const RowSwap swap : {RowSwap::native, RowSwap::generic})
        for (const std::optional<BroadcastKind> library :
             {std::optional<BroadcastKind>(), std::optional(BroadcastKind::direct),
              std::optional(BroadcastKind::binary_tree)})
          f(LuPlan{.discipline = Discipline::onesided,
                   .schedule = Schedule::flat,
                   .pivot_search = search,
                   .row_swap = swap,
                   .swap = order,
                   .library_broadcast = library});
}

template <class T>
void expect_onesided_as_messages(comm::Rank& rank, const dist::ProcessGrid& grid) {
  const auto by_messages = pivots_by<T>(rank, grid, {.schedule = Schedule::flat});
  int round = 0, turn = 0;
  for_each_onesided_plan([&](LuPlan plan) {
    constexpr std::optional<LentMemory> memories[] = {std::nullopt, LentMemory::copy, LentMemory::attach};
    plan.lent_memory = memories[turn++ % 3];
    EXPECT_EQ(pivots_by<T>(rank, grid, plan), by_messages);
    for (const Case& c : cases) {
      if (++round % 5 != 0) continue;  // all pairs of a plan and a case are too many
      const FactorResult result = expect_factors<T>(rank, grid, c, plan);
      const Index swaps = comm::collective::all_reduce(rank, result.row_swaps, std::plus<>());
      const Index signals = comm::collective::all_reduce(rank, result.signals, std::plus<>());
      if (plan.lent_memory && grid.holds(rank.rank())) {
        EXPECT_EQ(*plan.lent_memory == LentMemory::copy ? result.lent_copy : result.lent_attach, 1);
      }
      if (c.n < 40) continue;
      EXPECT_EQ(swaps > 0, grid.rows() > 1);
      // what a swap synchronises; nothing else does by windows where broadcasts and searches are messages
      const Index each = plan.row_swap == RowSwap::native ? 2 : 3;
      if (plan.library_broadcast != BroadcastKind::binary_tree) {
        EXPECT_EQ(signals > each * swaps, grid.size() > 1);
      } else {
        EXPECT_EQ(signals, each * swaps);
      }
    }
  });
}

TYPED_TEST(OneSidedLuOf, FlatOnAllGrids) {
  on_each_team([](comm::Rank& rank) {
    GridOrder order = GridOrder::row_major;
    for (const auto& [p, q] : grids(rank.size())) {
      expect_onesided_as_messages<TypeParam>(rank, dist::ProcessGrid(p, q, order, rank.size()));
      order = order == GridOrder::row_major ? GridOrder::column_major : GridOrder::row_major;
    }
  });
  if (comm::conformance::is_thread())
    comm::run({.ranks = 6}, [](comm::Rank& rank) {
      for (const auto& [p, q] : {std::pair{2, 3}, {3, 2}})
        expect_onesided_as_messages<TypeParam>(rank, dist::ProcessGrid(p, q, GridOrder::row_major, 6));
    });
}

/// A block of L or U is read where it stands on engines whose ranks load each other's memory.
bool is_within_reach(const comm::Rank& rank, const LuPlan& plan) {
  const comm::Capabilities can = rank.capabilities();
  return !can.virtual_time && (can.shared_memory || plan.lent_memory != LentMemory::attach);
}

/// Panels ahead: the pivots of the flat schedule by messages, and the factors of the same schedule by messages, bit by bit, whether
/// panels are read where they stand or come as copies.
template <class T>
void expect_ahead_as_messages(comm::Rank& rank, const dist::ProcessGrid& grid, LuPlan plan, const Case& c) {
  const auto factors = [&](const LuPlan& by) {
    auto made = make<T>(grid, rank.rank(), {c.m, c.block, grid.rows(), c.source_row % grid.rows()},
                        {c.n, c.block, grid.cols(), c.source_col % grid.cols()},
                        [](Index i, Index j) { return entry<T>(5, i, j); });
    std::vector<Index> pivots(static_cast<std::size_t>(std::min(c.m, c.n)));
    lu_factor(rank, made.A, std::span<Index>(pivots), by);
    return collected(rank, made.A);
  };
  LuPlan by_messages = plan;
  by_messages.discipline = Discipline::messages;
  by_messages.messages.swap = dist::SwapKind::direct;
  const std::vector<T> expected = factors(by_messages);
  for (const bool in_place : {true, false}) {
    plan.reads_in_place = in_place;
    EXPECT_EQ(factors(plan), expected);
    const FactorResult result = expect_factors<T>(rank, grid, c, plan);
    const Index read = comm::collective::all_reduce(rank, result.blocks_in_place, std::plus<>()),
                copied = comm::collective::all_reduce(rank, result.blocks_copied, std::plus<>());
    const bool is_read = in_place && is_within_reach(rank, plan);
    if (c.n < 40) continue;  // some have no block of others
    EXPECT_EQ(read > 0, is_read && grid.size() > 1);
    EXPECT_EQ(copied > 0, !is_read && grid.size() > 1);
    if (!grid.holds(rank.rank())) continue;
    EXPECT_EQ(result.panels_ahead > 0, plan.schedule == Schedule::split || plan.depth > 0);
  }
}

TYPED_TEST(OneSidedLuOf, AheadOnAllGrids) {
  const auto on = [](comm::Rank& rank, const dist::ProcessGrid& grid) {
    const auto flat = pivots_by<TypeParam>(rank, grid, {.schedule = Schedule::flat});
    int turn = 0;
    for (const Schedule schedule : {Schedule::look_ahead, Schedule::split})
      for (const int depth : {0, 1, 3})
        for (const RowSwap swap : {RowSwap::native, RowSwap::generic}) {
          if (depth != 1 && (schedule == Schedule::split || !std::is_same_v<TypeParam, double>)) continue;
          const LuPlan plan{.discipline = Discipline::onesided,
                            .schedule = schedule,
                            .depth = depth,
                            .split_share = 0.3,
                            .tile = 8,
                            .row_swap = swap,
                            .lent_memory = turn % 3 == 0 ? std::optional(LentMemory::attach) : std::nullopt};
          EXPECT_EQ(pivots_by<TypeParam>(rank, grid, plan), flat);
          expect_ahead_as_messages<TypeParam>(rank, grid, plan, cases[turn++ % std::size(cases)]);
          expect_ahead_as_messages<TypeParam>(rank, grid, plan, {40, 41, 8});
        }
  };
  on_each_team([&](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size()))
      on(rank, dist::ProcessGrid(p, q, GridOrder::row_major, rank.size()));
  });
  if (comm::conformance::is_thread())
    comm::run({.ranks = 6}, [&](comm::Rank& rank) {
      for (const auto& [p, q] : {std::pair{2, 3}, {3, 2}})
        on(rank, dist::ProcessGrid(p, q, GridOrder::row_major, 6));
    });
}

/// Plans that differ in how signals follow each other.
std::vector<LuPlan> plans_ahead() {
  std::vector<LuPlan> plans;
  for (const Schedule schedule : {Schedule::flat, Schedule::look_ahead, Schedule::split})
    for (const PivotSearch search : {PivotSearch::combined, PivotSearch::tournament})
      for (const bool in_place : {true, false})
        plans.push_back({.discipline = Discipline::onesided,
                         .schedule = schedule,
                         .pivot_search = search,
                         .tile = 4,
                         .reads_in_place = in_place});
  return plans;
}

TEST(OneSidedLu, UnderDelaysAndReordering) {
  on_each_team([](comm::Rank& engine) {
    comm::CheckedRank rank(engine, {.seed = 4});
    const dist::ProcessGrid grid = dist::squarest_grid(rank.size(), GridOrder::row_major);
    for (const LuPlan& plan : plans_ahead()) expect_factors<double>(rank, grid, {37, 37, 3, 1, 1}, plan);
    comm::collective::barrier(rank);
  });
}

Index messages_of_lu(comm::Rank& engine, const dist::ProcessGrid& grid, Index n, const LuPlan& plan) {
  comm::Counts counts;
  comm::CountedRank rank(engine, counts);
  auto made = make<double>(grid, rank.rank(), {n, 5, grid.rows()}, {n, 5, grid.cols()},
                           [](Index i, Index j) { return entry<double>(9, i, j); });
  std::vector<Index> pivots(static_cast<std::size_t>(n));
  lu_factor(rank, made.A, std::span<Index>(pivots), plan);
  return counts.sent.messages;
}

/// The same bits in every memory; where A is made in a window it is lent as it stands.
TEST(OneSidedLu, InTheUsersWindow) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size())) {
      const dist::ProcessGrid grid(p, q, GridOrder::row_major, rank.size());
      const dist::BlockCyclic rows{40, 7, p}, cols{40, 7, q};
      std::vector<std::vector<double>> factors;
      for (const std::optional<LentMemory> memory :
           {std::optional<LentMemory>(), std::optional(LentMemory::user), std::optional(LentMemory::copy)}) {
        const dist::OwnedMatrix<double> A(rank, grid, rows, cols);
        const auto made = make<double>(grid, rank.rank(), rows, cols,
                                       [](Index i, Index j) { return entry<double>(9, i, j); });
        for (Index j = 0; j < made.A.local.cols; ++j)
          std::copy_n(made.A.local.column(j), made.A.local.rows, A.view().local.column(j));
        std::vector<Index> pivots(40);
        const FactorResult result = lu_factor(
            rank, A.view(), std::span<Index>(pivots),
            LuPlan{.discipline = Discipline::onesided, .schedule = Schedule::flat, .lent_memory = memory});
        if (grid.holds(rank.rank())) {
          EXPECT_EQ(result.lent_user, memory != LentMemory::copy);
          EXPECT_EQ(result.lent_copy, memory == LentMemory::copy);
        }
        factors.push_back(collected(rank, A.view()));
      }
      EXPECT_EQ(factors[0], factors[1]);
      EXPECT_EQ(factors[0], factors[2]);
      comm::collective::barrier(rank);
    }
  });
}

/// What makes windows and leaves them takes messages; the factorisation between takes none, whatever the order.
TEST(OneSidedLu, SendsNoMessages) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size())) {
      const dist::ProcessGrid grid(p, q, GridOrder::row_major, rank.size());
      for_each_onesided_plan([&](const LuPlan& plan) {
        if (plan.library_broadcast) return;
        EXPECT_EQ(messages_of_lu(rank, grid, 15, plan), messages_of_lu(rank, grid, 60, plan));
      });
    }
  });
}

}  // namespace
}  // namespace overlapack::dense::testing
