#include "dense/lu/lu.hpp"

#include "comm/wrap/checked.hpp"
#include "dense/lu/solve/solve.hpp"
#include "engine.hpp"
#include "factors.hpp"

#include <algorithm>
#include <string>

/// LU: schedules x grids x sizes x kinds of broadcast and interchange, on whichever engine the test was started with.
namespace overlapack::dense::testing {
namespace {

using comm::conformance::each_team;
using comm::conformance::on_each_team;
using dist::GridOrder;

template <class T>
class LuOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LuOf, Types);

TYPED_TEST(LuOf, FlatOnAllGrids) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size()))
      for (const GridOrder order : {GridOrder::row_major, GridOrder::column_major})
        for (const Case& c : cases)
          expect_factors<TypeParam>(rank, dist::ProcessGrid(p, q, order, rank.size()), c,
                                    {.schedule = Schedule::flat});
  });
}

TYPED_TEST(LuOf, LookAheadOfEachDepth) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size()))
      for (const Case& c : cases)
        for (const int depth : {0, 1, 2, 5}) {
          const FactorResult result =
              expect_factors<TypeParam>(rank, dist::ProcessGrid(p, q, GridOrder::row_major, rank.size()), c,
                                        {.schedule = Schedule::look_ahead, .depth = depth, .tile = 8});
          if (depth > 0 && result.panels > 1) {
            EXPECT_GT(result.panels_ahead, 0);
          }
        }
  });
}

TYPED_TEST(LuOf, SplitUpdate) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size()))
      for (const Case& c : cases)
        for (const double share : {0.0, 0.3, 0.5, 1.0}) {
          const FactorResult result =
              expect_factors<TypeParam>(rank, dist::ProcessGrid(p, q, GridOrder::row_major, rank.size()), c,
                                        {.schedule = Schedule::split, .split_share = share, .tile = 8});
          // at least where the next panel is made
          const Index split = comm::collective::all_reduce(rank, result.split_updates, std::plus<>());
          if (c.n >= 40 && share == 0.3) {
            EXPECT_GT(split, 0);
          }
        }
  });
}

TEST(Lu, EachBroadcastWithEachInterchange) {
  on_each_team([](comm::Rank& rank) {
    int round = 0;
    for (std::size_t kind = 0; kind < comm::collective::broadcast_kinds; ++kind)
      for (const dist::SwapKind swap : {dist::SwapKind::binary_exchange, dist::SwapKind::spread_roll,
                                        dist::SwapKind::mix, dist::SwapKind::direct})
        for (const auto& [p, q] : grids(rank.size()))
          for (const Schedule schedule : {Schedule::flat, Schedule::look_ahead, Schedule::split}) {
            if (schedule != Schedule::flat && ++round % 3 != 0) continue;  // all pairs, not all triples
            expect_factors<double>(
                rank, dist::ProcessGrid(p, q, GridOrder::column_major, rank.size()), {26, 27, 4, 1, 1},
                {.schedule = schedule,
                 .messages = {.broadcast = static_cast<comm::collective::BroadcastKind>(kind),
                              .swap = swap,
                              .mix_columns = 6}});
          }
  });
}

LuPlan in_supersteps(PivotSearch search, bool known_syncs, Schedule schedule = Schedule::flat) {
  return {.discipline = Discipline::superstep,
          .schedule = schedule,
          .pivot_search = search,
          .sync = known_syncs ? SyncKind::known : SyncKind::full,
          .world = {.direct_bytes = 64, .is_checked = known_syncs}};
}

/// ScaLAPACK's PxGETRF: search, exchange and update column by column, the exchanges of a panel one after the other.
LuPlan as_scalapack(Discipline discipline) {
  return {.discipline = discipline,
          .schedule = Schedule::flat,
          .pivot_search = PivotSearch::columns,
          .messages = {.broadcast = BroadcastKind::binary_tree, .swap = dist::SwapKind::pairwise},
          .swap = dist::SwapKind::pairwise};
}

template <class T>
void expect_supersteps_as_messages(comm::Rank& rank, const dist::ProcessGrid& grid) {
  const auto by_messages = pivots_by<T>(rank, grid, {.schedule = Schedule::flat});
  for (const PivotSearch search : {PivotSearch::combined, PivotSearch::columns})
    for (const bool known : {false, true}) {
      for (const Case& c : cases) expect_factors<T>(rank, grid, c, in_supersteps(search, known));
      EXPECT_EQ(pivots_by<T>(rank, grid, in_supersteps(search, known)), by_messages);
    }
}

