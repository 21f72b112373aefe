#pragma once
#include "api/iterative/inner_solvers.hpp"
#include "iterative/driver/iterate.hpp"
#include "iterative/multisplitting/block_group.hpp"
#include "schwarz_twin.hpp"
#include "sparse/multifrontal/problems.hpp"

#include <limits>
#include <memory>
#include <vector>

/// Multisplitting with a block a group of ranks, for tests.
namespace overlapack::comm::conformance {

using iterative::BlockGroup;
using iterative::IterationPlan;
using iterative::SharedFactory;

template <class T>
struct GroupRun {
  iterative::IterationResult<T> result;  ///< of leaders
  std::vector<T> x;                      ///< on rank 0
  Index served = 0;                      ///< solves in which a rank that does not lead took part
};

/// Shapes  block_of: of each row, below world.size() / ranks_per_block
template <class T>
GroupRun<T> run_groups(Rank& world, int ranks_per_block, const SparseMatrix<T>& A, const std::vector<T>& b,
                       const std::vector<int>& block_of, const SchwarzPlan& schwarz,
                       const SharedFactory<T>& factory, const IterationPlan& plan) {
  BlockGroup group(world, ranks_per_block);
  BlockGroup* here = &group;
  GroupRun<T> run;
  if (group.is_leader()) {
    const bool is_root = world.rank() == 0;
    iterative::SchwarzBlock<T> block(group.leaders(), is_root ? &A : nullptr, block_of, schwarz,
                                     iterative::make_factory_on_leader(here, factory));
    block.distribute_source(group.leaders(), is_root ? b.data() : nullptr);
    run.result = iterate(group.leaders(), block, plan);
    run.x = block.gather_on_root(group.leaders(), run.result.x);
    group.broadcast_order({iterative::BlockGroup::Task::end});
  } else {
    std::vector<std::unique_ptr<iterative::InnerSolver<T>>> share;
    run.served = iterative::run_tasks_of_leader(group, factory, share);
  }
  if (world.rank() == 0) {
    const double eps = std::numeric_limits<Real<T>>::epsilon();
    EXPECT_NEAR(run.result.residual, relative_residual(A, run.x, b), 1e5 * eps * (1 + run.result.residual));
  }
  return run;
}

/// 0: conjugate gradients to the last digit; else the multifrontal method with every parallel path on small fronts.
constexpr int inners = 3;
template <class T>
SharedFactory<T> inner(int number, SparseFigures& figures) {
  if (number == 0)
    return api::make_gradient_inner_factory<T>(
        {.multisplitting = {.inner_tolerance = 100 * std::numeric_limits<Real<T>>::epsilon()}});
  using sparse::testing::stress_plan, sparse::testing::strips_plan;
  const auto plan = number == 1 ? stress_plan(ReceiveMode::immediate, 2) : strips_plan(ReceiveMode::probe, 1);
  return api::make_direct_inner_factory<T>({}, plan, figures);
}

}  // namespace overlapack::comm::conformance
