#include "base/random.hpp"
#include "comm/wrap/checked.hpp"
#include "cube_twin.hpp"
#include "engine.hpp"
#include "iterative/driver/iterate.hpp"
#include "meet.hpp"

#include <array>
#include <cstdio>

// Runs with random plans, late and overtaking messages, slow ranks and ranks that are paused: each returns an x whose true
// residual meets the tolerance. The launcher's limit ends a run that hangs.
namespace overlapack::comm::conformance {
namespace {

using iterative::IterationPlan;
using iterative::Variant;

/// A rank that now and then does nothing for a while.
class PausedRank final : public ForwardingRank {
 public:
  PausedRank(Rank& inner, std::int64_t at_step, double pause_s)
      : ForwardingRank(inner), at_step_(at_step), pause_s_(pause_s) {}
  void run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) override {
    if (++steps_ == at_step_) {
      const double until = now() + pause_s_;
      while (now() < until) {
      }  // hears nothing meanwhile
    }
    ForwardingRank::run_slices(total, count, slice);
  }

 private:
  std::int64_t at_step_, steps_ = 0;
  double pause_s_;
};

/// What one run does; the same on every rank.
struct StressRun {
  explicit StressRun(std::uint64_t number, int ranks) : random(number) {
    plan.variant = below(2) == 0 ? Variant::async : Variant::racy;
    plan.in_flight = std::array{0, 1, 2, 5}[below(4)];
    plan.halo_period = std::array{0, 1, 1, 3}[below(4)];
    plan.tolerance = std::pow(10.0, -2 - static_cast<double>(below(5)));
    plan.residual_period = static_cast<Index>(1 + below(30));
    plan.residual_sum = below(2) == 0 ? collective::SumForm::tree : collective::SumForm::doubling;
    plan.slow_rank = static_cast<int>(below(static_cast<std::uint64_t>(ranks) + 1)) - 1;
    plan.slow_factor = 1 + static_cast<double>(below(30)) / 10;
    problem = {.points = static_cast<Index>(1 + below(4)),
               .grid = below(2) == 0 ? dist::cubic_grid(ranks) : dist::BoxGrid{1, 1, ranks},
               .shift = static_cast<double>(below(2))};
    checked = {.seed = number + 1, .delay = static_cast<double>(below(10)) / 10};
    paused_rank = below(4) == 0 ? static_cast<int>(below(static_cast<std::uint64_t>(ranks))) : -1;
    pause_step = static_cast<std::int64_t>(1 + below(40));
  }
  std::uint64_t below(std::uint64_t n) { return random.below(n); }

  Random random;
  IterationPlan plan;
  iterative::StencilProblem problem;
  CheckedOptions checked;
  int paused_rank = -1;
  std::int64_t pause_step = 0;
};

struct Counts {
  std::int64_t delayed = 0, snapshots = 0, skipped = 0, batches = 0, paused = 0;
};

void run_once(Rank& engine, std::uint64_t number, double pause_s, Counts& counts) {
  const StressRun run(number, engine.size());
  PausedRank paused(engine, run.paused_rank == engine.rank() ? run.pause_step : -1, pause_s);
  CheckedRank rank(paused, run.checked);
  const iterative::StencilBlock block(run.problem, rank.rank());
  const auto result = iterative::iterate(rank, block, run.plan);
  CubeTwin twin(run.problem);
  twin.take(collected(rank, block, result.x));
  EXPECT_TRUE(result.has_converged) << "run " << number;
  EXPECT_LE(twin.residual(), run.plan.tolerance * (1 + 1e-9)) << "run " << number;
  collective::barrier(rank);
  counts.delayed += rank.delayed();
  counts.snapshots += result.snapshots;
  counts.skipped += result.skipped_sends;
  counts.batches += result.largest_batch > 1;
  counts.paused += run.paused_rank == rank.rank();
  const bool by_puts = run.plan.variant == Variant::async && engine.capabilities().orders_puts;
  EXPECT_EQ(result.put_sends, by_puts ? result.sends : 0);
}

void stress(std::uint64_t runs, double pause_s) {
  on_each_team([&](Rank& rank) {
    Counts counts;
    for (std::uint64_t number = 0; number < runs; ++number) {
      run_once(rank, number, pause_s, counts);
      meet(rank);
    }
    std::array<std::int64_t, 5> sums{counts.delayed, counts.snapshots, counts.skipped, counts.batches,
                                     counts.paused};
    collective::all_reduce(rank, std::span<std::int64_t>(sums), std::plus<>());
    if (rank.rank() != 0) return;
    std::printf(
        "%llu runs on %d ranks: %lld deliveries delayed, %lld snapshots, %lld halos kept back, %lld batches, "
        "%lld pauses\n",
        static_cast<unsigned long long>(runs), rank.size(), static_cast<long long>(sums[0]),
        static_cast<long long>(sums[1] / rank.size()), static_cast<long long>(sums[2]),
        static_cast<long long>(sums[3]), static_cast<long long>(sums[4]));
    EXPECT_GT(sums[0], 0);
    EXPECT_GT(sums[1], static_cast<std::int64_t>(runs) / 2);
    EXPECT_GT(sums[4], 0);
    if (rank.size() == 1) return;
    EXPECT_GT(sums[2], 0);
    EXPECT_GT(sums[3], 0);
  });
}

TEST(IterativeStress, SomeRuns) { stress(30, 1e-3); }
TEST(IterativeStress, DISABLED_AThousandRuns) { stress(1000, 5e-3); }

}  // namespace
}  // namespace overlapack::comm::conformance
