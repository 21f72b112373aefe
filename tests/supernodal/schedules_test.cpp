#include "node_problems.hpp"

#include <map>
#include <string>

/// The three schedules of paper 1: the same numbers, messages that leave when their figures say.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;
using comm::conformance::is_thread;

constexpr Schedule schedules[] = {Schedule::flat, Schedule::pipelined, Schedule::look_ahead};

TEST(SupernodalSchedules, GiveTheSameBitsOnEveryGrid) {
  const auto A = random_matrix<double>(70, 2, Symmetry::general, false, 17);
  const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 7), 1);
  for (const Grid grid : {Grid{1, 1}, Grid{1, 2}, Grid{2, 1}, Grid{2, 2}, Grid{2, 3}, Grid{3, 2}, Grid{1, 7}})
    each_team({}, [&](comm::Team& team) {
      if (team.size() < grid.size()) return;
      for (const NodeOrder order : {NodeOrder::postorder, NodeOrder::levels}) {
        std::vector<double> first;
        for (const Schedule schedule : schedules)
          for (const int depth : {1, 3, 10})
            for (const bool rows_ahead : {false, true}) {
              if (schedule != Schedule::look_ahead && (depth > 1 || rows_ahead)) continue;
              FactorPlan plan = nodes_plan(schedule, depth, grid);
              plan.nodes.order = order;
              plan.nodes.rows_ahead = rows_ahead;
              const auto outcome = run_nodes(team, A, nodes_analysis(3, 2), plan, b, 1);
              if (team.first_local() != 0) continue;
              expect_small_errors(A, outcome, b, 1);
              if (first.empty()) first = outcome.x;
              for (std::size_t i = 0; i < first.size(); ++i)
                EXPECT_NEAR(outcome.x[i], first[i], 1e-9 * (1 + std::abs(first[i])));
            }
      }
    });
}

TEST(SupernodalSchedules, GiveTheSameBitsTwice) {
  const auto A = random_matrix<double>(120, 3, Symmetry::general, false, 2);
  const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 7), 1);
  for (const Schedule schedule : schedules)
    each_team({}, [&](comm::Team& team) {
      const auto plan = nodes_plan(schedule, 5);
      const auto one = run_nodes(team, A, nodes_analysis(4, 2), plan, b, 1),
                 other = run_nodes(team, A, nodes_analysis(4, 2), plan, b, 1);
      EXPECT_EQ(one.x, other.x);
      EXPECT_EQ(one.x_transposed, other.x_transposed);
    });
}

TEST(SupernodalSchedules, EveryParallelPathIsTaken) {
  const auto A = cube_of<double>(6);
  SparseMatrix<double> general = A;
  general.symmetry = Symmetry::general;
  const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 7), 1);
  each_team({}, [&](comm::Team& team) {
    const auto outcome =
        run_nodes(team, general, nodes_analysis(4, 1), nodes_plan(Schedule::look_ahead, 6), b, 1);
    if (team.first_local() != 0) return;
    expect_small_errors(A, outcome, b, 1);
    const NodeCounts counts = node_counts_of(outcome.stats);
    EXPECT_GT(counts.nodes, 20);
    EXPECT_GT(counts.columns_ahead, 0);
    EXPECT_GT(counts.rows_ahead, 0);
    EXPECT_GT(counts.direct_products, 0);
  });
}

}  // namespace
}  // namespace overlapack::sparse::testing
