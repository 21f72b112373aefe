#include "iterative/multisplitting/schwarz_operator.hpp"

#include "base/bytes_of.hpp"
#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "comm/receive.hpp"
#include "iterative/driver/halo.hpp"
#include "kernels/product/norm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace overlapack::iterative {
template <class T>
SchwarzOperator<T>::SchwarzOperator(comm::Rank& rank, const SparseMatrix<T>* A, std::span<const int> block,
                                    const SchwarzPlan& plan, OverlapWeights weights,
                                    const InnerFactory<T>& factory, const InnerFactory<T>& coarse_factory,
                                    const CoarseBasis<T>& basis)
    : SchwarzOperator(rank,
                      (require_plan(plan, rank.size()),
                       deal_blocks(A, block, blocks_of(plan, rank.size()), rank.size(), plan.overlap)),
                      A ? A->symmetry : Symmetry::general, plan, weights, factory) {
  if (comm::collective::broadcast(rank, 0, basis.columns()) > 0)
    coarse_ = std::make_unique<CoarseLevel<T>>(rank, A, basis, rows_, coarse_factory);
}

template <class T>
SchwarzOperator<T>::SchwarzOperator(comm::Rank& rank, BlockDeal<T> deal, Symmetry symmetry,
                                    const SchwarzPlan& plan, OverlapWeights weights,
                                    const InnerFactory<T>& factory)
    : blocks_(scatter_blocks(rank, deal, symmetry, BlockHalo::inside)),
      rows_(rank, deal.rows.get()),
      plan_(plan),
      is_restricted_(weights == OverlapWeights::owner) {
  for (const ExtendedBlock<T>& block : blocks_) dealing_bytes_ += block.bytes();
  if (deal.rows) dealing_bytes_ += 2 * deal.rows->bytes();  // and as messages
  deal = {};
  set_parts(weights, inner_solvers(rank, blocks_, factory));
}

template <class T>
void SchwarzOperator<T>::set_parts(OverlapWeights weights,
                                   std::vector<std::unique_ptr<InnerSolver<T>>> solvers) {
  const std::vector<ExtendedBlock<T>> blocks = std::exchange(blocks_, {});
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Part part{.where = blocks[b].own, .in = {}, .out = {}, .inner = std::move(solvers[b])};
    const std::size_t own = part.where.size();
    part.where.insert(part.where.end(), blocks[b].beyond.begin(), blocks[b].beyond.end());
    part.in.assign(part.where.size(), 1);
    part.out = part.in;
    if (weights == OverlapWeights::owner)
      std::fill(part.out.begin() + std::ptrdiff_t(own), part.out.end(), Real<T>(0));
    if (weights == OverlapWeights::both)
      for (std::size_t s = 0; s < part.where.size(); ++s)
        part.in[s] = part.out[s] = Real<T>(1 / std::sqrt(static_cast<double>(blocks[b].shared_by[s])));
    parts_.push_back(std::move(part));
  }
}

template <class T>
double SchwarzOperator<T>::held_bytes() const {
  double bytes = rows_.bytes();
  for (const Part& part : parts_) bytes += bytes_of(part.where, part.in, part.out);
  return bytes;
}

template <class T>
Index SchwarzOperator<T>::block_rows() const {
  Index most = 0;
  for (const Part& part : parts_) most = std::max(most, std::ssize(part.where));
  return most;
}

template <class T>
void SchwarzOperator<T>::receive_halo(comm::Rank& rank, Vector& v) {
  open_halo(rank, rows_, {.variant = Variant::sync}, v.data())->swap(v.data(), v.data());
}

/// Add the values in my halo of v to the unknowns of their owners, and what the neighbours have for my unknowns to mine.
template <class T>
void SchwarzOperator<T>::add_halo_to_owners(comm::Rank& rank, Vector& v) {
  const auto neighbours = rows_.neighbours();
  std::vector<comm::Recv> receives(neighbours.size());
  for (std::size_t k = 0; k < neighbours.size(); ++k)
    if (neighbours[k].out > 0) receives[k] = rank.post_receive(comm::Lane::bulk, neighbours[k].rank);
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    if (neighbours[k].in == 0) continue;
    std::vector<T> message(neighbours[k].in);
    rows_.read_halo(v.data(), k, message.data());
    rank.start_send(comm::Lane::bulk, neighbours[k].rank, {}, comm::Body::adopt(std::move(message)));
  }
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    if (neighbours[k].out == 0) continue;
    comm::wait(rank, receives[k]);
    rows_.add_packed(receives[k].take().body.template as<T>().data(), k, v.data());
  }
}

template <class T>
void SchwarzOperator<T>::residual(comm::Rank& rank, const Vector& b, Vector& x, Vector& y, bool is_adjoint) {
  if (is_adjoint) {
    rows_.multiply_adjoint(x.data(), y.data());
    add_halo_to_owners(rank, y);
  } else {
    receive_halo(rank, x);
    rows_.multiply(x.data(), y.data());
  }
  for (Index i = 0; i < rows_.unknowns(); ++i) y[i] = b[i] - y[i];
}

