#include "sparse/multifrontal/factorize/tally.hpp"

#include "base/each_figure.hpp"
#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/analysis/fronts/front_cost.hpp"
#include "sparse/multifrontal/front/front_check.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::multifrontal {

template <class T>
Tally<T>::Tally(const comm::Rank& rank, FactorState<T>& state, const EntryStore<T>& entries,
                const FactorPlan& plan, const FactorWatch& watch)
    : is_phantom_(rank.capabilities().is_phantom),
      state_(state),
      watch_(watch),
      pivots_(entries, plan, state.stats),
      work_(watch.work ? watch.work : std::make_shared<WorkDone>()) {
  for (Index f = 0; f < state.structure.tree.fronts(); ++f)
    if (state.is_mine(f)) add_expected_flops(owner_flops(state.structure, f));
}

template <class T>
void Tally<T>::count_front(Front<T>& front, const Elimination& done, double flops) {
  FactorStats& stats = state_.stats;
  if (!is_phantom_) {
    check_pivots(state_.structure, front, pivots_);
    if (front.border == 0 && pivots_.replaces_zeros()) replace_zeros(state_.structure, front, pivots_);
  }
  (front.border > 0 ? stats.pivots.delayed : stats.pivots.null) += front.delayed();
  stats.pivots.two_by_two += done.two_by_two;
  stats.pivots.negative += done.negative;
  stats.fronts += 1;
  const double nnz = front_factor_nnz(state_.structure.kind, front.order(), front.eliminated);
  if (front.low_rank) {
    const Index entries = front.low_rank->entries(!state_.structure.is_symmetric());
    ++stats.low_rank_fronts;
    const auto blocks = front.low_rank->of_blocks();
    state_.ledger.add_block_bytes(blocks.bytes, blocks.full_bytes);
    stats.factor_nnz += entries;
    stats.full_rank_nnz += nnz - static_cast<double>(entries);
    stats.full_rank_flops += done.flops;  // add() subtracts the flops that were really done
  } else {
    stats.flops += done.flops;
    stats.factor_nnz += static_cast<Index>(nnz);
  }
  stats.pivots.perturbed += done.perturbed;
  stats.pivots.wrong_sign += done.wrong_sign;
  done_ += flops;
  if (front.border == 0) pivots_.check_left(front.delayed(), state_.structure.tree.n);
}

template <class T>
void Tally<T>::add(const LowRankTally& fronts) {
  state_.stats.flops += fronts.flops;
  state_.stats.full_rank_flops += fronts.full_strip_flops - fronts.flops;
  state_.stats.factor_nnz += fronts.strip_entries;
  state_.stats.full_rank_nnz -= static_cast<double>(fronts.strip_entries);
  overlapack::add<LowRankFigures>(state_.stats, fronts);
}

template <class T>
void Tally<T>::report(double begun) {
  const auto mine = static_cast<std::int64_t>(done_ + begun);
  const auto done = static_cast<double>(work_->done.add(mine - std::exchange(told_, mine))),
             expected = static_cast<double>(work_->expected.value());
  watch_.report(expected > 0 ? std::min(done / expected, 1.0) : 1);
}

OVERLAPACK_INSTANTIATE_CLASS(Tally);

}  // namespace overlapack::sparse::multifrontal
