#include "iterative/multisplitting/schwarz_block.hpp"

#include "base/instantiate.hpp"

#include <algorithm>
#include <string>

namespace overlapack::iterative {

namespace {

void require_plan(const SchwarzPlan& plan) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_plan, message); };
  if (plan.overlap < 0)
    refuse("overlap is " + std::to_string(plan.overlap) + "; give the number of layers, 0 for none");
  if (!(plan.damping > 0 && plan.damping <= 1))
    refuse("damping is " + std::to_string(plan.damping) +
           "; give a factor above 0 and up to 1, which damps nothing");
}

}  // namespace

template <class T>
auto SchwarzBlock<T>::distribute(const SparseMatrix<T>* A, std::span<const int> owner, int ranks,
                                 const SchwarzPlan& plan) -> Distributed {
  require_plan(plan);
  if (!A) return {};
  Distributed distributed{std::make_unique<RowDistribution<T>>(*A, owner, ranks), {}};
  for (int r = 0; r < ranks; ++r) {
    RowNumbers S = extended_rows(*distributed.deal, r, plan.overlap);
    std::vector<bool> is_inside(owner.size());
    for (const Index i : S) is_inside[i] = true;
    for (const Index i : S)
      for (const Index j : distributed.deal->others_of(i))
        if (!is_inside[j]) distributed.deal->needs_also(r, {&j, 1});
    distributed.rows.push_back(std::move(S));
  }
  return distributed;
}

template <class T>
SchwarzBlock<T>::SchwarzBlock(comm::Rank& rank, const SparseMatrix<T>* A, std::span<const int> owner,
                              const SchwarzPlan& plan, const InnerFactory<T>& factory)
    : SchwarzBlock(rank, distribute(A, owner, rank.size(), plan), A ? A->symmetry : Symmetry::general, plan,
                   factory) {}

template <class T>
SchwarzBlock<T>::SchwarzBlock(comm::Rank& rank, const Distributed& distributed, Symmetry symmetry,
                              const SchwarzPlan& plan, const InnerFactory<T>& factory)
    : rows_(rank, distributed.deal.get()), plan_(plan) {
  std::vector<ExtendedBlock<T>> blocks;
  for (std::size_t r = 0; r < distributed.rows.size(); ++r) {
    const RowNumbers& S = distributed.rows[r];
    blocks.push_back(extended_block(*distributed.deal, static_cast<int>(r), S, symmetry));
    rows_beyond_.emplace_back(
        S.begin() + static_cast<std::ptrdiff_t>(distributed.deal->rows_of_rank[r].size()), S.end());
  }
  ExtendedBlock<T> mine = scatter_blocks(rank, std::move(blocks));
  start_ = std::move(mine.start);
  position_ = std::move(mine.position);
  value_ = std::move(mine.value);
  inner_ = factory(rank, std::move(mine.inside));
}

template <class T>
void SchwarzBlock<T>::take_source(comm::Rank& rank, const T* b) {
  rows_.take_source(rank, b);
  b_beyond_ = scatter_entries(rank, rows_beyond_, b);
}

template <class T>
void SchwarzBlock<T>::start(T* x) const {
  std::fill(x, x + state_size(), T(0));
}

template <class T>
void SchwarzBlock<T>::step(comm::Rank& rank, const T* x, T* next) const {
  rank.poll();
  if (unknowns() == 0) return;
  const std::size_t own = static_cast<std::size_t>(unknowns()), all = own + beyond();
  std::vector<T> r(rows_.right_hand_side().begin(), rows_.right_hand_side().end());
  r.insert(r.end(), b_beyond_.begin(), b_beyond_.end());
  for (std::size_t s = 0; s < all; ++s)  // r = b_S - A(S, rest) x_rest
    for (Index p = start_[s]; p < start_[s + 1]; ++p) r[s] -= value_[p] * x[position_[p]];
  std::vector<T> z(x, x + own);
  z.insert(z.end(), x + rows_.state_size(), x + state_size());
  inner_->solve(rank, r.data(), z.data());  // A(S,S) z = r
  const Real<T> omega = Real<T>(plan_.damping);
  for (std::size_t s = 0; s < own; ++s) next[s] = x[s] + omega * (z[s] - x[s]);
  std::copy(z.begin() + static_cast<std::ptrdiff_t>(own), z.end(), position_of_beyond(next));
}

OVERLAPACK_INSTANTIATE_CLASS(SchwarzBlock);

}  // namespace overlapack::iterative
