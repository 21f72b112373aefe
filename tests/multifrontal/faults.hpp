#pragma once
#include "../counted_allocations.hpp"
#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "problems.hpp"

#include <cstdint>
#include <functional>
#include <vector>

/// Factorisations by ranks of which some are wrapped or fail.
namespace overlapack::sparse::testing {

using overlapack::testing::allocations;
using overlapack::testing::allocations_left;

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

/// Run with a fault at place k = 0, 1, ... until none is left; every run ends, with an error of this kind. How many failed.
inline std::int64_t fail_everywhere(int ranks, ErrorKind kind,
                                    const std::function<void(comm::Team&, std::int64_t)>& run) {
  for (std::int64_t k = 0;; ++k) {
    const auto team = comm::open({.ranks = ranks, .watchdog_s = 20});
    try {
      run(*team, k);
      return k;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << "at " << k << ": " << error.what();
      if (error.kind() != kind) return k;
    }
  }
}

/// As its call number k, from 0 on, comes.
template <class Factors>
void throw_at_call(comm::Team& team, const Problem& p, const FactorPlan& plan, int failing, std::int64_t k) {
  run_wrapped<Factors>(team, p, plan, [&](comm::Rank& engine, const auto& solve) {
    comm::CheckedRank rank(engine,
                           {.seed = 3, .delay = 0, .throw_at_call = engine.rank() == failing ? k : -1});
    solve(rank);
  });
}

template <class Factors>
void fail_at_allocation(comm::Team& team, const Problem& p, const FactorPlan& plan, int failing,
                        std::int64_t k) {
  run_wrapped<Factors>(team, p, plan, [&](comm::Rank& rank, const auto& solve) {
    allocations_left = rank.rank() == failing ? k : -1;
    solve(rank);
    allocations_left = -1;
  });
}

}  // namespace overlapack::sparse::testing
