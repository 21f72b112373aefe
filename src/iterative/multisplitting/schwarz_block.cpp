#include "iterative/multisplitting/schwarz_block.hpp"

#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"

#include <algorithm>
#include <string>

namespace overlapack::iterative {

void require_plan(const SchwarzPlan& plan, int ranks) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_plan, message); };
  if (plan.overlap < 0)
    refuse("overlap is " + std::to_string(plan.overlap) + "; give the number of layers, 0 for none");
  if (!(plan.damping > 0 && plan.damping <= 1))
    refuse("damping is " + std::to_string(plan.damping) +
           "; give a factor above 0 and up to 1, which damps nothing");
  if (plan.blocks != 0 && plan.blocks < ranks)
    refuse("blocks is " + std::to_string(plan.blocks) + ", but there are " + std::to_string(ranks) +
           " ranks, or groups of ranks, that need one each; give more, or 0 for one each");
}

template <class T>
std::vector<std::unique_ptr<InnerSolver<T>>> inner_solvers(comm::Rank& rank,
                                                           std::vector<ExtendedBlock<T>>& blocks,
                                                           const InnerFactory<T>& factory) {
  const Index most = comm::collective::all_reduce(rank, static_cast<Index>(blocks.size()), Larger());
  std::vector<std::unique_ptr<InnerSolver<T>>> solvers;
  for (Index b = 0; b < most; ++b) {
    const bool is_mine = b < std::ssize(blocks);
    auto solver =
        factory(rank, is_mine ? std::move(blocks[static_cast<std::size_t>(b)].inside) : SparseMatrix<T>());
    if (is_mine) solvers.push_back(std::move(solver));
  }
  return solvers;
}

template <class T>
SchwarzBlock<T>::SchwarzBlock(comm::Rank& rank, const SparseMatrix<T>* A, std::span<const int> block,
                              const SchwarzPlan& plan, const InnerFactory<T>& factory)
    : SchwarzBlock(rank,
                   (require_plan(plan, rank.size()),
                    deal_blocks(A, block, blocks_of(plan, rank.size()), rank.size(), plan.overlap)),
                   A ? A->symmetry : Symmetry::general, plan, factory) {}

template <class T>
SchwarzBlock<T>::SchwarzBlock(comm::Rank& rank, BlockDeal<T> deal, Symmetry symmetry, const SchwarzPlan& plan,
                              const InnerFactory<T>& factory)
    : blocks_(scatter_blocks(rank, deal, symmetry, BlockHalo::around)),
      rows_(rank, deal.rows.get()),
      plan_(plan),
      inner_(inner_solvers(rank, blocks_, factory)) {
  for (const auto& blocks : deal.blocks) {
    RowNumbers& beyond = rows_beyond_.emplace_back();
    for (const auto& rows : blocks)
      beyond.insert(beyond.end(), rows.S.begin() + std::ssize(rows.W), rows.S.end());
  }
  for (const ExtendedBlock<T>& block : blocks_) beyond_ += block.beyond.size();
}

template <class T>
void SchwarzBlock<T>::distribute_source(comm::Rank& rank, const T* b) {
  rows_.distribute_source(rank, b);
  b_beyond_ = scatter_entries(rank, rows_beyond_, b);
}

template <class T>
void SchwarzBlock<T>::start(T* x) const {
  std::fill(x, x + state_size(), T(0));
}

template <class T>
Index SchwarzBlock<T>::block_rows() const {
  Index most = 0;
  for (const ExtendedBlock<T>& block : blocks_) most = std::max(most, static_cast<Index>(block.order()));
  return most;
}

template <class T>
Index SchwarzBlock<T>::inner_steps() const {
  Index steps = 0;
  for (const auto& inner : inner_) steps += inner ? inner->steps() : 0;
  return steps;
}

template <class T>
void SchwarzBlock<T>::step(comm::Rank& rank, const T* x, T* next) const {
  rank.poll();
  std::size_t beyond = 0;
  for (std::size_t b = 0; b < blocks_.size(); beyond += blocks_[b++].beyond.size())
    if (!blocks_[b].own.empty()) step_of(b, rank, x, next, beyond);
}

/// The step of block b.
/// beyond  number of rows in S but not in W, over the blocks before b
template <class T>
void SchwarzBlock<T>::step_of(std::size_t b, comm::Rank& rank, const T* x, T* next,
                              std::size_t beyond) const {
  const ExtendedBlock<T>& block = blocks_[b];
  const std::size_t own = block.own.size(), here = rows_.state_size() + beyond;
  std::vector<T> r, z;
  for (const Index i : block.own) {
    r.push_back(rows_.right_hand_side()[static_cast<std::size_t>(i)]);
    z.push_back(x[i]);
  }
  r.insert(r.end(), b_beyond_.begin() + std::ptrdiff_t(beyond),
           b_beyond_.begin() + std::ptrdiff_t(beyond + block.beyond.size()));
  z.insert(z.end(), x + here, x + here + block.beyond.size());
  for (std::size_t s = 0; s < r.size(); ++s)  // r = b_S - A(S, rest) x_rest
    for (Index p = block.start[s]; p < block.start[s + 1]; ++p) r[s] -= block.value[p] * x[block.position[p]];
  inner_[b]->solve(rank, r.data(), z.data());  // A(S,S) z = r
  const Real<T> omega = Real<T>(plan_.damping);
  for (std::size_t s = 0; s < own; ++s) {
    const Index i = block.own[s];
    next[i] = x[i] + omega * (z[s] - x[i]);
  }
  std::copy(z.begin() + std::ptrdiff_t(own), z.end(), next + here);
}

#define OVERLAPACK_INSTANTIATE(T)                                      \
  template std::vector<std::unique_ptr<InnerSolver<T>>> inner_solvers( \
      comm::Rank&, std::vector<ExtendedBlock<T>>&, const InnerFactory<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE
OVERLAPACK_INSTANTIATE_CLASS(SchwarzBlock);

}  // namespace overlapack::iterative
