#include "comm/collective/collective.hpp"
#include "comm/wrap/forwarding.hpp"
#include "node_problems.hpp"

#include <string>

/// The three schedules of paper 1: the same solution, messages that leave when their figures say.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;
using comm::conformance::is_thread;

constexpr Schedule schedules[] = {Schedule::flat, Schedule::pipelined, Schedule::look_ahead};

TEST(SupernodalSchedules, GiveTheSameSolutionOnEveryGrid) {
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
    const FactorStats counts = outcome.stats;
    EXPECT_GT(counts.nodes, 20);
    EXPECT_EQ(counts.columns_ahead > 0, team.size() > 1);  // one process goes from the left
    EXPECT_EQ(counts.rows_ahead > 0, team.size() > 1);
    EXPECT_GT(counts.direct_products, 0);
  });
}

/// Looks, whenever a kernel begins, at what is under way on the lane of the factors.
class WatchedRank final : public comm::ForwardingRank {
 public:
  using ForwardingRank::ForwardingRank;
  Index sends = 0, receives = 0;  ///< kernels during which there were any
  Index most_places = 0;          ///< of receives that were posted and not waited for, while a kernel ran
  std::size_t largest_bytes = 0;  ///< of a message that was sent

  comm::Send start_send(comm::Lane lane, int to, const comm::Header& header, comm::Body body) override {
    if (lane == comm::Lane::bulk) largest_bytes = std::max(largest_bytes, body.size());
    comm::Send send = inner_.start_send(lane, to, header, std::move(body));
    if (lane == comm::Lane::bulk) sends_.push_back(send.operation());
    return send;
  }
  comm::Recv post_receive(comm::Lane lane, int from) override {
    comm::Recv receive = inner_.post_receive(lane, from);
    if (lane == comm::Lane::bulk) {
      receives_.push_back(receive.operation());
      places_.push_back(receive.operation());
    }
    return receive;
  }

 protected:
  void run_compute(const comm::Work& work, comm::FunctionRef<void()> f) override {
    const auto has_pending = [](auto& operations) {
      std::erase_if(operations, [](const auto& operation) { return operation->done; });
      return !operations.empty();
    };
    sends += has_pending(sends_);
    receives += has_pending(receives_);
    std::erase_if(places_, [](const auto& place) { return place.expired(); });
    most_places = std::max(most_places, static_cast<Index>(places_.size()));
    inner_.compute(work, f);
  }

 private:
  std::vector<std::shared_ptr<comm::Operation>> sends_, receives_;
  std::vector<std::weak_ptr<comm::Operation>> places_;
};

/// Figures 5 and 6 compute while nothing is under way: senders wait, and no receive is posted ahead. Figure 7 with depth 1 posts one,
/// and computes while it is open.
TEST(SupernodalSchedules, WaitAsTheirFiguresSay) {
  SparseMatrix<double> A = cube_of<double>(5);
  A.symmetry = Symmetry::general;
  for (const Schedule schedule : schedules)
    for (const bool rows_ahead : {false, true})
      each_team({.eager_bytes = 0}, [&](comm::Team& team) {
        if (team.size() == 1) return;
        FactorPlan plan = nodes_plan(schedule, 1);
        plan.nodes.rows_ahead = rows_ahead;
        const Analysis analysis = team.first_local() == 0 ? analyse(A, nodes_analysis(4, 1)) : Analysis();
        team.run([&](comm::Rank& rank) {
          WatchedRank watched(rank);
          Supernodal<double> factors;
          factors.factorize(watched, &analysis, &A, plan);
          const auto sends = comm::collective::all_reduce(rank, watched.sends, std::plus<>()),
                     receives = comm::collective::all_reduce(rank, watched.receives, std::plus<>());
          EXPECT_EQ(receives > 0, schedule == Schedule::look_ahead);
          EXPECT_TRUE(schedule == Schedule::look_ahead || sends == 0) << sends;
        });
      });
}

/// "We only need one extra buffer" (paper 1, section 5.2): Figure 7 has one receive posted while it computes, and holds no more
/// received panels than Figure 5. With depth d there are d at most.
TEST(SupernodalSchedules, EachColumnAheadNeedsOneExtraBuffer) {
  SparseMatrix<double> A = cube_of<double>(5);
  A.symmetry = Symmetry::general;
  each_team({.eager_bytes = 0}, [&](comm::Team& team) {
    if (team.size() == 1) return;
    const Analysis analysis = team.first_local() == 0 ? analyse(A, nodes_analysis(4, 1)) : Analysis();
    team.run([&](comm::Rank& rank) {
      const auto most_of = [&](auto value) {
        return comm::collective::all_reduce(rank, value, [](auto a, auto b) { return std::max(a, b); });
      };
      const auto held_by = [&](Schedule schedule, int depth) {
        FactorPlan plan = nodes_plan(schedule, depth);
        plan.nodes.order = NodeOrder::postorder;
        plan.nodes.map = NodeMap::cyclic;
        plan.nodes.rows_ahead = false;
        WatchedRank watched(rank);
        Supernodal<double> factors;
        factors.factorize(watched, &analysis, &A, plan);
        const Index most_places = most_of(watched.most_places);
        EXPECT_LE(most_places, depth);
        EXPECT_GE(most_places, std::min(depth, 1));
        const auto largest = most_of(static_cast<double>(watched.largest_bytes));
        return std::pair{factors.stats().peak_bytes - factors.stats().factor_bytes, largest};
      };
      const auto [flat, largest] = held_by(Schedule::flat, 0);
      EXPECT_EQ(flat > 0, !is_thread());  // where memory is shared, received panels are their senders'
      for (const int depth : {1, 2, 4}) {
        const double held = held_by(Schedule::look_ahead, depth).first;
        EXPECT_LE(held, flat + depth * rank.size() * largest) << "depth " << depth;
      }
    });
  });
}

}  // namespace
}  // namespace overlapack::sparse::testing
