#include "iterative/driver/iterate.hpp"

#include "base/instantiate.hpp"
#include "comm/channel/pace.hpp"
#include "comm/collective/collective.hpp"
#include "comm/nap.hpp"
#include "iterative/driver/convergence.hpp"

#include <cmath>
#include <optional>
#include <string>

namespace overlapack::iterative {

namespace {

/// Replaces a step that would give the same x again: moves messages until a neighbour's values come, or for as long as a step
/// takes.
template <class T>
void rest_until_news(comm::Rank& rank, Halo<T>& halo, double seconds) {
  rank.poll();
  for (const double end = rank.now() + seconds; !halo.has_news() && rank.now() < end; rank.poll())
    comm::sleep_briefly(rank);
}

/// The local step of one iteration; a slow rank repeats it plan.slow_factor times on average.
template <class T>
class Stepper {
 public:
  Stepper(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan)
      : rank_(rank), block_(block), repeats_(rank.rank() == plan.slow_rank ? plan.slow_factor : 1) {}

  void operator()(const T* x, T* next) {
    const double begin = rank_.now();
    for (owed_ += repeats_; owed_ >= 1; --owed_)
      block_.step(rank_, x, next);  // x is unchanged, so that a repeat gives the same result
    last_s_ = rank_.now() - begin;
  }
  /// Seconds that the last call took.
  double last_s() const { return last_s_; }

 private:
  comm::Rank& rank_;
  const Block<T>& block_;
  double repeats_;
  double owed_ = 0;
  double last_s_ = 0;
};

/// Swaps halos every plan.halo_period iterations, or, if that is 0 and the iteration is not in step, as often as comm::Pace
/// decides.
template <class T>
class Exchanges {
 public:
  Exchanges(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan, const T* start)
      : halo_(open_halo(rank, block, plan, start)), period_(plan.halo_period > 0 ? plan.halo_period : 1) {
    const Index most = block.steps_of_a_halo();
    if (plan.halo_period == 0 && plan.variant != Variant::sync && most > 1)
      pace_.emplace(rank, most, plan.exchange_share);
  }

  /// Swap halos if it is time or is_needed; returns whether values of a neighbour came. (comm::Pace is used only for asynchronous
  /// iterations, which never need a halo.)
  bool swap_if_due(Index iteration, bool is_needed, T* x, T* next) {
    bool has_come = false;
    if (!pace_) {
      if (iteration % period_ == 0 || is_needed) has_come = halo_->swap(x, next);
    } else if (pace_->count_step_towards_exchange()) {
      pace_->exchange([&] { has_come = halo_->swap(x, next); });
    }
    return has_come;
  }
  Halo<T>& halo() { return *halo_; }
  Index period() const { return pace_ ? pace_->period() : period_; }
  HaloCounts close() {
    halo_->close();
    return halo_->counts();
  }

 private:
  std::unique_ptr<Halo<T>> halo_;
  Index period_;
  std::optional<comm::Pace> pace_;  ///< set if the period is adapted at run time
};

template <class T>
std::unique_ptr<Convergence<T>> open_convergence(comm::Rank& rank, const Block<T>& block,
                                                 const IterationPlan& plan) {
  return plan.variant == Variant::sync ? sync_convergence(rank, block, plan)
                                       : async_convergence(rank, block, plan);
}

void may_go_on(const comm::Rank& rank, const IterationPlan& plan) {
  if (rank.rank() == 0 && plan.before_iteration) plan.before_iteration();
}

/// Tier 3: plan.final_sweeps iterations in step from the vector found, with current halos. Their result is kept if it has a smaller
/// residual.
/// Source  proposed in paper 5, section 3.1.2
template <class T>
void finish_in_step(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan,
                    IterationResult<T>& result) {
  IterationPlan in_step = plan;
  in_step.variant = Variant::sync;
  State<T> u = result.x, next = result.x;
  const auto halo = open_halo(rank, block, in_step, u.data());
  Stepper<T> step(rank, block, in_step);
  for (int k = 0; k < plan.final_sweeps; ++k) {
    may_go_on(rank, plan);
    halo->swap(u.data(), next.data());
    step(u.data(), next.data());
    std::swap(u, next);
  }
  halo->swap(u.data(), next.data());
  const double residual =
      std::sqrt(comm::collective::all_reduce(rank, block.residual(u.data()), std::plus<>())) /
      source_norm(rank, block);
  result.iterations += plan.final_sweeps;
  if (!(residual < result.residual)) return;
  result.x = std::move(u);
  result.residual = residual;
  result.has_converged = residual <= plan.tolerance;
}

}  // namespace

void require_plan(const IterationPlan& plan, int ranks, bool is_complex) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_plan, message); };
  if (plan.in_flight < 0)
    refuse("in_flight is " + std::to_string(plan.in_flight) +
           ", so that nothing could ever be sent; give at least 1 message, or 0 to leave it to the library");
  if (plan.halo_period < 0)
    refuse("halo_period is " + std::to_string(plan.halo_period) +
           "; give at least 1 iteration, or 0 to leave it to the library");
  if (plan.residual_period < 1)
    refuse("residual_period is " + std::to_string(plan.residual_period) + "; give at least 1 iteration");
  if (plan.slow_rank >= ranks)
    refuse("rank " + std::to_string(plan.slow_rank) + " is to be slow, but there are " +
           std::to_string(ranks) + " ranks; name one from 0 to " + std::to_string(ranks - 1));
  if (!(plan.slow_factor >= 1))
    refuse("a slow rank takes at least 1 time as long as the others; give a factor of 1 or more");
  if (is_complex && plan.variant == Variant::racy)
    refuse("a racy halo needs numbers that arrive whole, and a complex number is two; use variant async");
}

