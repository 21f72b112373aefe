#include "comm/collective/collective.hpp"
#include "comm/wrap/counted.hpp"
#include "node_problems.hpp"
#include "overlapack/generate.hpp"
#include "sparse/supernodal/layout/message_kinds.hpp"
#include "sparse/supernodal/layout/node_map.hpp"

#include <set>
#include <utility>

/// node_map subtrees: leaf subtrees on one rank each without a message, what they add to the nodes above sent once.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

SparseMatrix<double> cube(Index points) {
  SparseMatrix<double> A = cube_of<double>(points);
  A.symmetry = Symmetry::general;
  return A;
}

std::vector<SparseMatrix<double>> matrices() {
  return {random_matrix<double>(70, 2, Symmetry::general, false, 17), cube(4), generate("process", 12)};
}

FactorPlan by_subtrees(Schedule schedule, int depth, Grid grid = {0, 0}) {
  FactorPlan plan = nodes_plan(schedule, depth, grid);
  plan.nodes.map = NodeMap::subtrees;
  return plan;
}

struct Form {
  Schedule schedule;
  int depth;
  NodeOrder order;
};
constexpr Form forms[] = {{Schedule::flat, 1, NodeOrder::postorder},
                          {Schedule::pipelined, 1, NodeOrder::levels},
                          {Schedule::look_ahead, 1, NodeOrder::postorder},
                          {Schedule::look_ahead, 10, NodeOrder::levels}};

TEST(SupernodalSubtrees, GiveTheSameSolutionOnEveryGrid) {
  for (const SparseMatrix<double>& A : matrices()) {
    const std::vector<double> b = multiply(A, random_vector<double>(A.rows * 2, 7), 2);
    const Analysis predicted = analyse(A, nodes_analysis(2, 0));
    for (const Grid grid :
         {Grid{1, 1}, Grid{1, 2}, Grid{2, 1}, Grid{2, 2}, Grid{2, 3}, Grid{3, 2}, Grid{1, 7}})
      each_team({}, [&](comm::Team& team) {
        if (team.size() < grid.size()) return;
        const auto distributed =
            run_nodes(team, A, nodes_analysis(2, 0), nodes_plan(Schedule::flat, 0, grid), b, 2);
        for (const Form& form : forms) {
          FactorPlan plan = by_subtrees(form.schedule, form.depth, grid);
          plan.nodes.order = form.order;
          const auto outcome = run_nodes(team, A, nodes_analysis(2, 0), plan, b, 2);
          if (team.first_local() != 0) continue;
          expect_small_errors(A, outcome, b, 2);
          EXPECT_EQ(outcome.stats.factor_nnz, predicted.factor_nnz);
          EXPECT_GE(outcome.stats.flops, predicted.flops * (1 - 1e-12));  // tiles of the grid are rectangles
          EXPECT_NEAR(
              outcome.determinant.mantissa / std::ldexp(distributed.determinant.mantissa,
                                                        static_cast<int>(distributed.determinant.exponent -
                                                                         outcome.determinant.exponent)),
              1, 1e-9);
          const FactorStats counts = outcome.stats;
          EXPECT_EQ(counts.nodes, predicted.nodes.nodes());
          EXPECT_GT(counts.subtree_nodes, counts.nodes / 10);
          EXPECT_EQ(counts.subtree_nodes == counts.nodes, grid.size() == 1);
          EXPECT_EQ(counts.border_messages > 0, grid.size() > 1);
          EXPECT_LE(counts.border_messages, grid.size() * (grid.size() - 1));
        }
      });
  }
}

TEST(SupernodalSubtrees, GiveTheSameBitsTwiceAndAfterOtherValues) {
  const auto A = generate("convection", 5);
  auto B = A;
  for (double& value : B.value) value *= 1.5;
  const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 7), 1);
  for (const Form& form : forms)
    each_team({}, [&](comm::Team& team) {
      const FactorPlan plan = by_subtrees(form.schedule, form.depth);
      const auto fresh = run_nodes(team, A, nodes_analysis(3, 2), plan, b, 1);
      const Analysis analysis = team.first_local() == 0 ? analyse(A, nodes_analysis(3, 2)) : Analysis();
      std::vector<double> x(b.size());
      team.run([&](comm::Rank& rank) {
        Supernodal<double> factors;
        factors.factorize(rank, &analysis, &A, plan);
        const double bytes = factors.stats().reserved_bytes;
        for (const SparseMatrix<double>* matrix : {&std::as_const(B), &A})
          factors.refactorize(rank, &analysis, matrix, plan);
        factors.solve(rank, kernels::Op::none, b.data(), x.data(), 1);
        EXPECT_EQ(factors.stats().reserved_bytes, bytes);
      });
      if (team.first_local() == 0) {
        EXPECT_EQ(x, fresh.x);
      }
    });
}

