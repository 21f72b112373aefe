#include "comm/channel/pace.hpp"
#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "comm/wrap/forwarding.hpp"
#include "cube_twin.hpp"
#include "engine.hpp"
#include "iterative/driver/iterate.hpp"
#include "iterative/jacobi/stencil_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace overlapack::comm::conformance {
namespace {

using dist::BoxGrid;
using iterative::IterationPlan;
using iterative::StencilBlock;
using iterative::StencilProblem;
using iterative::Variant;

constexpr double eps = std::numeric_limits<double>::epsilon();

std::vector<BoxGrid> grids(int ranks) {
  std::vector<BoxGrid> grids{dist::cubic_grid(ranks), {1, 1, ranks}};
  if (ranks % 2 == 0) grids.push_back({ranks / 2, 2, 1});
  return grids;
}

/// The same, and as two cells where a side is even.
std::vector<BoxGrid> cells(std::vector<BoxGrid> grids) {
  const std::size_t count = grids.size();
  for (std::size_t k = 0; k < count; ++k)
    if (BoxGrid grid = grids[k]; grid.y % 2 == 0) {
      grid.cell_y = grid.y / 2;
      grids.push_back(grid);
    }
  return grids;
}

TEST(BoxGrid, AsCubicAsTheNumberAllows) {
  const auto sides = [](int ranks) {
    const BoxGrid grid = dist::cubic_grid(ranks);
    return std::array{grid.x, grid.y, grid.z};
  };
  EXPECT_EQ(sides(1), (std::array{1, 1, 1}));
  EXPECT_EQ(sides(7), (std::array{1, 1, 7}));
  EXPECT_EQ(sides(8), (std::array{2, 2, 2}));
  EXPECT_EQ(sides(12), (std::array{2, 2, 3}));
  EXPECT_EQ(sides(32), (std::array{2, 4, 4}));
  const BoxGrid grid{2, 3, 4};
  EXPECT_EQ(grid.neighbour(0, 0, 1), 1);
  EXPECT_EQ(grid.neighbour(0, 1, 1), 2);
  EXPECT_EQ(grid.neighbour(0, 2, 1), 6);
  EXPECT_EQ(grid.neighbour(0, 2, -1), -1);
  EXPECT_EQ(grid.neighbour(23, 1, 1), -1);
}

TEST(BoxGrid, NodesHaveBoxesOfBoxes) {
  const auto nodes = [](int ranks, int of_node) {
    std::vector<int> node(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) node[static_cast<std::size_t>(r)] = r / of_node;
    return node;
  };
  const BoxGrid rows{8, 8, 8};
  const BoxGrid cells = dist::node_boxes(rows, nodes(512, 32));
  EXPECT_EQ(cells.cell_x * cells.cell_y * cells.cell_z, 32);
  // planes between cells: 8 x 8 faces each; 1 + 1 + 3 of them, beside 1 + 7 with 8 x 4 x 1 ranks a node
  EXPECT_EQ(dist::faces_between_nodes(cells, nodes(512, 32)), 5 * 64);
  EXPECT_EQ(dist::faces_between_nodes(rows, nodes(512, 32)), 8 * 64);
  std::vector<bool> is_seen(512, false);
  for (int rank = 0; rank < 512; ++rank) {
    EXPECT_EQ(cells.rank_at(cells.position_of(rank)), rank);
    const auto [i, j, k] = cells.position_of(rank);
    is_seen[static_cast<std::size_t>(i + 8 * (j + 8 * k))] = true;
    for (int axis = 0; axis < 3; ++axis)
      if (const int there = cells.neighbour(rank, axis, 1); there >= 0) {
        EXPECT_EQ(cells.neighbour(there, axis, -1), rank);
      }
  }
  EXPECT_EQ(std::ranges::count(is_seen, true), 512);
  EXPECT_EQ(dist::node_boxes(rows, nodes(512, 512)).cell_x, 1);
  EXPECT_THROW(dist::node_boxes({1, 1, 7}, nodes(7, 3)), Error);
  EXPECT_THROW(dist::node_boxes({2, 2, 1}, std::vector{0, 1, 0, 1}), Error);
}

// k sweeps on p ranks are k sweeps on one; each sweep rounds differently by at most 8 eps.
TEST(StencilJacobi, SyncIsTheSerialIteration) {
  on_each_team([](Rank& rank) {
    for (const BoxGrid& grid : cells(grids(rank.size())))
      for (const Index sweeps : {0, 1, 7}) {
        const StencilProblem problem{.points = 4, .grid = grid, .shift = 1};
        const StencilBlock block(problem, rank.rank());
        CubeTwin twin(problem);
        for (Index k = 0; k < sweeps; ++k) twin.sweep();
        const auto result = iterative::iterate(
            rank, block,
            {.variant = Variant::sync, .tolerance = 0, .max_iterations = sweeps, .residual_period = 5});
        EXPECT_EQ(result.iterations, sweeps);
        EXPECT_FALSE(result.has_converged);
        const std::vector<double> got = collected(rank, block, result.x), expected = twin.inner();
        for (std::size_t i = 0; i < got.size(); ++i)
          EXPECT_NEAR(got[i], expected[i], 16 * eps * double(sweeps + 1)) << i;
        EXPECT_NEAR(result.residual, twin.residual(), 1e-13);
      }
  });
}

/// Solve, and compare the residual that is told with that of the vector that came.
iterative::IterationResult<double> solve_and_check(Rank& rank, const StencilProblem& problem,
                                                   const IterationPlan& plan) {
  const StencilBlock block(problem, rank.rank());
  auto result = iterative::iterate(rank, block, plan);
  CubeTwin twin(problem);
  twin.take(collected(rank, block, result.x));
  EXPECT_NEAR(result.residual, twin.residual(), 1e-13);
  return result;
}

TEST(StencilJacobi, EveryVariantReturnsAVectorOfTheResidualItTells) {
  on_each_team([](Rank& rank) {
    for (const BoxGrid& grid : grids(rank.size()))
      for (const Variant variant : {Variant::sync, Variant::async, Variant::racy})
        for (const auto form : {collective::SumForm::tree, collective::SumForm::doubling})
          for (const auto& [in_flight, halo_period] : {std::pair{1, Index{1}}, {4, 1}, {1, 5}, {0, 0}}) {
            const auto result = solve_and_check(rank, {.points = 4, .grid = grid},
                                                {.variant = variant,
                                                 .in_flight = in_flight,
                                                 .halo_period = halo_period,
                                                 .tolerance = 1e-6,
                                                 .residual_period = 10,
                                                 .residual_sum = form});
            EXPECT_TRUE(result.has_converged);
            EXPECT_LE(result.residual, 1e-6);
            EXPECT_LE(result.most_in_flight, in_flight > 0 ? in_flight : iterative::usual_in_flight);
            EXPECT_GE(result.halo_period_mean, 1);
            EXPECT_EQ(result.snapshots > 0, variant != Variant::sync);
            if (rank.size() > 1) {
              EXPECT_GT(result.sends, 0);
            }
          }
  });
}

TEST(StencilJacobi, LateDeliveriesAndASlowRankDoNotSpoilIt) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (const Variant variant : {Variant::async, Variant::racy})
      on_each_team([&](Rank& engine) {
        CheckedRank rank(engine, {.seed = seed, .delay = 0.8});
        const auto result = solve_and_check(rank, {.points = 3, .grid = dist::cubic_grid(rank.size())},
                                            {.variant = variant,
                                             .in_flight = 2,
                                             .tolerance = 1e-5,
                                             .residual_period = 7,
                                             .slow_rank = rank.size() - 1,
                                             .slow_factor = 3.5});
        EXPECT_TRUE(result.has_converged);
        collective::barrier(rank);
      });
}

