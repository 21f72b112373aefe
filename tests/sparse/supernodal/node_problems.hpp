#pragma once
#include "sparse/multifrontal/problems.hpp"
#include "sparse/supernodal/supernodal.hpp"

#include <vector>

/// Plans and runs for the tests of supernodal LU.
namespace overlapack::sparse::testing {

using namespace supernodal;

struct Grid {
  int rows, cols;
  int size() const { return rows * cols; }
};

inline AnalysisPlan nodes_analysis(Index max_width, Index relax, std::optional<Switch> matching = {}) {
  AnalysisPlan plan;
  plan.nodes = NodePlan{max_width, relax};
  plan.matching = matching;
  return plan;
}

/// Narrow tiles, no slice without a poll behind it.
inline FactorPlan nodes_plan(Schedule schedule, int depth, Grid grid = {0, 0}) {
  FactorPlan plan;
  plan.slice_flops = 0;
  plan.nodes.schedule = schedule;
  plan.nodes.depth = depth;
  plan.nodes.grid_rows = grid.rows;
  plan.nodes.grid_cols = grid.cols;
  plan.nodes.tile_rows = 5;
  plan.nodes.tile_columns = 3;
  plan.nodes.direct_columns = 2;
  return plan;
}

template <class T>
struct NodeOutcome {
  std::vector<T> x, x_transposed;
  FactorStats stats;
  dense::ScaledNumber<T> determinant;
};

/// Analyse, factorise, solve with A and with A^T; x on the process of rank 0.
template <class T>
NodeOutcome<T> run_nodes(comm::Team& team, const SparseMatrix<T>& A, const AnalysisPlan& analysis_plan,
                         const FactorPlan& plan, const std::vector<T>& b, Index nrhs,
                         bool is_distributed = false) {
  NodeOutcome<T> outcome;
  outcome.x.resize(b.size());
  outcome.x_transposed.resize(b.size());
  const Analysis analysis = team.first_local() == 0 ? analyse(A, analysis_plan) : Analysis();
  team.run([&](comm::Rank& rank) {
    Supernodal<T> factors;
    if (is_distributed)
      factors.factorize(rank, &analysis, slab_of(rank, A), plan);
    else
      factors.factorize(rank, &analysis, &A, plan);
    factors.solve(rank, kernels::Op::none, b.data(), outcome.x.data(), nrhs);
    factors.solve(rank, kernels::Op::conj_trans, b.data(), outcome.x_transposed.data(), nrhs);
    const auto determinant = factors.determinant(rank);
    if (rank.rank() != team.first_local()) return;
    outcome.stats = factors.stats();
    outcome.determinant = determinant;
  });
  return outcome;
}

/// With one refinement step's worth of room over `tolerance`: pivots are chosen inside of squares alone.
template <class T>
double static_tolerance(Index n) {
  return 30 * tolerance<T>(n);
}

template <class T>
void expect_small_errors(const SparseMatrix<T>& A, const NodeOutcome<T>& outcome, const std::vector<T>& b,
                         Index nrhs) {
  EXPECT_LE(backward_error(A, outcome.x, b, nrhs), static_tolerance<T>(A.rows));
  EXPECT_LE(backward_error(applied(A, kernels::Op::conj_trans), outcome.x_transposed, b, nrhs),
            static_tolerance<T>(A.rows));
}

}  // namespace overlapack::sparse::testing