TEST(SupernodalSubtrees, MessagesAreThoseThatTheListsTell) {
  const auto A = generate("convection", 5);
  for (const NodeMap map : {NodeMap::cyclic, NodeMap::subtrees})
    for (const Form& form : forms)
      each_team({}, [&](comm::Team& team) {
        FactorPlan plan = by_subtrees(form.schedule, form.depth);
        plan.nodes.map = map;
        plan.nodes.order = form.order;
        const Analysis analysis = team.first_local() == 0 ? analyse(A, nodes_analysis(4, 2)) : Analysis();
        team.run([&](comm::Rank& rank) {
          comm::Counts counts;
          comm::CountedRank counted(rank, counts);
          Supernodal<double> factors;
          factors.factorize(counted, &analysis, &A, plan);
          Index sums[] = {0, 0, 0};
          for (const auto kind :
               {NodeMessage::square, NodeMessage::lower, NodeMessage::upper, NodeMessage::border}) {
            const auto& sent = counts.by_kind[static_cast<std::int32_t>(kind)];
            sums[0] += sent.messages;
            sums[1] += static_cast<Index>(sent.bytes);
            if (kind == NodeMessage::border) sums[2] += sent.messages;
          }
          comm::collective::all_reduce(rank, std::span<Index>(sums), std::plus<>());
          const FactorStats told = factors.stats();
          EXPECT_EQ(told.panel_messages, sums[0]);
          EXPECT_EQ(told.panel_bytes, sums[1]);
          EXPECT_EQ(told.border_messages, sums[2]);
          EXPECT_EQ(told.panel_messages > 0, team.size() > 1);
        });
      });
}

/// Two entries of the whole structure: is (i, j), by variables, in a square or in a list?
class Positions {
 public:
  explicit Positions(const NodeStructure& structure)
      : structure_(structure), node_(node_of_variable(structure)) {}
  bool has(std::int32_t i, std::int32_t j) const {
    const std::int32_t I = node_[i], J = node_[j];
    if (I == J) return true;
    const auto list = I > J ? structure_.rows(J) : structure_.columns(I);
    return std::ranges::find(list, I > J ? i : j) != list.end();
  }

 private:
  const NodeStructure& structure_;
  std::vector<std::int32_t> node_;
};

TEST(SupernodalSubtrees, ListsOfTheBorderHaveAllProductsAndNoOthers) {
  for (const SparseMatrix<double>& A : matrices())
    for (const int processes : {2, 3, 8}) {
      const NodeStructure structure = analyse(A, nodes_analysis(2, 0)).nodes;
      NodesPlan plan;
      plan.map = NodeMap::subtrees;
      const auto owner = subtree_owners(structure, processes, plan, {});
      std::set<std::int32_t> seen;
      for (std::int32_t process = -1; process < processes; ++process) {
        const NodeSelection mine = select_nodes(structure, owner, process);
        seen.insert(
            mine.variable.begin(),
            mine.variable.begin() + (mine.selected == 0 ? 0
                                                        : mine.structure.first[mine.selected - 1] +
                                                              mine.structure.width[mine.selected - 1]));
        const Positions positions(mine.structure);
        const auto node = node_of_variable(mine.structure);
        std::set<std::pair<std::int32_t, std::int32_t>> products;
        for (Index k = 0; k < mine.selected; ++k)
          for (const std::int32_t i : mine.structure.rows(k))
            for (const std::int32_t j : mine.structure.columns(k)) {
              EXPECT_TRUE(positions.has(i, j)) << i << ", " << j << " of node " << k;
              products.emplace(i, j);
            }
        for (Index b = mine.selected; b < mine.structure.nodes(); ++b) {
          EXPECT_NE(process, -1) << "what is above subtrees has no border";
          const auto in_b = [&](std::int32_t v) { return node[v] == b; };
          for (const std::int32_t i : mine.structure.rows(b))
            EXPECT_TRUE(
                std::ranges::any_of(products, [&](auto& p) { return p.first == i && in_b(p.second); }));
          for (const std::int32_t j : mine.structure.columns(b))
            EXPECT_TRUE(
                std::ranges::any_of(products, [&](auto& p) { return p.second == j && in_b(p.first); }));
        }
      }
      EXPECT_EQ(static_cast<Index>(seen.size()), structure.n);
    }
}

TEST(SupernodalSubtrees, ListsOfANodeAreOnItsWayToTheRoot) {
  for (const SparseMatrix<double>& A : matrices()) {
    const NodeStructure structure = analyse(A, nodes_analysis(2, 0)).nodes;
    const auto node = node_of_variable(structure);
    const std::vector<Index> parent = node_tree(structure);
    for (Index k = 0; k < structure.nodes(); ++k) {
      std::set<Index> ancestors;
      for (Index a = parent[k]; a >= 0; a = parent[a]) {
        EXPECT_GT(a, ancestors.empty() ? k : *ancestors.rbegin());
        ancestors.insert(a);
      }
      for (const NodeLists* lists : {&structure.rows, &structure.columns})
        for (const std::int32_t v : (*lists)(k)) EXPECT_TRUE(ancestors.contains(node[v])) << "node " << k;
    }
  }
}

}  // namespace
}  // namespace overlapack::sparse::testing