TEST(StencilJacobi, TheLimitEndsItWithTheBestKnownVector) {
  on_each_team([](Rank& rank) {
    for (const Variant variant : {Variant::sync, Variant::async, Variant::racy})
      for (const auto& [most, halo_period] : {std::pair<Index, Index>{0, 0}, {1, 0}, {40, 0}, {40, 7}}) {
        const auto result = solve_and_check(rank, {.points = 3, .grid = dist::cubic_grid(rank.size())},
                                            {.variant = variant,
                                             .halo_period = halo_period,
                                             .tolerance = 1e-15,
                                             .max_iterations = most,
                                             .residual_period = 3});
        EXPECT_FALSE(result.has_converged);
        EXPECT_FALSE(result.has_diverged);
      }
  });
}

// One sweep in step after the asynchronous end, from the vector that was found: the twin does the same.
TEST(StencilJacobi, FinalSweepsAreInStepAndKeptIfTheyHelp) {
  on_each_team([](Rank& rank) {
    const StencilProblem problem{.points = 4, .grid = dist::cubic_grid(rank.size())};
    const IterationPlan plan{
        .variant = Variant::async, .tolerance = 1e-4, .residual_period = 10, .final_sweeps = 20};
    const auto result = solve_and_check(rank, problem, plan);
    EXPECT_LT(result.residual, 1e-4 * std::pow(std::cos(M_PI / double(4 * rank.size() + 1)), 10));
    EXPECT_TRUE(result.has_converged);
  });
}