TYPED_TEST(LuOf, SuperstepsOnAllGrids) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size()))
      for (const GridOrder order : {GridOrder::row_major, GridOrder::column_major})
        expect_supersteps_as_messages<TypeParam>(rank, dist::ProcessGrid(p, q, order, rank.size()));
  });
  if (comm::conformance::is_thread())
    comm::run({.ranks = 6}, [](comm::Rank& rank) {
      for (const auto& [p, q] : {std::pair{2, 3}, {3, 2}})
        expect_supersteps_as_messages<TypeParam>(rank, dist::ProcessGrid(p, q, GridOrder::row_major, 6));
    });
}

TYPED_TEST(LuOf, AsScalapackOnAllGrids) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size())) {
      const dist::ProcessGrid grid(p, q, GridOrder::row_major, rank.size());
      for (const Discipline discipline : {Discipline::messages, Discipline::superstep}) {
        const LuPlan plan = as_scalapack(discipline);
        for (const Case& c : cases) {
          const FactorResult result = expect_factors<TypeParam>(rank, grid, c, plan);
          EXPECT_EQ(result.direct_interchanges, 0);
          if (result.panels > 1) {
            EXPECT_GT(result.pairwise_interchanges, 0);
          }
        }
        EXPECT_EQ(pivots_by<TypeParam>(rank, grid, plan),
                  pivots_by<TypeParam>(rank, grid, {.schedule = Schedule::flat}));
      }
    }
  });
}

/// The same supersteps in another order of work: between the halves of those that make a panel, of the trailing matrix.
template <class T>
void expect_look_ahead_in_supersteps(comm::Rank& rank, const dist::ProcessGrid& grid, dist::SwapKind swap) {
  for (const PivotSearch search : {PivotSearch::combined, PivotSearch::tournament})
    for (const bool known : {false, true}) {
      LuPlan plan = in_supersteps(search, known, Schedule::look_ahead);
      plan.tile = 8;
      plan.slices = known ? 1 : 3;
      plan.swap = swap;
      LuPlan flat_plan = in_supersteps(search, known);
      flat_plan.swap = swap;
      for (const Case& c : cases) {
        const FactorResult result = expect_factors<T>(rank, grid, c, plan),
                           flat = expect_factors<T>(rank, grid, c, flat_plan);
        EXPECT_EQ(result.panels_ahead, std::max<Index>(result.panels - 1, 0));
        EXPECT_EQ(result.supersteps, flat.supersteps);
        EXPECT_EQ(flat.split_supersteps, 0);
        const Index split = comm::collective::all_reduce(rank, result.split_supersteps, std::plus<>());
        // A panel of one process column on one process row is made without a superstep; known, without one to compute in.
        const bool has_supersteps = grid.cols() > 1 || (grid.rows() > 1 && !known);
        if (c.n >= 40) {
          EXPECT_EQ(split > 0, has_supersteps) << grid.rows() << " x " << grid.cols() << ", " << known;
        }
      }
      EXPECT_EQ(pivots_by<T>(rank, grid, plan), pivots_by<T>(rank, grid, in_supersteps(search, known)));
    }
}

TYPED_TEST(LuOf, LookAheadInSupersteps) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size()))
      expect_look_ahead_in_supersteps<TypeParam>(
          rank, dist::ProcessGrid(p, q, GridOrder::row_major, rank.size()), dist::SwapKind::shared);
  });
  if (comm::conformance::is_thread())
    comm::run({.ranks = 7}, [](comm::Rank& rank) {
      for (const auto& [p, q] : {std::pair{2, 3}, {3, 2}})
        for (const dist::SwapKind swap : {dist::SwapKind::direct, dist::SwapKind::shared})
          expect_look_ahead_in_supersteps<TypeParam>(rank, dist::ProcessGrid(p, q, GridOrder::row_major, 7),
                                                     swap);
    });
}

