#include "sparse/multifrontal/multifrontal.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/product/blas_threads.hpp"
#include "overlapack/error.hpp"
#include "sparse/factors/sum_over_ranks.hpp"
#include "sparse/multifrontal/factorize/factorize.hpp"
#include "sparse/multifrontal/factors/state.hpp"
#include "sparse/multifrontal/factors/state_packing.hpp"
#include "sparse/multifrontal/inverse/inverse.hpp"
#include "sparse/multifrontal/plan/front_slots.hpp"
#include "sparse/multifrontal/plan/placement.hpp"
#include "sparse/multifrontal/solve/solve.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace overlapack::sparse::multifrontal {

namespace {

/// Messages of the solve that come early are parked in any case.
dist::WalkPlan solve_walk(dist::WalkPlan walk) {
  walk.early = dist::EarlyMessages::park;
  return walk;
}

/// Permuted row (or column) numbers of the pivots of this rank's fronts, front after front.
/// names: their buffer, used again unless a body from an earlier call still shares it
template <class T>
comm::Body pivot_names(const FrontTable<T>& fronts, std::int32_t* Front<T>::*which,
                       std::shared_ptr<std::vector<std::int32_t>>& names) {
  if (!names || names.use_count() > 1) names = std::make_shared<std::vector<std::int32_t>>();
  Index count = 0;
  for (const Front<T>& front : fronts) count += front.eliminated;
  names->resize(static_cast<std::size_t>(count));
  auto next = names->begin();
  for (const Front<T>& front : fronts) next = std::copy_n(front.*which, front.eliminated, next);
  return {names, names->data(), names->size() * sizeof(std::int32_t)};
}

/// Permuted row (or column) numbers that this rank's roots left without a pivot.
template <class T>
std::vector<std::int32_t> null_names(const FactorState<T>& state, std::int32_t* Front<T>::*which) {
  std::vector<std::int32_t> names;
  for (const Front<T>& front : state.fronts) {
    const std::int32_t* name = front.*which;
    if (front.border == 0) names.insert(names.end(), name + front.eliminated, name + front.summed);
  }
  return names;
}

/// Collective: the names of all ranks, one rank after the other, on every rank.
std::vector<std::int32_t> names_of_all(comm::Rank& rank, std::vector<std::int32_t> mine) {
  const std::vector<comm::Body> parts = comm::collective::gather(rank, 0, comm::Body::adopt(std::move(mine)));
  std::vector<std::int32_t> all;
  for (const comm::Body& part : parts) {
    const auto names = part.as<std::int32_t>();
    all.insert(all.end(), names.begin(), names.end());
  }
  const comm::Body body = comm::collective::broadcast(rank, 0, comm::Body::adopt(std::move(all)));
  return {body.as<std::int32_t>().begin(), body.as<std::int32_t>().end()};
}

/// Collective: rank 0 gets the names of all pivots.
template <class T>
void gather_pivots(comm::Rank& rank, const FactorState<T>& state, std::int32_t* Front<T>::*which,
                   MatrixSide& side) {
  side.pivots.clear();
  side.pivots = comm::collective::gather(rank, 0, pivot_names(state.fronts, which, side.mine));
}

}  // namespace

template <class T>
Multifrontal<T>::Multifrontal() = default;
template <class T>
Multifrontal<T>::Multifrontal(Multifrontal&&) noexcept = default;
template <class T>
Multifrontal<T>& Multifrontal<T>::operator=(Multifrontal&&) noexcept = default;
template <class T>
Multifrontal<T>::~Multifrontal() = default;

template <class T>
const FactorStats& Multifrontal<T>::stats() const {
  return state_->stats;
}

