#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "iterative/driver/convergence.hpp"
#include "iterative/driver/stagnation.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace overlapack::iterative {

namespace {

template <class T>
class SyncConvergence final : public Convergence<T> {
 public:
  SyncConvergence(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan)
      : rank_(rank),
        block_(block),
        plan_(plan),
        source_(source_norm(rank, block)),
        patience_(plan, rank.size()) {}

  bool needs_halo(Index iteration) const override {
    return iteration % plan_.residual_period == 0 || iteration == plan_.max_iterations;
  }

  bool is_over(Index iteration, std::span<const T> x) override {
    if (!needs_halo(iteration)) return false;
    double mine = 0;
    rank_.compute({.kind = "residual", .flops = block_.residual_cost().flops},
                  [&] { mine = block_.residual(x.data()); });
    const double residual = std::sqrt(comm::collective::all_reduce(rank_, mine, std::plus<>())) / source_;
    ++found_.looks;
    if (rank_.rank() == 0 && plan_.on_progress)
      plan_.on_progress({.iteration = iteration, .residual = residual, .is_true = true});
    if (found_.looks == 1 || residual < found_.residual) {
      found_.x.assign(x.begin(), x.end());
      found_.residual = residual;
    }
    found_.has_converged = residual <= plan_.tolerance;
    found_.has_diverged = is_growth(plan_, residual, found_.residual) && !found_.has_converged;
    found_.has_stagnated = patience_.record_residual(residual) && may_stop_at(x) && !found_.has_converged;
    return found_.has_converged || found_.has_diverged || found_.has_stagnated ||
           iteration >= plan_.max_iterations;
  }

  Outcome<T> take_outcome() override { return std::move(found_); }

 private:
  /// Whether the iteration may stop as stagnated. A proven iteration may only if x has not moved since the last look.
  bool may_stop_at(std::span<const T> x) {
    if (!plan_.is_proven) return true;
    const std::optional<State<T>> before = std::exchange(before_, State<T>(x.begin(), x.end()));
    if (!before) return false;
    Movement all = movement<T>(x, *before);
    comm::collective::all_reduce(rank_, std::span<double>(all), std::plus<>());
    return has_stopped_moving<T>(plan_, all);
  }

  comm::Rank& rank_;
  const Block<T>& block_;
  const IterationPlan& plan_;
  double source_;
  Patience patience_;
  /// x at the last look after patience ended. An empty state is not nullopt: a rank may have no unknowns.
  std::optional<State<T>> before_;
  Outcome<T> found_;
};

}  // namespace

template <class T>
double source_norm(comm::Rank& rank, const Block<T>& block) {
  const double norm = std::sqrt(comm::collective::all_reduce(rank, block.source(), std::plus<>()));
  if (norm == 0) return 1;
  return std::isfinite(norm) ? norm
                             : std::numeric_limits<double>::quiet_NaN();  // no residual is small beside it
}

template <class T>
std::unique_ptr<Convergence<T>> sync_convergence(comm::Rank& rank, const Block<T>& block,
                                                 const IterationPlan& plan) {
  return std::make_unique<SyncConvergence<T>>(rank, block, plan);
}

#define OVERLAPACK_INSTANTIATE(T)                                                         \
  template double source_norm(comm::Rank&, const Block<T>&);                              \
  template std::unique_ptr<Convergence<T>> sync_convergence(comm::Rank&, const Block<T>&, \
                                                            const IterationPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