TEST(Lu, SuperstepsUnderDelaysAndReordering) {
  on_each_team([](comm::Rank& engine) {
    comm::CheckedRank rank(engine, {.seed = 6});
    const dist::ProcessGrid grid = dist::squarest_grid(rank.size(), GridOrder::row_major);
    for (const Schedule schedule : {Schedule::flat, Schedule::look_ahead})
      for (const bool known : {false, true}) {
        LuPlan plan = in_supersteps(PivotSearch::combined, known, schedule);
        plan.world.is_checked = false;
        for (const dist::SwapKind swap : {dist::SwapKind::direct, dist::SwapKind::shared}) {
          plan.swap = swap;
          expect_factors<double>(rank, grid, {40, 41, 8}, plan);
        }
      }
    comm::collective::barrier(rank);
  });
}

/// Other pivots than partial pivoting: rows of L may exceed 1, and the report tells how far U grew.
template <class T>
void expect_tournament(comm::Rank& rank, const dist::ProcessGrid& grid) {
  std::vector<std::vector<Index>> pivots;
  for (const Discipline discipline : {Discipline::messages, Discipline::superstep, Discipline::onesided})
    for (const bool known : {false, true}) {
      LuPlan plan{.discipline = discipline,
                  .schedule = Schedule::flat,
                  .pivot_search = PivotSearch::tournament,
                  .sync = known ? SyncKind::known : SyncKind::full,
                  .world = {.direct_bytes = 64, .is_checked = known}};
      if (discipline != Discipline::superstep && known) plan.schedule = Schedule::look_ahead;
      for (const Case& c : cases) {
        const FactorResult result = expect_factors<T>(rank, grid, c, plan);
        if (c.n >= 40 && c.m >= 40) {
          EXPECT_GT(result.growth, 0.1);
          EXPECT_LT(result.growth, 100);
        }
      }
      pivots.push_back(pivots_by<T>(rank, grid, plan));
    }
  for (const auto& others : pivots) EXPECT_EQ(others, pivots.front());
  if (grid.rows() == 1) {
    EXPECT_EQ(pivots.front(), pivots_by<T>(rank, grid, {.schedule = Schedule::flat}));
  }
}

TYPED_TEST(LuOf, TournamentOnAllGrids) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size()))
      expect_tournament<TypeParam>(rank, dist::ProcessGrid(p, q, GridOrder::row_major, rank.size()));
  });
  if (comm::conformance::is_thread())
    comm::run({.ranks = 7}, [](comm::Rank& rank) {
      for (const auto& [p, q] : {std::pair{2, 3}, {3, 2}, {7, 1}, {5, 1}})
        expect_tournament<TypeParam>(rank, dist::ProcessGrid(p, q, GridOrder::row_major, 7));
    });
}

template <class T>
void expect_wide_panels(comm::Rank& rank, const dist::ProcessGrid& grid) {
  const auto by_messages = pivots_by<T>(rank, grid, {.schedule = Schedule::flat});
  int round = 0;
  for (const Index blocks : {2, 3, 5}) {
    LuPlan plan = in_supersteps(PivotSearch::columns, ++round % 2 == 0);
    plan.swap = round == 3 ? dist::SwapKind::pairwise : dist::SwapKind::direct;
    for (const Case& c : cases) {
      plan.panel_width = blocks * c.block;
      const FactorResult result = expect_factors<T>(rank, grid, c, plan);
      if (grid.holds(rank.rank()) && std::min(c.m, c.n) > c.block) {
        EXPECT_GT(result.wide_panels, 0);
      }
    }
    plan.panel_width = blocks * 5;  // of pivots_by
    EXPECT_EQ(pivots_by<T>(rank, grid, plan), by_messages) << blocks;
  }
}

TYPED_TEST(LuOf, PanelsOfSeveralBlocksOnAllGrids) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size()))
      expect_wide_panels<TypeParam>(rank, dist::ProcessGrid(p, q, GridOrder::row_major, rank.size()));
  });
  if (comm::conformance::is_thread())
    comm::run({.ranks = 6}, [](comm::Rank& rank) {
      for (const auto& [p, q] : {std::pair{2, 3}, {3, 2}})
        expect_wide_panels<TypeParam>(rank, dist::ProcessGrid(p, q, GridOrder::row_major, 6));
    });
}

