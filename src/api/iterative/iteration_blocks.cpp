/// How the matrix gets to the ranks, in blocks.
#include "api/iterative/iteration.hpp"
#include "api/plan/memory_limit.hpp"
#include "api/plan/prepare.hpp"
#include "api/run/stopwatch.hpp"
#include "api/words/option_use.hpp"
#include "base/instantiate.hpp"
#include "comm/collective/combine_figures.hpp"
#include "comm/tasks.hpp"
#include "iterative/driver/iterate.hpp"
#include "iterative/jacobi/matrix_block.hpp"
#include "iterative/multisplitting/coarse_parts.hpp"
#include "iterative/multisplitting/schwarz_operator.hpp"
#include "sparse/analysis/graph/ordering.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/matrix/transpose.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace overlapack::iterative {

namespace {

constexpr int usual_overlap = 4;
constexpr int incomplete_overlap = 0;  ///< of blocks with inner ilu: a layer saves iterations, but no time

/// Whether all diagonal entries, times a common number, have a real part above 0.
template <class T>
bool has_one_sided_diagonal(const SparseMatrix<T>& A) {
  T first = T(0);
  Index numbers = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      if (A.row[p] != j) continue;
      if (first == T(0)) first = A.value[p];
      if (!(std::real(conjugate(first) * A.value[p]) > 0)) return false;
      ++numbers;
    }
  return numbers == A.cols;
}

}  // namespace

/// Choose how blocks are solved, if the options do not. Incomplete factors take a small part of the time of factors, and with a coarse level
/// they need hardly more iterations (decision 0055). For a matrix that is far from definite they may be useless as a preconditioner.
template <class T>
void Iteration<T>::Implementation::choose_inner() {
  MultisplittingOptions& asked = options.multisplitting;
  if (!is_multisplitting()) return;
  if (!asked.inner) {
    const bool may_be = asked.coarse != Coarse::none && asked.ranks_per_block == 1;
    const bool is_incomplete =
        may_be && api::broadcast_from_root(*session, has_one_sided_diagonal(A_) ? 1 : 0) != 0;
    asked.inner = is_incomplete ? InnerSolve::incomplete : InnerSolve::direct;
  }
  if (asked.overlap < 0)
    asked.overlap = asked.inner == InnerSolve::incomplete ? incomplete_overlap : usual_overlap;
}

/// Choose the number of blocks, if the options do not. With a coarse level the number of iterations hardly grows with the number of blocks,
/// and small blocks cost less. A body in d dimensions has d unknowns for each node and d (d + 1) / 2 rigid motions.
template <class T>
void Iteration<T>::Implementation::choose_blocks() {
  MultisplittingOptions& asked = options.multisplitting;
  if (!is_multisplitting() || asked.blocks > 0 || asked.coarse == Coarse::none || asked.ranks_per_block > 1)
    return;
  const double vectors =
      static_cast<double>(std::ssize(near_null_space_)) / static_cast<double>(std::max<Index>(A_.rows, 1));
  const Index a_node = std::max<Index>(1, std::lround((std::sqrt(8 * vectors + 1) - 1) / 2));
  const Index nodes = api::broadcast_from_root(*session, A_.rows / a_node);
  asked.blocks = static_cast<int>(std::max<Index>(groups(), nodes / SchwarzPlan::usual_nodes));
}

/// Run fn on every rank by session->run. In a multisplitting each rank has its group during the run.
template <class T>
void Iteration<T>::Implementation::run(comm::FunctionRef<void(comm::Rank&, RankShare&, int)> fn) {
  session->run([&](comm::Rank& rank, int number) {
    RankShare& share = shares_[static_cast<std::size_t>(number)];
    std::optional<BlockGroup> group;
    if (is_multisplitting()) share.group = &group.emplace(rank, options.multisplitting.ranks_per_block);
    fn(rank, share, number);
  });
}

/// Predict the bytes of blocks with incomplete factors and without overlap: the rows and messages of rank 0, the blocks, and the rows of all
/// ranks.
template <class T>
double predicted_bytes(const SparseMatrix<T>& A) {
  constexpr double index = sizeof(Index), number = sizeof(T);
  const double entries = static_cast<double>(A.nnz()), n = static_cast<double>(A.rows);
  return entries * (3 * (index + number) + sizeof(std::int32_t) + number) + n * (14 * index + 6 * number);
}

/// The block of each row, on rank 0.
template <class T>
std::vector<int> Iteration<T>::Implementation::blocks_of_rows() {
  if (!is_multisplitting()) {
    std::vector<int> in_order = consecutive_rows(A_, blocks());
    const double halo = static_cast<double>(halo_unknowns(A_, in_order));
    if (halo <= plan_.most_halo * static_cast<double>(A_.nnz())) return in_order;
  }
  comm::Tasks tasks(api::analysis_threads(options));
  return sparse::metis_partition(sparse::pattern_graph(A_.start, A_.row, tasks), blocks());
}