template <class T>
void Multifrontal<T>::factorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                                const FactorPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  const double begin_s = rank.now();
  const bool is_phantom = rank.capabilities().is_phantom;
  if (is_phantom && plan.fronts.steals)
    throw Error(Status::bad_plan,
                "stealing is not simulated by shapes alone; leave the experiment steal out, or --phantom");
  const DiskPlan& disk = plan.fronts.disk;
  if (disk.is_used && rank.capabilities().virtual_time)
    throw Error(
        Status::bad_plan,
        "factors on disk are not simulated, since no machine says how fast its disks are; set factors "
        "to memory");
  if (plan.fronts.low_rank.is_used && is_phantom)
    throw Error(Status::bad_plan,
                "compressed fronts are not simulated by shapes alone, since nobody knows the ranks of their "
                "blocks; leave --phantom out, or set compression to none");
  this->watch().report(0);
  state_ = std::make_unique<FactorState<T>>();
  FactorState<T>& state = *state_;
  if (disk.is_used) {
    state.file = std::make_unique<FactorFile>(disk, state.ledger);
    state.ledger.pool.keep_nothing();
  }
  state.rhs_pass = disk.is_used ? std::max(disk.rhs_pass, plan.rhs_block) : plan.rhs_block;
  state.walk = solve_walk(plan.fronts.walk);
  state.rhs_block = plan.rhs_block;
  state.low_rank = plan.fronts.low_rank;
  if (rank.rank() == 0) {
    state.structure = make_structure(*analysis, place_fronts(rank, *analysis, plan, A.slab != nullptr));
    state.rows.perm = analysis->row_perm;
    state.rows.scale = analysis->row_scale;
    state.columns.perm = analysis->col_perm;
    state.columns.scale = analysis->col_scale;
  }
  state.structure = broadcast(rank, std::move(state.structure));
  state.sweep = plan.fronts.sweep;
  const AssemblyTree& tree = state.structure.tree;

  std::size_t expected = 0;  // bytes of this rank's factors
  state.fronts = FrontTable<T>(tree.fronts());
  for (Index f = 0; f < tree.fronts(); ++f) {
    if (state.structure.owner[f] != rank.rank()) continue;
    state.fronts.add(f);
    if (!state.structure.has_panel(f)) continue;
    expected += disk.is_used ? name_bytes(state.structure.kind, tree.pivots(f))
                             : front_bytes(state.structure.kind, tree.order(f), tree.pivots(f), sizeof(T),
                                           !state.structure.is_shared(f));
    expected += 2 * Arena::most_padding_bytes;  // before the panel and L21
  }
  state.ledger.factors = Arena(expected, is_phantom ? Pages::small : Pages::huge);

  this->watch().report(0);
  EntryStore<T> store;
  store.distribute(rank, FrontSlots(state.structure), analysis, A, false);
  state.stats.deal_s = rank.now() - begin_s;
  compute(rank, store, plan);
  state.ledger.pool.clear();
  state.space = {};
}

template <class T>
void Multifrontal<T>::refactorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                                  const FactorPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  const double begin_s = rank.now();
  FactorState<T>& state = *state_;
  state.clear();
  state.entries.distribute(rank, FrontSlots(state.structure), analysis, A, true);
  state.stats.deal_s = rank.now() - begin_s;
  compute(rank, state.entries, plan);
  state.ledger.pool.clear();
}