TEST(Lu, PanelsOfSeveralBlocksAreRefusedElsewhere) {
  on_each_team([](comm::Rank& rank) {
    const dist::ProcessGrid grid = dist::squarest_grid(rank.size(), GridOrder::row_major);
    LuPlan shared = in_supersteps(PivotSearch::columns, false);
    shared.swap = dist::SwapKind::shared;
    for (LuPlan plan : {LuPlan{}, in_supersteps(PivotSearch::combined, false),
                        as_scalapack(Discipline::messages), shared}) {
      plan.panel_width = 8;
      EXPECT_THROW(expect_factors<double>(rank, grid, {20, 20, 4}, plan), Error);
    }
    LuPlan plan = in_supersteps(PivotSearch::columns, false);
    plan.panel_width = 6;
    EXPECT_THROW(expect_factors<double>(rank, grid, {20, 20, 4}, plan), Error);
  });
}

/// c of paper 4: one superstep to register buffers, one a column where it has several processes, two-phase broadcasts of L
/// and U, one superstep for the rows right of each panel and one for those left of it. Shared, the rows bring U along.
Index supersteps_of(int P, int Q, Index n, Index panels, bool is_shared) {
  const auto broadcast = [](int q) { return std::min(q - 1, 2); };
  const Index exchange = P > 1 ? 1 : 0, upper = is_shared ? 0 : broadcast(P);
  return 1 + exchange * n + panels * broadcast(Q) + (panels - 1) * (2 * exchange + upper);
}

TEST(Lu, SuperstepsAreCounted) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size())) {
      const dist::ProcessGrid grid(p, q, GridOrder::row_major, rank.size());
      const Index n = 40, panels = 5;
      const FactorResult combined =
          expect_factors<double>(rank, grid, {n, n, 8}, in_supersteps(PivotSearch::combined, false));
      const FactorResult columns =
          expect_factors<double>(rank, grid, {n, n, 8}, in_supersteps(PivotSearch::columns, false));
      LuPlan by_shared_rows = in_supersteps(PivotSearch::combined, true);
      by_shared_rows.swap = dist::SwapKind::shared;
      const FactorResult shared = expect_factors<double>(rank, grid, {n, n, 8}, by_shared_rows);
      if (!grid.holds(rank.rank())) continue;
      EXPECT_EQ(combined.supersteps, supersteps_of(p, q, n, panels, false)) << p << " x " << q;
      EXPECT_EQ(shared.supersteps, supersteps_of(p, q, n, panels, true)) << p << " x " << q;
      EXPECT_EQ(shared.shared_interchanges, p > 1 ? panels - 1 : 0);
      EXPECT_EQ(combined.shared_interchanges, 0);
      EXPECT_LE(columns.supersteps, 1 + 4 * n + 8 * panels) << p << " x " << q;
      EXPECT_GE(columns.supersteps, n) << p << " x " << q;
      if (p * q > 1) {
        EXPECT_GT(columns.superstep_words, 0);
      }
    }
  });
}

/// Grids in which nodes of `phases` ranks lie along a row, and along a column.
TYPED_TEST(LuOf, ParityWithNodesAlongRowsAndColumns) {
  on_each_team([](comm::Rank& rank) {
    for (int phases = 2; phases <= rank.size(); ++phases) {
      if (rank.size() % phases != 0) continue;
      for (const auto& [p, q] : grids(rank.size()))
        for (const GridOrder order : {GridOrder::row_major, GridOrder::column_major}) {
          if (p * q != rank.size() || (order == GridOrder::row_major ? q : p) % phases != 0) continue;
          for (const Case& c : cases) {
            const int depth = static_cast<int>(&c - std::data(cases)) % 2;
            const FactorResult result = expect_factors<TypeParam>(
                rank, dist::ProcessGrid(p, q, order, rank.size()), c,
                {.schedule = Schedule::parity, .depth = depth, .ranks_per_node = phases});
            if (result.panels > 1) {
              EXPECT_EQ(result.opposite_phases, result.panels - 1);
            }
          }
        }
    }
  });
}

