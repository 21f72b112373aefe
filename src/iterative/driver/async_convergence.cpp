#include "base/instantiate.hpp"
#include "comm/collective/async_sum.hpp"
#include "comm/collective/collective.hpp"
#include "iterative/driver/convergence.hpp"
#include "iterative/driver/stagnation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace overlapack::iterative {

namespace {

/// Tier 1 sums local residuals, tier 2 the true residual of a recorded vector; one sum is under way at a time, and each rank
/// decides from the same sums in the same order.
template <class T>
class AsyncConvergence final : public Convergence<T> {
 public:
  AsyncConvergence(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan)
      : rank_(rank),
        block_(block),
        plan_(plan),
        source_(source_norm(rank, block)),
        sum_(comm::collective::async_sum(rank, plan.residual_sum)),
        patience_(plan, rank.size()) {
    receives_.resize(block_.neighbours().size());
    // The start vector is the same on all ranks; it is returned if no better one is found.
    found_.x.resize(block_.state_size());
    block_.start(found_.x.data());
    const double mine = block_.residual(found_.x.data());
    found_.residual = std::sqrt(comm::collective::all_reduce(rank_, mine, std::plus<>())) / source_;
    found_.has_converged = is_over_ = found_.residual <= plan_.tolerance;
    last_recorded_ = found_.residual;
    patience_.begin_at(found_.residual);
    next_look_ = plan_.residual_period;
  }

  bool needs_halo(Index) const override { return false; }

  bool is_over(Index iteration, std::span<const T> x) override {
    if (const auto sums = sum_->sum_if_done()) {
      if (is_recording_)
        judge_record(iteration, *sums);
      else
        judge_estimate(iteration, *sums, x);
    }
    if (is_over_) return true;
    if (sum_->is_under_way()) return false;
    if (is_recording_) {
      if (has_recorded_halo()) start_sum(iteration, recorded_);
    } else if (iteration >= std::min(next_look_, plan_.max_iterations)) {
      next_look_ = iteration + plan_.residual_period;
      start_sum(iteration, x);
    }
    return false;
  }

  Outcome<T> take_outcome() override { return std::move(found_); }

 private:
  /// Start a global sum of my part of the residual and my iteration number.
  void start_sum(Index iteration, std::span<const T> x) {
    double mine = 0;
    rank_.compute({.kind = "residual", .flops = block_.residual_cost().flops},
                  [&] { mine = block_.residual(x.data()); });
    std::vector<double> parts{mine, static_cast<double>(iteration)};
    if (is_recording_ && before_) {
      const Movement moved = movement<T>(recorded_, *before_);
      parts.insert(parts.end(), moved.begin(), moved.end());
    }
    sum_->start(std::move(parts));
  }

  /// Tier 1: the sum of local residuals decides whether to record a vector.
  void judge_estimate(Index iteration, const std::vector<double>& sums, std::span<const T> x) {
    const double estimate = std::sqrt(sums[0]) / source_;
    report({.iteration = iteration, .residual = estimate});
    ++found_.looks;
    // Growth is measured against a true residual, because with old halos an estimate can be arbitrarily small.
    const bool is_growing = is_growth(plan_, estimate, found_.residual);
    // An earlier estimate may have been smaller than any true residual: the record decides whether nothing better came.
    is_suspect_ = patience_.record_residual(estimate);
    is_last_ = is_growing || sums[1] >= static_cast<double>(plan_.max_iterations) * rank_.size();
    found_.has_diverged = is_growing;
    if (is_last_ || is_suspect_ || estimate <= plan_.tolerance ||
        estimate <= plan_.snapshot_step * last_recorded_)
      record(x, estimate);
  }

  /// Tier 2: copy my present unknowns and send their boundary values to the neighbours.
  void record(std::span<const T> x, double estimate) {
    is_recording_ = true;
    last_recorded_ = estimate;
    recorded_.assign(x.begin(), x.end());
    const auto neighbours = block_.neighbours();
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      if (neighbours[k].in > 0) receives_[k] = rank_.post_receive(comm::Lane::bulk, neighbours[k].rank);
      if (neighbours[k].out == 0) continue;
      std::vector<T> message(neighbours[k].out);
      block_.pack(x.data(), k, message.data());
      rank_.start_send(comm::Lane::bulk, neighbours[k].rank, {}, comm::Body::adopt(std::move(message)));
    }
  }

  /// Whether every neighbour's recorded boundary values have arrived; if so, unpack them into the record.
  bool has_recorded_halo() {
    if (std::ranges::any_of(receives_, [](const comm::Recv& r) { return r.pending(); })) return false;
    for (std::size_t k = 0; k < receives_.size(); ++k) {
      if (!receives_[k]) continue;
      const comm::Message message = receives_[k].take();
      block_.unpack(message.body.template as<T>().data(), k, recorded_.data());
    }
    return true;
  }

  /// Evaluate the true residual of the recorded vector; keep the vector if it is the best so far.
  void judge_record(Index iteration, const std::vector<double>& sums) {
    const double residual = std::sqrt(sums[0]) / source_;
    report({.iteration = iteration, .residual = residual, .is_true = true});
    is_recording_ = false;
    ++found_.snapshots;
    if (is_suspect_) found_.has_stagnated = has_stagnated_at(residual, sums);
    if (residual < found_.residual) {
      std::swap(found_.x, recorded_);
      found_.residual = residual;
    }
    found_.has_converged = found_.residual <= plan_.tolerance;
    found_.has_diverged = found_.has_diverged && !found_.has_converged;
    found_.has_stagnated = found_.has_stagnated && !found_.has_converged;
    is_over_ = found_.has_converged || found_.has_stagnated || is_last_;
  }

  /// Whether the iteration has stagnated. A proven iteration has only if the vectors of two records differ by rounding alone.
  bool has_stagnated_at(double residual, const std::vector<double>& sums) {
    if (residual < found_.residual) {
      before_.reset();
      patience_.begin_at(residual);
      return false;
    }
    if (!plan_.is_proven) return true;
    const bool stands = sums.size() == 4 && has_stopped_moving<T>(plan_, {sums[2], sums[3]});
    before_ = recorded_;
    return stands;
  }

  void report(const Look& look) {
    if (rank_.rank() == 0 && plan_.on_progress) plan_.on_progress(look);
  }

  comm::Rank& rank_;
  const Block<T>& block_;
  const IterationPlan& plan_;
  double source_;
  std::unique_ptr<comm::collective::AsyncSum> sum_;
  bool is_recording_ = false;  ///< a vector is recorded, but its residual is not summed yet
  bool is_last_ = false;       ///< stop after this record, whatever its residual
  bool is_suspect_ = false;    ///< the vector was recorded because nothing better had come for long
  bool is_over_ = false;
  Index next_look_ = 0;
  double last_recorded_ = 0;  ///< residual estimate at the last record
  State<T> recorded_;
  Patience patience_;
  /// The vector that was recorded when patience ended the last time. An empty state is not nullopt: a rank may have no unknowns.
  std::optional<State<T>> before_;
  std::vector<comm::Recv> receives_;
  Outcome<T> found_;
};

}  // namespace

template <class T>
std::unique_ptr<Convergence<T>> async_convergence(comm::Rank& rank, const Block<T>& block,
                                                  const IterationPlan& plan) {
  return std::make_unique<AsyncConvergence<T>>(rank, block, plan);
}

#define OVERLAPACK_INSTANTIATE(T)                                                          \
  template std::unique_ptr<Convergence<T>> async_convergence(comm::Rank&, const Block<T>&, \
                                                             const IterationPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
