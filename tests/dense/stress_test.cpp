#include "comm/collective/collective.hpp"
#include "comm/team.hpp"
#include "dense/cholesky/cholesky.hpp"
#include "dense/lu/lu.hpp"
#include "dense/qr/qr.hpp"
#include "distributed.hpp"

#include <gtest/gtest.h>

/// Every parallel path of the dense factorisations has a counter; small blocks and tiles make each path run on a small
/// matrix. That the results are right is the matter of lu_test.cpp and products_test.cpp.
namespace overlapack::dense::testing {
namespace {

using Counter = Index FactorResult::*;

/// The sum of a counter over four ranks.
template <class Factor>
Index count(Counter counter, const comm::TeamOptions& options, Factor&& factor) {
  Index sum = 0;
  comm::open(options)->run([&](comm::Rank& rank) {
    const FactorResult result = factor(rank);
    const Index all = comm::collective::all_reduce(rank, result.*counter, std::plus<>());
    if (rank.rank() == 0) sum = all;
  });
  return sum;
}

FactorResult factorize(comm::Rank& rank, int P, int Q, const LuPlan& plan) {
  constexpr Index n = 90, b = 4;
  const dist::ProcessGrid grid(P, Q, dist::GridOrder::row_major, rank.size());
  auto A = make<double>(grid, rank.rank(), {n, b, P}, {n, b, Q},
                        [](Index i, Index j) { return entry<double>(1, i, j); });
  std::vector<Index> pivots(n);
  return lu_factor(rank, A.A, std::span<Index>(pivots), plan);
}

const comm::TeamOptions four{.engine = "thread", .ranks = 4};

Index count_lu(Counter counter, int P, int Q, const LuPlan& plan) {
  return count(counter, four, [&](comm::Rank& rank) { return factorize(rank, P, Q, plan); });
}

TEST(DenseStress, PanelsAheadAndSplitUpdates) {
  EXPECT_GT(count_lu(&FactorResult::panels_ahead, 2, 2, {.schedule = Schedule::look_ahead, .depth = 2}), 0);
  EXPECT_GT(count_lu(&FactorResult::split_updates, 2, 2, {.schedule = Schedule::split}), 0);
  EXPECT_EQ(count_lu(&FactorResult::panels_ahead, 2, 2, {.schedule = Schedule::flat}), 0);
}

TEST(DenseStress, OppositePhasesAndRearrangedBroadcasts) {
  const LuPlan along_rows{.schedule = Schedule::parity,
                          .ranks_per_node = 2};  // ranks 0 and 1 are (0, 0) and (0, 1)
  EXPECT_GT(count_lu(&FactorResult::opposite_phases, 2, 2, along_rows), 0);
  EXPECT_GT(count_lu(&FactorResult::rearranged_lower, 2, 2, along_rows), 0);
  EXPECT_EQ(count_lu(&FactorResult::rearranged_upper, 2, 2, along_rows), 0);
  EXPECT_GT(count_lu(&FactorResult::rearranged_upper, 4, 1, along_rows), 0);
  EXPECT_GT(count_lu(&FactorResult::early_columns, 2, 2, along_rows), 0);
  LuPlan of_paper = along_rows;
  of_paper.depth = 0;
  EXPECT_EQ(count_lu(&FactorResult::early_columns, 2, 2, of_paper), 0);
}

TEST(DenseStress, EachKindOfInterchange) {
  const auto with = [](dist::SwapKind kind) {
    return LuPlan{.schedule = Schedule::flat, .messages = {.swap = kind, .mix_columns = 20}};
  };
  EXPECT_GT(count_lu(&FactorResult::binary_exchanges, 2, 2, with(dist::SwapKind::binary_exchange)), 0);
  EXPECT_GT(count_lu(&FactorResult::spread_rolls, 2, 2, with(dist::SwapKind::spread_roll)), 0);
  EXPECT_GT(count_lu(&FactorResult::direct_interchanges, 2, 2, with(dist::SwapKind::direct)), 0);
  EXPECT_GT(count_lu(&FactorResult::pairwise_interchanges, 2, 2, with(dist::SwapKind::pairwise)), 0);
  EXPECT_GT(count_lu(&FactorResult::binary_exchanges, 2, 2, with(dist::SwapKind::mix)),
            0);                                                                          // the last columns
  EXPECT_GT(count_lu(&FactorResult::spread_rolls, 2, 2, with(dist::SwapKind::mix)), 0);  // the first
}

TEST(DenseStress, SuperstepsAndOneSidedSwaps) {
  const auto by = [](Discipline discipline, PivotSearch search, RowSwap swap) {
    return LuPlan{
        .discipline = discipline, .schedule = Schedule::flat, .pivot_search = search, .row_swap = swap};
  };
  for (const PivotSearch search : {PivotSearch::combined, PivotSearch::columns}) {
    const LuPlan plan = by(Discipline::superstep, search, RowSwap::native);
    EXPECT_GT(count_lu(&FactorResult::supersteps, 2, 2, plan), 0);
    EXPECT_GT(count_lu(&FactorResult::superstep_words, 4, 1, plan), 0);
    EXPECT_GT(count_lu(&FactorResult::superstep_words, 1, 4, plan), 0);
    EXPECT_EQ(count_lu(&FactorResult::row_swaps, 2, 2, plan), 0);
    EXPECT_EQ(count_lu(&FactorResult::shared_interchanges, 2, 2, plan), 0);
  }
  LuPlan shared = by(Discipline::superstep, PivotSearch::combined, RowSwap::native);
  shared.swap = dist::SwapKind::shared;
  EXPECT_GT(count_lu(&FactorResult::shared_interchanges, 2, 2, shared), 0);
  EXPECT_EQ(count_lu(&FactorResult::shared_interchanges, 1, 4, shared), 0);
  LuPlan wide = by(Discipline::superstep, PivotSearch::columns, RowSwap::native);
  EXPECT_EQ(count_lu(&FactorResult::wide_panels, 2, 2, wide), 0);
  wide.panel_width = 8;  // two blocks
  EXPECT_GT(count_lu(&FactorResult::wide_panels, 2, 2, wide), 0);
  EXPECT_GT(count_lu(&FactorResult::wide_panels, 1, 4, wide), 0);
  for (const RowSwap swap : {RowSwap::native, RowSwap::generic}) {
    const LuPlan plan = by(Discipline::onesided, PivotSearch::combined, swap);
    EXPECT_GT(count_lu(&FactorResult::row_swaps, 2, 2, plan), 0);
    EXPECT_EQ(count_lu(&FactorResult::row_swaps, 1, 4, plan), 0);
    EXPECT_GT(count_lu(&FactorResult::put_signals, 2, 2, plan), 0);
    EXPECT_EQ(count_lu(&FactorResult::put_signals, 1, 4, plan), 0);
    EXPECT_EQ(count_lu(&FactorResult::supersteps, 2, 2, plan), 0);
  }
}

TEST(DenseStress, OneSidedPanelsAheadInPlaceAndCopied) {
  for (const Schedule schedule : {Schedule::look_ahead, Schedule::split})
    for (const bool in_place : {true, false}) {
      const LuPlan plan{.discipline = Discipline::onesided, .schedule = schedule, .reads_in_place = in_place};
      EXPECT_GT(count_lu(&FactorResult::panels_ahead, 2, 2, plan), 0);
      EXPECT_EQ(count_lu(&FactorResult::blocks_in_place, 2, 2, plan) > 0, in_place);
      EXPECT_EQ(count_lu(&FactorResult::blocks_copied, 2, 2, plan) > 0, !in_place);
    }
}

FactorResult reflect(comm::Rank& rank, int P, int Q, const QrPlan& plan) {
  constexpr Index m = 110, n = 90, b = 4;
  const dist::ProcessGrid grid(P, Q, dist::GridOrder::row_major, rank.size());
  auto A = make<double>(grid, rank.rank(), {m, b, P}, {n, b, Q},
                        [](Index i, Index j) { return entry<double>(1, i, j); });
  std::vector<double> s(b * n);
  return qr_factor<double>(rank, {A.A, {s.data(), b, n, b}}, plan);
}

TEST(DenseStress, PanelsOfQrAhead) {
  const auto ahead = [](int P, int Q, int depth) {
    return count(&FactorResult::panels_ahead, four,
                 [&](comm::Rank& rank) { return reflect(rank, P, Q, {.depth = depth, .tile = 4}); });
  };
  EXPECT_GT(ahead(2, 2, 1), 0);
  EXPECT_GT(ahead(1, 4, 3), 0);
  EXPECT_EQ(ahead(2, 2, 0), 0);
}

/// Whether a message comes during a computation is chance: many rounds.
TEST(DenseStress, MessagesThatComeDuringComputations) {
  Index lu = 0, cholesky = 0, qr = 0;
  for (int round = 0; round < 200 && (lu == 0 || cholesky == 0 || qr == 0); ++round) {
    qr += count(&FactorResult::overlapped_messages, four,
                [](comm::Rank& rank) { return reflect(rank, 2, 2, {.tile = 4}); });
    lu += count_lu(&FactorResult::overlapped_messages, 2, 2, {.schedule = Schedule::look_ahead, .tile = 4});
    cholesky += count(&FactorResult::overlapped_messages, four, [](comm::Rank& rank) {
      constexpr Index n = 90, b = 4;
      const dist::ProcessGrid grid(2, 2, dist::GridOrder::row_major, rank.size());
      auto A = make<double>(grid, rank.rank(), {n, b, 2}, {n, b, 2},
                            [](Index i, Index j) { return i == j ? 2.0 * n : entry<double>(2, i, j); });
      return cholesky_factor(rank, A.A, {.tile = 4});
    });
  }
  EXPECT_GT(lu, 0);
  EXPECT_GT(cholesky, 0);
  EXPECT_GT(qr, 0);
}

/// The same for slices that helper threads take.
TEST(DenseStress, HelpersTakeSlicesOfTheHybridSchedule) {
  std::int64_t helped = 0;
  for (int round = 0; round < 200 && helped == 0; ++round)
    comm::open({.engine = "thread", .ranks = 2, .workers = 2})->run([&](comm::Rank& rank) {
      factorize(rank, 1, 2, {.schedule = Schedule::hybrid, .tile = 4});
      const auto all = comm::collective::all_reduce(rank, rank.counters().slices_by_others, std::plus<>());
      if (rank.rank() == 0) helped = all;
    });
  EXPECT_GT(helped, 0);
}

}  // namespace
}  // namespace overlapack::dense::testing