TEST(Lu, WhatDoesNotFitIsRefused) {
  comm::conformance::each_team({}, [](comm::Team& team) {
    const auto factor_and_solve = [&](Index n, Index col_block, Index pivots, Index rows_of_B,
                                      const LuPlan& plan) {
      team.run([&](comm::Rank& rank) {
        const dist::ProcessGrid grid(1, rank.size(), GridOrder::row_major, rank.size());
        auto A = make<double>(grid, rank.rank(), {6, 4, 1}, {n, col_block, rank.size()},
                              [](Index i, Index j) { return entry<double>(1, i, j); });
        std::vector<Index> pivot(static_cast<std::size_t>(pivots));
        lu_factor(rank, A.A, std::span<Index>(pivot), plan);
        auto B = make<double>(grid, rank.rank(), {rows_of_B, 4, 1}, {1, 1, rank.size()},
                              [](Index, Index) { return 1.0; });
        lu_solve(rank, kernels::Op::none, A.A, std::span<const Index>(pivot), B.A, plan);
      });
    };
    EXPECT_NO_THROW(factor_and_solve(6, 4, 6, 6, {}));
    EXPECT_THROW(factor_and_solve(6, 3, 6, 6, {}), Error);  // blocks of 4 x 3
    EXPECT_THROW(factor_and_solve(6, 4, 5, 6, {}), Error);  // no room for a pivot
    EXPECT_THROW(factor_and_solve(5, 4, 5, 6, {}), Error);  // factors that are not square
    EXPECT_THROW(factor_and_solve(6, 4, 6, 5, {}), Error);  // a right-hand side with fewer rows
    for (const LuPlan& plan : {LuPlan{.depth = -1}, LuPlan{.split_share = 2}, LuPlan{.tile = 0}})
      EXPECT_THROW(factor_and_solve(6, 4, 6, 6, plan), Error);
  });
}

TEST(Lu, ParityWithoutNodeMatesIsRefused) {
  each_team({}, [](comm::Team& team) {
    EXPECT_THROW(team.run([](comm::Rank& rank) {
      const dist::ProcessGrid grid(1, rank.size(), GridOrder::row_major, rank.size());
      expect_factors<double>(rank, grid, {8, 8, 4}, {.schedule = Schedule::parity, .ranks_per_node = 1});
    }),
                 Error);
  });
}

TEST(Lu, HybridNeedsHelpers) {
  if (comm::conformance::workers(1) == 0) GTEST_SKIP() << "this engine has no helper threads";
  each_team({.workers = 1}, [](comm::Team& team) {
    team.run([](comm::Rank& rank) {
      expect_factors<double>(rank, dist::squarest_grid(rank.size(), GridOrder::row_major), {60, 60, 8},
                             {.schedule = Schedule::hybrid, .tile = 8});
    });
  });
}

TEST(Lu, UnderDelaysAndReordering) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    on_each_team([&](comm::Rank& engine) {
      comm::CheckedRank rank(engine, {.seed = seed});
      for (const Schedule schedule : {Schedule::flat, Schedule::look_ahead, Schedule::split}) {
        LuPlan plan{
            .schedule = schedule, .depth = 2, .tile = 4, .messages = {.swap = dist::SwapKind::spread_roll}};
        plan.inbox.posted = 2;
        expect_factors<double>(rank, dist::squarest_grid(rank.size(), GridOrder::row_major),
                               {37, 37, 3, 1, 1}, plan);
      }
      for (const PivotSearch search : {PivotSearch::combined, PivotSearch::columns})
        expect_factors<double>(rank, dist::squarest_grid(rank.size(), GridOrder::row_major),
                               {37, 37, 3, 1, 1}, in_supersteps(search, seed == 2));
      LuPlan wide = in_supersteps(PivotSearch::columns, seed == 2);
      wide.panel_width = 6;
      expect_factors<double>(rank, dist::squarest_grid(rank.size(), GridOrder::row_major), {37, 37, 3, 1, 1},
                             wide);
      if (rank.size() % 2 == 0)
        expect_factors<double>(rank, dist::ProcessGrid(1, rank.size(), GridOrder::row_major, rank.size()),
                               {37, 37, 3}, {.schedule = Schedule::parity, .ranks_per_node = 2});
    });
}

TEST(Lu, AZeroColumnIsReportedAsLapackDoes) {
  on_each_team([](comm::Rank& rank) {
    const dist::ProcessGrid grid = dist::squarest_grid(rank.size(), GridOrder::row_major);
    constexpr Index n = 20, zero = 13;
    auto made = make<double>(grid, rank.rank(), {n, 4, grid.rows()}, {n, 4, grid.cols()},
                             [](Index i, Index j) { return j == zero ? 0.0 : entry<double>(2, i, j); });
    std::vector<Index> pivots(n);
    const auto at_zero = [&](const LuPlan& plan) {
      for (Index j = 0; j < made.A.local.cols; ++j)
        for (Index i = 0; i < made.A.local.rows; ++i) {
          const Index r = made.A.rows.global({i}, made.A.me.row).value,
                      c = made.A.cols.global({j}, made.A.me.col).value;
          made.A.local(i, j) = c == zero ? 0.0 : entry<double>(2, r, c);
        }
      return lu_factor(rank, made.A, std::span<Index>(pivots), plan).info;
    };
    if (!grid.holds(rank.rank())) return;
    for (const LuPlan& plan :
         {LuPlan{}, LuPlan{.pivot_search = PivotSearch::tournament},
          LuPlan{.discipline = Discipline::onesided}, as_scalapack(Discipline::messages),
          in_supersteps(PivotSearch::combined, false), in_supersteps(PivotSearch::columns, false),
          in_supersteps(PivotSearch::tournament, false)})
      EXPECT_EQ(at_zero(plan), zero + 1);
  });
}