/// The numerical phase, common to factorize and refactorize: runs the walk up the tree, gathers the names of
/// all pivots on rank 0, and sums the figures of the ranks.
template <class T>
void Multifrontal<T>::compute(comm::Rank& rank, const EntryStore<T>& entries, const FactorPlan& plan) {
  FactorState<T>& state = *state_;
  state.stats.chain_links = state.structure.chain_links;
  state.ledger.join_account(this->watch().memory);
  this->watch().report(0);
  FactorWalk<T>(rank, state, entries, plan, this->watch()).run_all();
  state.stats.most_entries_of_rank = entries.size();
  state.stats.full_rank_nnz += static_cast<double>(state.stats.factor_nnz);
  state.stats.full_rank_flops += state.stats.flops;

  state.rows.pivots.clear();
  gather_pivots(rank, state, &Front<T>::col_name, state.columns);
  state.columns.null = names_of_all(rank, null_names(state, &Front<T>::col_name));
  if (state.structure.is_symmetric()) {
    state.rows.pivots = state.columns.pivots;
    state.rows.null = state.columns.null;
  } else {
    gather_pivots(rank, state, &Front<T>::row_name, state.rows);
    state.rows.null = names_of_all(rank, null_names(state, &Front<T>::row_name));
  }
  state.stats.peak_bytes = state.ledger.peak_bytes();
  sum_over_ranks(rank, state.stats, state.ledger.account_part());
  SmallestPivot& smallest = state.stats.smallest;
  if (rank.rank() == 0 && smallest.col >= 0)
    smallest = {smallest.share, state.rows.perm[smallest.row], state.columns.perm[smallest.col]};
  smallest = comm::collective::broadcast(rank, 0, smallest);
}

template <class T>
void Multifrontal<T>::solve(comm::Rank& rank, kernels::Op op, const T* b, T* x, Index nrhs) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  multifrontal::solve(rank, *state_, op, b, x, nrhs);
  report_reading(rank);
}

/// Collective: sums what all ranks read from their files of factors, and how long they waited. Every rank
/// gets the sums.
template <class T>
void Multifrontal<T>::report_reading(comm::Rank& rank) const {
  if (!state_->file) return;
  const FactorFile& file = *state_->file;
  double sums[] = {file.read_bytes(), file.wait_s(), static_cast<double>(file.segments_ahead())};
  comm::collective::all_reduce(rank, std::span<double>(sums), std::plus<>());
  state_->stats.disk_read_bytes = sums[0];
  state_->stats.disk_wait_s = sums[1];
  state_->stats.segments_ahead = static_cast<Index>(sums[2]);
}

template <class T>
void Multifrontal<T>::null_space(comm::Rank& rank, kernels::Op op, T* Z) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  multifrontal::null_space(rank, *state_, op, Z);
  report_reading(rank);
}

template <class T>
dense::ScaledNumber<T> Multifrontal<T>::determinant(comm::Rank& rank) const {
  const auto determinant = multifrontal::determinant(rank, *state_);
  report_reading(rank);
  return determinant;
}

template <class T>
InverseEntries<T> Multifrontal<T>::inverse_entries(comm::Rank& rank, std::span<const Index> rows,
                                                   std::span<const Index> cols, double solve_flops) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  InverseEntries<T> result = multifrontal::inverse_entries(rank, *state_, rows, cols, solve_flops);
  report_reading(rank);
  return result;
}

template <class T>
std::optional<TriangularFactors<T>> Multifrontal<T>::triangular_factors() const {
  return multifrontal::triangular_factors(*state_);
}

template <class T>
std::optional<SymmetricFactors<T>> Multifrontal<T>::symmetric_factors() const {
  return multifrontal::symmetric_factors(*state_);
}

template <class T>
comm::Body Multifrontal<T>::packed() const {
  if (state_->file)
    throw Error(
        Status::bad_plan,
        "the factors are on disk, in a file that ends with this process, and cannot be saved from there; "
        "factorise with factors = memory to save them");
  if (state_->low_rank.is_used)
    throw Error(
        Status::bad_plan,
        "the factors are compressed, a form that files of factors do not have; factorise with compression = "
        "none to save them");
  return pack(*state_);
}

template <class T>
void Multifrontal<T>::unpack(const comm::Body& body, const FactorPlan& plan) {
  state_ = std::make_unique<FactorState<T>>();
  state_->walk = solve_walk(plan.fronts.walk);
  state_->rhs_block = state_->rhs_pass = plan.rhs_block;
  multifrontal::unpack(body, *state_);
  state_->sweep = plan.fronts.sweep;
}

OVERLAPACK_INSTANTIATE_CLASS(Multifrontal);

}  // namespace overlapack::sparse::multifrontal