/// A rank on which time passes only when the test says so.
class ClockedRank : public ForwardingRank {
 public:
  using ForwardingRank::ForwardingRank;
  double now() const override { return seconds; }
  double seconds = 0;
};

// An exchange of 1 s beside turns of t s: N = ceil(1 / (0.05 t)), within its bounds.
TEST(Pace, ExchangesTakeAsmallShareOfTheTime) {
  on_each_team([](Rank& engine) {
    for (const auto& [turn_s, most, wanted] :
         {std::tuple{2.0, 50, 10}, {2.0, 7, 7}, {40.0, 50, 1}, {0.0, 50, 1}}) {
      ClockedRank rank(engine);
      Pace pace(rank, most, 0.05);
      int exchanges = 0, turns = 0;
      for (; exchanges < 100; ++turns) {
        if (pace.count_step_towards_exchange())
          pace.exchange([&] { rank.seconds += 1 + 100 * (++exchanges % 16 == 5); });  // rarely paused
        rank.seconds += turn_s;
      }
      EXPECT_EQ(pace.period(), wanted);
      EXPECT_GE(turns, 64 * wanted);
    }
  });
}

TEST(StencilJacobi, StoppingByTheCallerEndsAllRanks) {
  each_team({}, [](Team& team) {
    for (const Variant variant : {Variant::sync, Variant::async, Variant::racy}) try {
        team.run([&](Rank& rank) {
          const StencilBlock block({.points = 3, .grid = dist::cubic_grid(rank.size())}, rank.rank());
          const auto stop = [](const iterative::Look& look) {
            if (look.iteration >= 20) throw Error(Status::cancelled, "enough");
          };
          iterative::iterate<double>(
              rank, block, {.variant = variant, .tolerance = 0, .residual_period = 5, .on_progress = stop});
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const Error& e) {
        EXPECT_EQ(e.status(), Status::cancelled);
      }
  });
}

TEST(StencilJacobi, PlansThatCannotWorkAreRefused) {
  const IterationPlan plans[] = {{.in_flight = -1},
                                 {.halo_period = -1},
                                 {.residual_period = 0},
                                 {.slow_rank = 4},
                                 {.slow_rank = 0, .slow_factor = 0.5}};
  for (const IterationPlan& plan : plans) EXPECT_THROW(iterative::require_plan(plan, 4, false), Error);
  EXPECT_THROW(iterative::require_plan({.variant = Variant::racy}, 4, true), Error);
  EXPECT_NO_THROW(iterative::require_plan({.variant = Variant::racy}, 4, false));
}

}  // namespace
}  // namespace overlapack::comm::conformance