template <class T>
std::complex<double> op_entry(kernels::Op op, Index i, Index j) {
  const std::complex<double> a(op == kernels::Op::none ? entry<T>(5, i, j) : entry<T>(5, j, i));
  return op == kernels::Op::conj_trans ? std::conj(a) : a;
}

TYPED_TEST(LuOf, SolvesWithTheMatrixItsTransposeAndItsConjugateTranspose) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size()))
      for (const Index n : {1, 4, 5, 26})
        for (const kernels::Op op : {kernels::Op::none, kernels::Op::trans, kernels::Op::conj_trans}) {
          const dist::ProcessGrid grid(p, q, GridOrder::row_major, rank.size());
          constexpr Index b = 4, nrhs = 5;
          auto A = make<T>(grid, rank.rank(), {n, b, p}, {n, b, q},
                           [](Index i, Index j) { return entry<T>(5, i, j); });
          auto B = make<T>(grid, rank.rank(), {n, b, p}, {nrhs, 2, q},
                           [](Index i, Index j) { return entry<T>(6, i, j); });
          std::vector<Index> pivots(static_cast<std::size_t>(n));
          const LuPlan plan{.rhs_block = 3};
          lu_factor(rank, A.A, std::span<Index>(pivots), plan);
          lu_solve<T>(rank, op, A.A, pivots, B.A, plan);
          const std::vector<T> X = collected(rank, B.A);
          if (!grid.holds(rank.rank())) continue;
          for (Index k = 0; k < nrhs; ++k) {
            double residual = 0, size = 0;
            for (Index i = 0; i < n; ++i) {
              std::complex<double> r = std::complex<double>(entry<T>(6, i, k));
              for (Index j = 0; j < n; ++j) {
                const std::complex<double> ax =
                    op_entry<T>(op, i, j) * std::complex<double>(X[static_cast<std::size_t>(j + k * n)]);
                r -= ax;
                size = std::max(size, std::abs(ax));
              }
              residual = std::max(residual, std::abs(r));
            }
            // c n^2 eps |A| |x|: growth of random matrices of this size stays below n
            EXPECT_LE(residual, 10.0 * static_cast<double>(n * n) * eps<T>() * size)
                << "n = " << n << ", grid " << p << " x " << q;
          }
        }
  });
}

TEST(Lu, BackSubstitutionOfAnAugmentedMatrix) {
  on_each_team([](comm::Rank& rank) {
    for (const auto& [p, q] : grids(rank.size()))
      for (const Index n : {1, 8, 21}) {
        const dist::ProcessGrid grid(p, q, GridOrder::row_major, rank.size());
        const auto at = [](Index i, Index j) { return entry<double>(3, i, j); };
        auto made = make<double>(grid, rank.rank(), {n, 4, p}, {n + 1, 4, q}, at);
        std::vector<Index> pivots(static_cast<std::size_t>(n));
        const LuPlan plan{.exchange_left = false};
        lu_factor(rank, made.A, std::span<Index>(pivots), plan);
        const std::vector<double> x = back_substitute(rank, made.A, plan);
        if (!grid.holds(rank.rank())) continue;
        for (Index i = 0; i < n; ++i) {
          double r = at(i, n), size = std::abs(r);
          for (Index j = 0; j < n; ++j) {
            r -= at(i, j) * x[static_cast<std::size_t>(j)];
            size = std::max(size, std::abs(at(i, j) * x[static_cast<std::size_t>(j)]));
          }
          EXPECT_LE(std::abs(r), 10.0 * static_cast<double>(n * n) * eps<double>() * size);
        }
      }
  });
}

}  // namespace
}  // namespace overlapack::dense::testing
