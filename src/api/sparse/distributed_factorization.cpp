#include "api/plan/factors_in.hpp"
#include "api/plan/prepare.hpp"
#include "api/run/node_sum.hpp"
#include "api/run/stopwatch.hpp"
#include "api/sparse/distributed_input.hpp"
#include "api/sparse/factorization.hpp"
#include "api/sparse/row_parts.hpp"
#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "base/public_call.hpp"
#include "comm/tasks.hpp"
#include "overlapack/environment.hpp"
#include "sparse/matrix/symmetry.hpp"

#include <algorithm>
#include <functional>
#include <utility>

/// Factorisations of matrices whose entries are on several ranks, and solutions that go to several ranks.
namespace overlapack {
namespace {

/// The number of ranks on the thread engine: options.ranks or, if it is 0, the number of parts.
int ranks_of(const Options& options, std::size_t parts) {
  if (api::ranks_are_processes(options) || options.ranks > 0) return options.ranks;
  return std::max(1, static_cast<int>(parts));
}

template <class T>
Triplets<T> part_at(std::vector<Triplets<T>>& parts, int position) {
  const auto at = static_cast<std::size_t>(position);
  return at < parts.size() ? std::move(parts[at]) : Triplets<T>();
}

template <class T>
sparse::RowSlab<T> accept(comm::Rank& rank, Triplets<T> mine, std::vector<Index> bounds, Index& most) {
  const Index given = mine.size();
  sparse::RowSlab<T> slab = api::distribute_entries_as_rows(rank, std::move(mine), std::move(bounds));
  const Index held = comm::collective::all_reduce(rank, std::max(given, slab.rows.nnz()), Larger());
  if (rank.rank() == 0) most = held;
  return slab;
}

bool is_on_any(comm::Rank& rank, bool is_so) {
  return comm::collective::all_reduce(rank, is_so ? Index{1} : Index{0}, Larger()) > 0;
}

/// The options without method block_triangular, whose blocks column by column would need all of A on rank 0.
Options without_blocks(Options options) {
  if (options.method == Method::block_triangular)
    throw Error(Status::bad_plan,
                "method is block_triangular, but the entries are on several ranks; use multifrontal, or "
                "factorize with the "
                "matrix on rank 0");
  options.method = options.method.value_or(Method::multifrontal);
  return options;
}

}  // namespace

template <class T>
Factorization<T>::Implementation::Implementation(std::vector<Triplets<T>> parts, const Options& chosen)
    : options(chosen), interruption(chosen) {
  int ranks = 0;
  refuse_together(options, [&] {
    check(options);
    ranks = ranks_of(options, parts.size());
  });
  session = std::make_unique<api::Session>(options, ranks);
  fullest_share_ = api::max_node_share(*session);
  session->write_team(report, options);
  slabs.resize(static_cast<std::size_t>(session->local_ranks()));
  const api::Stopwatch watch;
  session->run([&](comm::Rank& rank, int position) {
    if (position == 0) require_parts(parts.size());
    analyse_slab(rank, position, part_at(parts, position));
  });
  report.analysis_s = comm::simulated_time() ? unknown : watch.seconds();
  factorize();
  record_analysis_in_timeline();
}

template <class T>
void Factorization<T>::Implementation::require_parts(std::size_t parts) const {
  if (parts <= static_cast<std::size_t>(session->local_ranks())) return;
  throw Error(Status::bad_input, "there are entries of " + std::to_string(parts) +
                                     " ranks, but this process has " +
                                     std::to_string(session->local_ranks()) +
                                     "; give one list a rank, or set ranks to their number");
}

template <class T>
void Factorization<T>::Implementation::analyse_slab(comm::Rank& rank, int position, Triplets<T> mine) {
  const bool is_root = rank.rank() == 0;
  if (is_root) interruption.report_progress("analysis", 0);
  sparse::RowSlab<T>& slab = slabs[static_cast<std::size_t>(position)];
  const Symmetry claimed = mine.symmetry;
  slab = accept(rank, std::move(mine), {}, report.most_entries_of_rank);
  const bool is_claimed = is_on_any(rank, claimed == Symmetry::hermitian);
  const Symmetry symmetry = sparse::detect_symmetry(
      rank, slab, is_claimed ? sparse::RealValued::hermitian : api::real_valued_as(options));
  const sparse::ColumnSizes sizes = sparse::column_sizes(rank, slab);
  const Index n = slab.rows.cols;
  constexpr ScalarType type = ScalarTraits<T>::type;
  const Options as_whole = without_blocks(options);
  if (is_root && as_whole.factorization == FactorKind::quasidefinite && as_whole.sparse.signs.empty())
    throw Error(
        Status::bad_input,
        "factorization is quasidefinite without signs, and the diagonal is on several ranks; give signs, "
        "+1 or -1 for each unknown");
  const auto needs_moduli = [&] {
    return sparse::needs_moduli(sizes, api::analysis_plan(as_whole, n, symmetry, type));
  };
  const bool with_moduli = api::broadcast_from_root(rank, is_root && needs_moduli() ? 1 : 0) != 0;
  SparseMatrix<Real<T>> stand_in = sparse::gather_pattern(rank, slab, sizes, with_moduli);
  if (!is_root) return;
  A.rows = A.cols = n;
  A.symmetry = stand_in.symmetry = symmetry;
  comm::Tasks tasks(api::analysis_threads(options));
  prepared = api::prepare(stand_in, as_whole, report, &interruption, tasks, type);
  interruption.report_progress("analysis", 1);
  api::choose_factor_storage_within_memory(options, prepared, report, fullest_share_);
}

template <class T>
void Factorization<T>::Implementation::require_same_pattern(comm::Rank& rank, const sparse::RowSlab<T>& old,
                                                            const sparse::RowSlab<T>& slab) const {
  const bool is_same = old.rows.start == slab.rows.start && old.rows.row == slab.rows.row;
  const auto differing = comm::collective::all_reduce(rank, is_same ? Index{0} : Index{1}, std::plus<>());
  if (differing > 0)
    throw Error(
        Status::bad_input,
        "the matrix has entries at other places than the one that was analysed; keep zeros as entries, or "
        "call "
        "factorize_distributed for another pattern");
}

template <class T>
Symmetry Factorization<T>::Implementation::accept_symmetry(comm::Rank& rank,
                                                           const sparse::RowSlab<T>& slab) const {
  const Symmetry wanted = api::broadcast_from_root(rank, A.symmetry);
  if (wanted == Symmetry::general) return wanted;
  const Symmetry found = sparse::detect_symmetry(
      rank, slab,
      wanted == Symmetry::hermitian ? sparse::RealValued::hermitian : sparse::RealValued::symmetric);
  if (found == wanted) return wanted;
  if (facts_.kind != sparse::FactorKind::lu)
    throw Error(Status::bad_input, "the matrix that was analysed is " + std::string(api::name(wanted)) +
                                       ", this one is " + std::string(api::name(found)) +
                                       "; call factorize_distributed for it, or factorise both with lu");
  return Symmetry::general;
}

template <class T>
void Factorization<T>::Implementation::refactorize(std::vector<Triplets<T>> parts) {
  if (!is_distributed())
    throw Error(Status::bad_plan,
                "the factors were made by factorize, of a matrix on one rank; call refactorize");
  std::vector<sparse::RowSlab<T>> taken(slabs.size());
  Symmetry symmetry{};
  session->run([&](comm::Rank& rank, int position) {
    const auto at = static_cast<std::size_t>(position);
    if (position == 0) require_parts(parts.size());
    taken[at] = accept(rank, part_at(parts, position), slabs[at].bounds, report.most_entries_of_rank);
    require_same_pattern(rank, slabs[at], taken[at]);
    const Symmetry found = accept_symmetry(rank, taken[at]);
    if (position == 0) symmetry = found;
  });
  slabs = std::move(taken);
  take_symmetry(symmetry);
  clear_error_figures();
  factorize();
}

template <class T>
DistributedSolution<T> Factorization<T>::Implementation::solve_distributed(std::span<const RowPart<T>> parts,
                                                                           const SolutionRows& wanted,
                                                                           Transpose op) {
  require_factors();
  const Index n = facts_.n;
  api::GatheredRows<T> b;
  session->run([&](comm::Rank& rank, int position) {
    const auto at = static_cast<std::size_t>(position);
    if (position == 0 && parts.size() > static_cast<std::size_t>(session->local_ranks()))
      throw Error(Status::bad_input, "there are right-hand sides of " + std::to_string(parts.size()) +
                                         " ranks, but this process has " +
                                         std::to_string(session->local_ranks()) + "; give one part a rank");
    auto all = api::gather_rows(rank, at < parts.size() ? parts[at] : RowPart<T>(), n);
    if (rank.rank() == 0) b = std::move(all);
  });
  const Solution<T> solution = solve(b.values, b.columns, op, false);
  DistributedSolution<T> result{std::vector<RowPart<T>>(static_cast<std::size_t>(session->local_ranks())),
                                solution.report};
  session->run([&](comm::Rank& rank, int position) {
    result.x[static_cast<std::size_t>(position)] =
        api::scatter_solution_rows<T>(rank, position, solution.x, n, b.columns, wanted);
  });
  return result;
}

template <class T>
DistributedSolution<T> Factorization<T>::solve_distributed(std::span<const RowPart<T>> b,
                                                           const SolutionRows& wanted, Transpose op) {
  return implementation_->locked_call(call::solve,
                                      [&] { return implementation_->solve_distributed(b, wanted, op); });
}

template <class T>
void Factorization<T>::refactorize_distributed(std::vector<Triplets<T>> parts) {
  implementation_->locked_call(call::refactorize, [&] { implementation_->refactorize(std::move(parts)); });
}

template <class T>
Factorization<T> factorize_distributed(std::vector<Triplets<T>> parts, const Options& options) {
  using Implementation = typename Factorization<T>::Implementation;
  return public_call(call::factorize, [&] {
    return Factorization<T>(make_handle<Implementation>(std::move(parts), options));
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                      \
  template Factorization<T>::Implementation::Implementation(std::vector<Triplets<T>>, const Options&); \
  template void Factorization<T>::refactorize_distributed(std::vector<Triplets<T>>);                   \
  template DistributedSolution<T> Factorization<T>::solve_distributed(std::span<const RowPart<T>>,     \
                                                                      const SolutionRows&, Transpose); \
  template Factorization<T> factorize_distributed(std::vector<Triplets<T>>, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
