#pragma once
#include "fault_sweep.hpp"
#include "problems.hpp"

#include <cstdint>
#include <functional>
#include <vector>

/// Factorisations by ranks of which some are wrapped or fail.
namespace overlapack::sparse::testing {

using overlapack::testing::allocations;
using overlapack::testing::block_allocations;
using overlapack::testing::FaultOf;
using overlapack::testing::on_faulty_teams;
using overlapack::testing::RankWork;
using overlapack::testing::slow_each_rank;
using overlapack::testing::sweep_faults;

struct Problem {
  SparseMatrix<double> A;
  Analysis analysis;
  std::vector<double> b;
};

/// Factorise and solve as `use` wraps each rank; x and the counts of the factorisation.
template <class Factors>
Outcome<double> run_wrapped(
    comm::Team& team, const Problem& p, const FactorPlan& plan,
    const std::function<void(comm::Rank&, const std::function<void(comm::Rank&)>&)>& use) {
  std::vector<Factors> factors(static_cast<std::size_t>(team.size()));
  Outcome<double> outcome;
  outcome.x.resize(p.b.size());
  team.run([&](comm::Rank& engine) {
    use(engine, [&](comm::Rank& rank) {
      auto& mine = factors[static_cast<std::size_t>(rank.rank())];
      mine.factorize(rank, &p.analysis, &p.A, plan);
      mine.solve(rank, kernels::Op::none, p.b.data(), outcome.x.data(), 1);
      if (rank.rank() == 0) outcome.stats = mine.stats();
      comm::collective::barrier(rank);
    });
  });
  return outcome;
}

/// Factorise and solve, then again in the memory that is there: the work of a sweep.
/// make() gives empty factors of a rank; x is right to `bound`
template <class Make>
RankWork factorize_and_solve(const Problem& p, const FactorPlan& plan, double bound, Make make) {
  return [&p, plan, bound, make](comm::Rank& rank) {
    auto factors = make();
    std::vector<double> x(p.b.size());
    for (int time = 0; time < 2; ++time) {
      if (time == 0)
        factors.factorize(rank, &p.analysis, &p.A, plan);
      else
        factors.refactorize(rank, &p.analysis, &p.A, plan);
      factors.solve(rank, kernels::Op::none, p.b.data(), x.data(), 1);
      if (rank.rank() == 0) {
        EXPECT_LE(backward_error(p.A, x, p.b, 1), bound);
      }
    }
  };
}

}  // namespace overlapack::sparse::testing
