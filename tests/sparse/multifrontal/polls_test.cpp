#include "comm/wrap/forwarding.hpp"
#include "problems.hpp"

#include <mutex>

/// How much is computed while nobody looks at the messages: large fronts are cut, whole or in strips.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

/// Measures the flops between two calls that move bytes, as the works say.
class PollMeter final : public comm::ForwardingRank {
 public:
  using ForwardingRank::ForwardingRank;

  comm::Woken wait_any(std::span<comm::Request* const> requests, comm::LaneSet probes) override {
    since_ = 0;
    return inner_.wait_any(requests, probes);
  }
  void poll() override {
    since_ = 0;
    inner_.poll();
  }
  void run_slices(const comm::Work& total, std::size_t count,
                  comm::FunctionRef<void(std::size_t)> slice) override {
    compute_for(total.flops / static_cast<double>(std::max<std::size_t>(1, count)));
    slices += static_cast<Index>(count);
    inner_.run_slices(total, count, slice);
    since_ = 0;  // it polls behind each slice
  }

  double most = 0;  ///< flops between two polls
  Index slices = 0;

 protected:
  void run_compute(const comm::Work& work, comm::FunctionRef<void()> f) override {
    if (!is_inside_) compute_for(work.flops);
    const bool was_inside = std::exchange(is_inside_, true);
    inner_.compute(work, f);
    is_inside_ = was_inside;
  }

 private:
  void compute_for(double flops) {
    since_ += flops;
    most = std::max(most, since_);
  }

  double since_ = 0;
  bool is_inside_ = false;  ///< the outer work states the flops of all that is in it
};

/// The receives of the walk are always posted.
TEST(MultifrontalPolls, NoMoreFlopsThanASliceBetweenTwo) {
  constexpr int points = 13;
  // Edges of 32 must be enough: 2 x 32^2 x 250 pivots, and steps of 32 pivots in fronts of order 250.
  constexpr double slice = 5.2e5;
  const bool is_thread = comm::conformance::is_thread();
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky}) {
    const bool is_definite = kind == FactorKind::cholesky;
    const auto A = is_definite ? cube_of<double>(points) : weak_cube<double>(points);
    AnalysisPlan analysis_plan;
    analysis_plan.kind = kind;
    analysis_plan.matching = Switch::off;
    analysis_plan.ordering = Ordering::dissection;
    const Analysis analysis = analyse(A, analysis_plan);
    const auto b = multiply(A, random_vector<double>(A.rows, 7), 1);
    for (const NodeParallelism fronts : {NodeParallelism::slices, NodeParallelism::strips})
      each_team({}, [&](comm::Team& team) {
        FactorPlan plan;
        plan.fronts.leaf_flops = slice / 4;
        plan.slice_flops = slice;
        plan.fronts.root.root = RootParallelism::sequential;
        plan.fronts.strips.sharing = fronts;
        plan.fronts.strips.border = 48;
        plan.fronts.strips.least_flops = slice;
        std::vector<double> x(b.size());
        Index slices = 0;
        std::mutex mutex;
        team.run([&](comm::Rank& rank) {
          PollMeter meter(rank);
          Multifrontal<double> factors;
          const bool is_first = rank.rank() == 0;
          factors.factorize(meter, &analysis, &A, plan);
          EXPECT_TRUE(rank.size() == 1 || meter.most <= slice)
              << "rank " << rank.rank() << ": " << meter.most;
          EXPECT_TRUE(!is_first || is_definite || factors.stats().pivots.delayed > 0);
          EXPECT_TRUE(!is_first || fronts != NodeParallelism::strips || rank.size() == 1 ||
                      factors.stats().distributed_fronts > 0);
          factors.solve(rank, b.data(), x.data(), 1);
          const std::lock_guard lock(mutex);
          slices += meter.slices;
        });
        if (team.first_local() != 0) return;
        EXPECT_LE(backward_error(A, x, b, 1), tolerance<double>(A.rows));
        if (team.size() == 1) {  // nobody to hear from; slices are of pivots that are searched for
          EXPECT_TRUE(slices == 0 || !is_definite) << slices;
        } else if (is_thread) {
          EXPECT_GT(slices, 5);  // strips of seven ranks are seldom longer than a slice
        }
      });
  }
}

}  // namespace
}  // namespace overlapack::sparse::testing
