#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "problems.hpp"

#include <cstdlib>
#include <new>

/// The multifrontal method when messages come late and in other orders, and when any one call or allocation of a rank
/// fails.
namespace overlapack::sparse::testing {
namespace {

/// Allocations of this thread until one fails; below 0: none fails.
thread_local std::int64_t allocations_left = -1;

/// Allocations of this thread so far.
thread_local std::int64_t allocations = 0;

void* allocate(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  if (allocations_left >= 0 && allocations_left-- == 0) {
    throw std::bad_alloc();
  }
  void* memory = alignment > alignof(std::max_align_t)
                     ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                     : std::malloc(bytes ? bytes : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace
}  // namespace overlapack::sparse::testing

/// The pool of contribution blocks takes its memory here.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  ++overlapack::sparse::testing::allocations;
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

void* operator new(std::size_t bytes) { return overlapack::sparse::testing::allocate(bytes, 1); }
void* operator new[](std::size_t bytes) { return overlapack::sparse::testing::allocate(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return overlapack::sparse::testing::allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return overlapack::sparse::testing::allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace overlapack::sparse::testing {
namespace {

/// A small system whose fronts are shared by strips, with pivots delayed out of them.
struct Problem {
  SparseMatrix<double> A;
  Analysis analysis;
  std::vector<double> b;
};

Problem problem(FactorKind kind, Index n) {
  Problem p;
  AnalysisPlan plan;
  plan.kind = kind;
  plan.matching = Switch::off;
  p.A = kind == FactorKind::lu ? random_matrix<double>(n, 2, Symmetry::general, true, 5)
                               : zero_diagonal<double>(n, 29);
  p.analysis = analyse(p.A, plan);
  p.b = multiply(p.A, random_vector<double>(n, 7), 1);
  return p;
}

std::vector<FactorPlan> plans(FactorKind kind) {
  std::vector<FactorPlan> all{
      stress_plan(comm::ReceiveMode::immediate, 1), strips_plan(comm::ReceiveMode::immediate, 2),
      strips_plan(comm::ReceiveMode::probe, 1),     stealing_plan(comm::ReceiveMode::immediate, 2),
      late_plan(comm::ReceiveMode::immediate),      late_plan(comm::ReceiveMode::probe)};
  if (kind == FactorKind::lu)
    all.insert(all.end(),
               {root_plan(comm::ReceiveMode::immediate, 2), late_root_plan(comm::ReceiveMode::immediate),
                late_root_plan(comm::ReceiveMode::probe)});
  return all;
}

/// Factorise and solve as `use` wraps each rank; x and the counts of the factorisation.
Outcome<double> run_wrapped(
    comm::Team& team, const Problem& p, const FactorPlan& plan,
    const std::function<void(comm::Rank&, const std::function<void(comm::Rank&)>&)>& use) {
  std::vector<Multifrontal<double>> factors(static_cast<std::size_t>(team.size()));
  Outcome<double> outcome;
  outcome.x.resize(p.b.size());
  team.run([&](comm::Rank& engine) {
    use(engine, [&](comm::Rank& rank) {
      auto& mine = factors[static_cast<std::size_t>(rank.rank())];
      mine.factorize(rank, &p.analysis, &p.A, plan);
      mine.solve(rank, p.b.data(), outcome.x.data(), 1);
      if (rank.rank() == 0) outcome.stats = mine.stats();
      comm::collective::barrier(rank);
    });
  });
  return outcome;
}

TEST(MultifrontalFaults, LateAndOvertakenMessagesChangeNothing) {
  std::int64_t delayed = 0, overtaken = 0, parked = 0, late_receives = 0;
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    const Problem p = problem(kind, 90);
    const auto all = plans(kind);
    for (const auto& plan : all) {
      const bool waits = plan.fronts.walk.early == dist::EarlyMessages::wait;
      for (std::uint64_t seed = 1; seed <= (waits ? 12 : 3); ++seed)  // waiting calls nest in many ways
        for (const int ranks : {2, 3, 4, 7}) {
          const auto team = comm::open({.ranks = ranks});
          std::vector<std::int64_t> late(static_cast<std::size_t>(ranks)), overtook(late);
          const auto [x, stats] = run_wrapped(*team, p, plan, [&](comm::Rank& engine, const auto& solve) {
            comm::CheckedRank rank(engine, {.seed = seed});
            solve(rank);
            late[static_cast<std::size_t>(rank.rank())] = rank.delayed();
            overtook[static_cast<std::size_t>(rank.rank())] = rank.overtaken();
          });
          EXPECT_LE(backward_error(p.A, x, p.b, 1), tolerance<double>(p.A.rows))
              << "seed " << seed << ", ranks " << ranks << ", plan " << &plan - all.data() << ", kind "
              << int(kind);
          if (!waits) EXPECT_EQ(front_counts_of(stats).late_receives, 0);
          // pieces of a root on a grid are kept: others may have its description first
          if (waits && front_counts_of(stats).grid_roots == 0) EXPECT_EQ(front_counts_of(stats).parked, 0);
          parked += front_counts_of(stats).parked;
          late_receives += front_counts_of(stats).late_receives;
          for (const std::int64_t count : late) delayed += count;
          for (const std::int64_t count : overtook) overtaken += count;
        }
    }
  }
  EXPECT_GT(delayed, 0);
  EXPECT_GT(overtaken, 0);
  EXPECT_GT(parked, 0);
  EXPECT_GT(late_receives, 0);
}

/// Run with a fault at place k = 0, 1, ... until none is left; every run ends, with an error of this kind. How many failed.
std::int64_t fail_everywhere(int ranks, ErrorKind kind,
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

/// Each kind with each plan on three ranks, with faults on rank 0, which is the caller's thread, or on rank 2.
void fail_in_each_plan(
    ErrorKind kind,
    const std::function<void(comm::Team&, const Problem&, const FactorPlan&, int, std::int64_t)>& run) {
  int number = 0;
  for (const FactorKind factor_kind : {FactorKind::lu, FactorKind::ldlt}) {
    const Problem p = problem(factor_kind, 20);
    for (const auto& plan : plans(factor_kind)) {
      const int failing = number++ % 2 == 0 ? 0 : 2;
      const std::int64_t places =
          fail_everywhere(3, kind, [&](comm::Team& team, std::int64_t k) { run(team, p, plan, failing, k); });
      EXPECT_GT(places, 10);
    }
  }
}

TEST(MultifrontalFaults, AnyFailingCallEndsAllRanks) {
  fail_in_each_plan(ErrorKind::internal, [](comm::Team& team, const Problem& p, const FactorPlan& plan,
                                            int failing, std::int64_t k) {
    run_wrapped(team, p, plan, [&](comm::Rank& engine, const auto& solve) {
      comm::CheckedRank rank(engine,
                             {.seed = 3, .delay = 0, .throw_at_call = engine.rank() == failing ? k : -1});
      solve(rank);
    });
  });
}

TEST(MultifrontalFaults, AnyFailingAllocationEndsAllRanks) {
  fail_in_each_plan(ErrorKind::out_of_memory, [](comm::Team& team, const Problem& p, const FactorPlan& plan,
                                                 int failing, std::int64_t k) {
    run_wrapped(team, p, plan, [&](comm::Rank& rank, const auto& solve) {
      allocations_left = rank.rank() == failing ? k : -1;
      solve(rank);
      allocations_left = -1;
    });
  });
}

/// From the second time on, one rank factorises other values in the memory that it has: what is allocated is a walk's
/// few receives and lists, as many for ten times the unknowns and fronts.
TEST(MultifrontalFaults, FactorizingAgainAllocatesNothingThatGrows) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky}) {
    std::vector<std::int64_t> counts;
    for (const int points : {6, 13}) {
      SparseMatrix<double> A = cube_of<double>(points);
      AnalysisPlan analysis_plan;
      analysis_plan.kind = kind;
      const Analysis analysis = analyse(A, analysis_plan);
      FactorPlan plan;
      plan.fronts.leaf_flops = 1e3;  // many tasks
      comm::open({.ranks = 1})->run([&](comm::Rank& rank) {
        Multifrontal<double> factors;
        factors.factorize(rank, &analysis, &A, plan);
        for (int time = 0; time < 3; ++time) {
          for (double& value : A.value) value *= 1.5;
          const std::int64_t before = allocations;
          factors.refactorize(rank, &analysis, &A, plan);
          if (time == 2) counts.push_back(allocations - before);
        }
        const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 3), 1);
        std::vector<double> x(b.size());
        factors.solve(rank, b.data(), x.data(), 1);
        EXPECT_LE(backward_error(A, x, b, 1), tolerance<double>(A.rows));
      });
    }
    // of contribution blocks the pool keeps twice the largest; the first ones beside a larger one are made again
    EXPECT_LE(counts[1], counts[0] + 8) << "kind " << static_cast<int>(kind);
    EXPECT_LE(counts[1], 100);
  }
}

}  // namespace
}  // namespace overlapack::sparse::testing