template <class T>
void Iteration<T>::Implementation::distribute() {
  const api::Stopwatch watch;
  double analysed_s = 0;
  is_ready_ = false;
  shares_.clear();
  shares_.resize(static_cast<std::size_t>(session->local_ranks()));
  run([&](comm::Rank& rank, RankShare& share, int number) {
    std::vector<int> owner;
    const SparseMatrix<T>* const A = rank.rank() == 0 ? &A_ : nullptr;
    if (A) {
      if (uses_operator() && options.multisplitting.inner == InnerSolve::incomplete)
        api::require_memory(options, predicted_bytes(*A), "", {.what = "the incomplete factorisation"});
      bound_spectral_radius();
      if (block_.empty()) block_ = blocks_of_rows();
      owner = block_;
      analysed_s = watch.seconds();
    }
    if (is_multisplitting())
      distribute_blocks(rank, share, number, A, owner);
    else
      share.block = std::make_unique<MatrixBlock<T>>(rank, A, owner);
    const int is_proven = api::broadcast_from_root(rank, A && plan_.is_proven ? 1 : 0);
    if (number == 0 && !A) plan_.is_proven = is_proven != 0;
    const int is_in_order = api::broadcast_from_root(rank, A && std::ranges::is_sorted(block_) ? 1 : 0);
    if (number == 0) report.iteration->consecutive_rows = is_in_order != 0;
  });
  report.analysis_s += analysed_s;
  report.factor_s = watch.seconds() - analysed_s;
  is_ready_ = true;
}

template <class T>
SharedFactory<T> Iteration<T>::Implementation::inner_factory(RankShare& share) const {
  switch (*options.multisplitting.inner) {
    case InnerSolve::conjugate_gradients:
      return api::make_gradient_inner_factory<T>(options);
    case InnerSolve::incomplete:
      return api::make_incomplete_inner_factory<T>(share.factors, share.raised);
    case InnerSolve::direct:
      break;
  }
  return api::make_direct_inner_factory<T>(options, api::inner_plan<T>(options), share.factors);
}

/// Make the blocks of a leader from its rows, to iterate on or as an operator. Returns the number of rows of the largest block.
template <class T>
Index Iteration<T>::Implementation::make_blocks(RankShare& share, const SparseMatrix<T>* A,
                                                std::span<const int> block) {
  comm::Rank& leaders = share.group->leaders();
  const InnerFactory<T> factory = make_factory_on_leader(share.group, inner_factory(share));
  if (!uses_operator()) {
    auto rows = std::make_unique<SchwarzBlock<T>>(leaders, A, block, schwarz_plan(), factory);
    const Index most = rows->block_rows();
    share.block = std::move(rows);
    return most;
  }
  // the coarse level is factorised; groups of incomplete factors have one rank, so that nobody has to be led to it
  const bool is_incomplete = options.multisplitting.inner == InnerSolve::incomplete;
  SparseFigures of_level;
  const InnerFactory<T> coarse_factory =
      is_incomplete ? make_factory_on_leader(share.group, api::make_direct_inner_factory<T>(
                                                              options, api::inner_plan<T>(options), of_level))
                    : factory;
  CoarseBasis<T> basis;
  const Index n = A ? A_.rows : 1;
  if (A && options.multisplitting.coarse != Coarse::none) {
    const Index vectors = std::ssize(near_null_space_) / std::max<Index>(n, 1);
    const CoarseParts parts =
        vectors > 0 ? CoarseParts{{block.begin(), block.end()}, blocks()}
                    : coarse_parts(*A, sparse::transpose(*A), block, blocks(), CoarsePartPlan{});
    basis = coarse_basis<T>(parts.of_row, parts.count, near_null_space_, vectors);
  }
  share.coarse_unknowns = basis.columns();
  share.operation = std::make_unique<SchwarzOperator<T>>(
      leaders, A, block, schwarz_plan(), api::weights_of(options), factory, coarse_factory, basis);
  add<SparseFigures>(share.factors, of_level);
  const double blocks_bytes = is_incomplete ? share.factors.factor_bytes - of_level.factor_bytes : 0;
  share.factors.peak_bytes +=
      share.operation->held_bytes() + std::max(share.operation->dealing_bytes(), blocks_bytes);
  return share.operation->block_rows();
}

template <class T>
void Iteration<T>::Implementation::distribute_blocks(comm::Rank& rank, RankShare& share, int number,
                                                     const SparseMatrix<T>* A, std::span<const int> owner) {
  BlockGroup& group = *share.group;
  Index rows = 0;
  if (group.is_leader()) {
    rows = make_blocks(share, A, owner);
    group.broadcast_order({BlockGroup::Task::end});
  } else {
    run_tasks_of_leader(group, inner_factory(share), share.serving);
  }
  comm::collective::all_reduce_figures<SparseFigures>(rank, share.factors);
  const Index most_rows = comm::collective::all_reduce(rank, rows, Larger());
  const Index coarse_unknowns = api::broadcast_from_root(rank, share.coarse_unknowns);
  const Index raised = comm::collective::all_reduce(rank, share.raised, std::plus<>());
  if (number > 0) return;
  static_cast<SparseFigures&>(report) = share.factors;
  report.iteration->block_rows = most_rows;
  report.iteration->coarse_unknowns = coarse_unknowns;
  report.iteration->raised_blocks = raised;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                         \
  template void Iteration<T>::Implementation::choose_inner();                                             \
  template void Iteration<T>::Implementation::choose_blocks();                                            \
  template void Iteration<T>::Implementation::run(comm::FunctionRef<void(comm::Rank&, RankShare&, int)>); \
  template void Iteration<T>::Implementation::distribute();                                               \
  template SharedFactory<T> Iteration<T>::Implementation::inner_factory(RankShare&) const;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