template <class T>
IterationResult<T> iterate(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan) {
  require_plan(plan, rank.size(), ScalarTraits<T>::is_complex);
  State<T> u(block.state_size());
  block.start(u.data());
  State<T> next = u;
  Exchanges<T> halo(rank, block, plan, u.data());
  const auto convergence = open_convergence(rank, block, plan);
  Stepper<T> step(rank, block, plan);
  // racy: whether words have come is not known
  const bool may_rest = plan.variant == Variant::async && block.is_solved_by_one_step();
  IterationResult<T> result;
  const comm::EngineCounters before = rank.counters();
  Index rests = 0;
  for (;; ++result.iterations) {
    const Index k = result.iterations;
    may_go_on(rank, plan);
    // Figure 1: swap a one-element-thick halo with each neighbouring process
    const bool has_come = halo.swap_if_due(k, convergence->needs_halo(k), u.data(), next.data());
    // every 100 steps: local residual, global residual, stop if it is small
    if (convergence->is_over(k, u)) break;
    if (may_rest && k > 0 && !has_come) {
      rest_until_news(rank, halo.halo(), step.last_s());
      ++rests;
      continue;
    }
    // for all local points: u_new, Jacobi's D^-1 (b - (L + U) u) or a block's solution; then u = u_new
    step(u.data(), next.data());
    std::swap(u, next);
    halo.halo().mark_stepped();
  }
  const comm::EngineCounters after = rank.counters();
  static_cast<HaloCounts&>(result) = halo.close();
  result.rests = rests;
  result.slices = after.slices - before.slices;
  result.slices_by_others = after.slices_by_others - before.slices_by_others;
  result.halo_period_mean = static_cast<double>(halo.period());
  Outcome<T> found = convergence->take_outcome();
  result.looks = found.looks;
  result.snapshots = found.snapshots;
  static_cast<Found<T>&>(result) = std::move(found);
  if (plan.variant != Variant::sync && plan.final_sweeps > 0 && !result.has_diverged)
    finish_in_step(rank, block, plan, result);
  return result;
}

template <class T>
State<T> sweep(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan, Index sweeps) {
  require_plan(plan, rank.size(), ScalarTraits<T>::is_complex);
  State<T> u(block.state_size());
  block.start(u.data());
  State<T> next = u;
  Exchanges<T> halo(rank, block, plan, u.data());
  Stepper<T> step(rank, block, plan);
  for (Index k = 0; k < sweeps; ++k) {
    may_go_on(rank, plan);
    halo.swap_if_due(k, false, u.data(), next.data());
    step(u.data(), next.data());
    std::swap(u, next);
    halo.halo().mark_stepped();
  }
  halo.close();
  return u;
}

#define OVERLAPACK_INSTANTIATE(T)                                                          \
  template IterationResult<T> iterate(comm::Rank&, const Block<T>&, const IterationPlan&); \
  template State<T> sweep(comm::Rank&, const Block<T>&, const IterationPlan&, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