/// z <- M r, or M^H r.
template <class T>
void SchwarzOperator<T>::solve_blocks(comm::Rank& rank, Vector& r, Vector& z, bool is_adjoint) {
  if (!is_restricted_ || !is_adjoint) receive_halo(rank, r);
  std::ranges::fill(z, T(0));
  for (Part& part : parts_) {
    if (part.where.empty()) continue;
    const auto& in = is_adjoint ? part.out : part.in;
    const auto& out = is_adjoint ? part.in : part.out;
    Vector right(part.where.size()), solution(part.where.size());
    for (std::size_t s = 0; s < right.size(); ++s)
      right[s] = in[s] == 0 ? T(0) : in[s] * r[static_cast<std::size_t>(part.where[s])];
    is_adjoint ? part.inner->solve_adjoint(rank, right.data(), solution.data())
               : part.inner->solve(rank, right.data(), solution.data());
    ++solves_;
    for (std::size_t s = 0; s < right.size(); ++s)
      if (out[s] != 0) z[static_cast<std::size_t>(part.where[s])] += out[s] * solution[s];
    rank.poll();
  }
  if (!is_restricted_ || is_adjoint) add_halo_to_owners(rank, z);
}

/// Whether P^H r is rounding error beside r. Rank 0 decides for all, since the ranks' rounding may differ.
template <class T>
bool SchwarzOperator<T>::is_negligible(comm::Rank& rank, const std::vector<T>& restricted, const Vector& r) {
  const auto own = static_cast<std::size_t>(rows_.unknowns());
  const double size = comm::collective::all_reduce(rank, kernels::norm2<T>({r.data(), own}),
                                                   [](double a, double b) { return std::hypot(a, b); });
  const double least = plan_.negligible * std::numeric_limits<Real<T>>::epsilon() * size;
  const Index decision = kernels::norm2<T>(std::span<const T>(restricted)) <= least ? 1 : 0;
  return comm::collective::broadcast(rank, 0, decision) != 0;
}

template <class T>
void SchwarzOperator<T>::solve_behind_coarse(comm::Rank& rank, Vector& r, Vector& z, bool is_adjoint,
                                             Right right) {
  std::vector<T> c = coarse_->restrict_residual(rank, r.data());
  if (right == Right::behind_start && is_negligible(rank, c, r)) {
    ++shorter_sweeps_;
    return solve_blocks(rank, r, z, is_adjoint);
  }
  Vector &x = coarse_x_, &s = coarse_r_;
  std::ranges::fill(x, T(0));
  coarse_->add_coarse_solution(rank, std::move(c), x.data(), is_adjoint);
  residual(rank, r, x, s, is_adjoint);
  solve_blocks(rank, s, z, is_adjoint);
  for (Index i = 0; i < rows_.unknowns(); ++i) z[i] += x[i];
}

/// z <- B r. B is M, corrected by the coarse level if there is one: on both sides of M (balanced) unless M is restricted; else
/// once, after M, or, for the adjoint, before M.
template <class T>
void SchwarzOperator<T>::sweep(comm::Rank& rank, Vector& r, Vector& z, bool is_adjoint, Right right) {
  const bool corrects_before = coarse_ && (!is_restricted_ || is_adjoint);
  const bool corrects_behind = coarse_ && (!is_restricted_ || !is_adjoint);
  if (corrects_before)
    solve_behind_coarse(rank, r, z, is_adjoint, right);
  else
    solve_blocks(rank, r, z, is_adjoint);
  if (!corrects_behind) return;
  Vector& s = coarse_r_;
  residual(rank, r, z, s, is_adjoint);
  coarse_->add_to(rank, s.data(), z.data(), is_adjoint);  // z += C (r - A z)
}

template <class T>
void SchwarzOperator<T>::apply(comm::Rank& rank, const T* b, T* x, int sweeps, bool is_adjoint, Right right) {
  for (Vector* v : {&right_, &solution_, &r_, &z_, &coarse_x_, &coarse_r_}) v->resize(rows_.state_size());
  std::ranges::copy(rows_.scatter(rank, b), right_.begin());
  std::ranges::fill(solution_, T(0));
  r_ = right_;
  const Real<T> omega = Real<T>(plan_.damping);
  for (int k = 0; k < sweeps; ++k) {
    if (k > 0) residual(rank, right_, solution_, r_, is_adjoint);
    sweep(rank, r_, z_, is_adjoint, right);
    for (Index i = 0; i < rows_.unknowns(); ++i) solution_[i] += omega * z_[i];
  }
  const std::vector<T> all = rows_.gather_on_root(rank, solution_);
  if (rank.rank() == 0) std::ranges::copy(all, x);
}

template <class T>
void SchwarzOperator<T>::start(comm::Rank& rank, const T* r, T* x) {
  const std::vector<T> mine = rows_.scatter(rank, r);
  Vector begun(rows_.state_size());
  coarse_->add_to(rank, mine.data(), begun.data(), false);
  const std::vector<T> all = rows_.gather_on_root(rank, begun);
  if (rank.rank() == 0) std::ranges::copy(all, x);
}

OVERLAPACK_INSTANTIATE_CLASS(SchwarzOperator);

}  // namespace overlapack::iterative
