#include "api/iterative/iteration.hpp"

#include "api/iterative/convergence_doubts.hpp"
#include "api/iterative/iteration_plan.hpp"
#include "api/iterative/preconditioner.hpp"
#include "api/plan/factors_in.hpp"
#include "api/plan/prepare.hpp"
#include "api/run/locked_call.hpp"
#include "api/run/stopwatch.hpp"
#include "api/words/option_use.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "comm/collective/combine_figures.hpp"
#include "comm/tasks.hpp"
#include "iterative/driver/iterate.hpp"
#include "iterative/jacobi/convergence_bounds.hpp"
#include "iterative/jacobi/matrix_block.hpp"
#include "iterative/multisplitting/coarse_parts.hpp"
#include "iterative/multisplitting/schwarz_operator.hpp"
#include "overlapack/environment.hpp"
#include "sparse/analysis/graph/ordering.hpp"
#include "sparse/matrix/transpose.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace overlapack::iterative {

namespace {

constexpr int bound_steps = 50;            ///< most products with A for the bounds
constexpr double usual_iterations = 1000;  ///< assumed, to decide whether several ranks pay
constexpr int usual_overlap = 4;
constexpr int incomplete_overlap = 0;  ///< of blocks with inner ilu: a layer saves iterations, but no time

template <class T>
void require_multisplitting(const SparseMatrix<T>& A, const Options& options) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_plan, message); };
  if (options.sparse.ordering == Ordering::user)
    refuse("ordering user orders the whole matrix, but blocks of it are factorised; use auto, metis or amd");
  constexpr bool is_complex = ScalarTraits<T>::is_complex;
  if (options.multisplitting.inner == InnerSolve::conjugate_gradients &&
      !api::is_self_adjoint(A.symmetry, is_complex))
    refuse("inner is cg, which needs a " +
           std::string(api::name(is_complex ? Symmetry::hermitian : Symmetry::symmetric)) +
           " matrix, but this one is " + std::string(api::name(A.symmetry)) + "; use inner direct");
}

/// `ranks`, rounded down to whole groups unless the caller chose it.
int whole_groups(int ranks, const Options& options) {
  const int group = options.multisplitting.ranks_per_block;
  return options.ranks > 0 ? ranks : std::max(1, ranks / group) * group;
}

template <class T>
bool has_zero_on_diagonal(const SparseMatrix<T>& A) {
  Index diagonal = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) diagonal += A.row[p] == j && A.value[p] != T(0);
  return diagonal < A.cols;
}

/// Whether the diagonal has no zero and, times one number, real parts above 0 only.
template <class T>
bool has_one_sided_diagonal(const SparseMatrix<T>& A) {
  if (has_zero_on_diagonal(A)) return false;
  T first = T(0);
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      if (A.row[p] != j) continue;
      if (first == T(0)) first = A.value[p];
      if (!(std::real(conjugate(first) * A.value[p]) > 0)) return false;
    }
  return true;
}

/// The plan for values of this type.  Errors  BadPlan for options that the method does not have
iterative::IterationPlan accepted_plan(const Options& options, ScalarType type) {
  check(options);
  const std::string method(to_string(options.method));
  api::require_factors_in_memory(options, method);
  const int ranks_per_block = options.multisplitting.ranks_per_block;
  if (options.method != Method::multisplitting && ranks_per_block > 1)
    throw Error(Status::bad_plan,
                "ranks_per_block is " + std::to_string(ranks_per_block) +
                    ", but Jacobi's method has no blocks to solve with; use method multisplitting");
  if (options.refinement.error_analysis || options.sparse.null_pivots)
    throw Error(Status::bad_plan, "error_analysis and null_pivots need factors of the whole matrix, which " +
                                      method + " does not make; use method multifrontal");
  api::require_preconditioner(options);
  return api::iteration_plan(options, type);
}

}  // namespace

bool is_iterative(std::optional<Method> method) {
  return method == Method::jacobi || method == Method::multisplitting;
}

template <class T>
Iteration<T>::Implementation::Implementation(SparseMatrix<T> matrix, const Options& chosen,
                                             std::span<const T> near_null_space)
    : options(chosen),
      interruption(chosen),
      A_(std::move(matrix)),
      near_null_space_(near_null_space.begin(), near_null_space.end()) {
  refuse_together(options, [&] { plan_ = accepted_plan(options, ScalarTraits<T>::type); });
  if (api::ranks_are_processes(options)) {
    // The team is opened first: an error of rank 0, which alone has the matrix, must reach every process.
    session = std::make_unique<api::Session>(options, options.ranks);
    session->run([&](comm::Rank& rank, int) {
      api::require_same_type(rank, ScalarTraits<T>::type);
      if (rank.rank() == 0) analyse();
    });
  } else {
    analyse();
    const double flops = 2 * usual_iterations * static_cast<double>(A_.nnz());
    session =
        std::make_unique<api::Session>(options, whole_groups(api::choose_ranks(options, flops), options));
  }
  session->describe(report, options);
  require_groups(session->ranks(), options.multisplitting.ranks_per_block);
  require_plan(plan_, groups(), ScalarTraits<T>::is_complex);
  choose_inner();
  choose_blocks();
  if (is_multisplitting()) require_plan(schwarz_plan(), groups());
  api::describe(report, plan_, options, blocks());
  distribute();
}

/// Incomplete factors are made and applied in a small part of the time, and with a coarse level hardly more iterations are needed
/// than with factors (decision 0055). Of a matrix that is far from definite they may precondition nothing.
template <class T>
void Iteration<T>::Implementation::choose_inner() {
  MultisplittingOptions& asked = options.multisplitting;
  if (!is_multisplitting()) return;
  if (!asked.inner) {
    const bool may_be = asked.coarse != Coarse::none && asked.ranks_per_block == 1;
    const bool is_incomplete = may_be && api::from_root(*session, has_one_sided_diagonal(A_) ? 1 : 0) != 0;
    asked.inner = is_incomplete ? InnerSolve::incomplete : InnerSolve::direct;
  }
  if (asked.overlap < 0)
    asked.overlap = asked.inner == InnerSolve::incomplete ? incomplete_overlap : usual_overlap;
}

/// With a coarse level iterations hardly grow with the number of blocks, and small ones cost less. A body in d dimensions has d
/// unknowns a node and d (d + 1) / 2 rigid motions.
template <class T>
void Iteration<T>::Implementation::choose_blocks() {
  MultisplittingOptions& asked = options.multisplitting;
  if (!is_multisplitting() || asked.blocks > 0 || asked.coarse == Coarse::none || asked.ranks_per_block > 1)
    return;
  const double vectors =
      static_cast<double>(std::ssize(near_null_space_)) / static_cast<double>(std::max<Index>(A_.rows, 1));
  const Index a_node = std::max<Index>(1, std::lround((std::sqrt(8 * vectors + 1) - 1) / 2));
  const Index nodes = api::from_root(*session, A_.rows / a_node);
  asked.blocks = static_cast<int>(std::max<Index>(groups(), nodes / SchwarzPlan::usual_nodes));
}

/// Check the matrix, and that the method suits it.
template <class T>
void Iteration<T>::Implementation::analyse() {
  const api::Stopwatch watch;
  interruption.check("analysis", 0);
  comm::Tasks tasks(api::analysis_threads(options));
  api::accept_matrix(A_, api::real_valued_as(options), tasks);
  report.n = A_.rows;
  report.nnz = A_.nnz();
  report.type = api::name(ScalarTraits<T>::type);
  report.symmetry = api::name(A_.symmetry);
  accept_basis();
  require_definite();
  if (is_multisplitting())
    require_multisplitting(A_, options);
  else
    diagonal_of(A_);
  interruption.check("analysis", 1);
  report.analysis_s = watch.s();
}

/// Bound the spectral radius; sets the report's warning if the iteration may not converge.
template <class T>
void Iteration<T>::Implementation::bound() {
  IterationFigures& figures = *report.iteration;
  if (is_multisplitting() && has_zero_on_diagonal(A_)) {
    figures.warning =
        "it is not known whether the iteration converges: there is a zero on the diagonal, so that this is "
        "no H-matrix";
    return;
  }
  const RadiusBounds bounds = bound_radius(A_, api::strong_components, bound_steps);
  figures.radius_lower = bounds.lower;
  figures.radius_upper = bounds.upper;
  // nothing is proven of blocks that are solved with inexactly
  plan_.is_proven =
      bounds.is_convergent && (!is_multisplitting() || options.multisplitting.inner == InnerSolve::direct);
  figures.warning = is_multisplitting() ? api::doubts_of_multisplitting(bounds)
                                        : api::doubts_of_jacobi(bounds, plan_.variant);
}

/// Check the near null space, which only a coarse level reads.
template <class T>
void Iteration<T>::Implementation::accept_basis() const {
  const Index n = A_.rows, numbers = std::ssize(near_null_space_);
  if (n > 0 ? numbers % n != 0 : numbers > 0)
    throw Error(Status::bad_input, "the near null space has " + std::to_string(numbers) +
                                       " numbers, which are no columns of " + std::to_string(n) +
                                       "; give n x k numbers, column after column");
  if (!std::ranges::all_of(near_null_space_, [](const T& v) { return std::isfinite(std::abs(v)); }))
    throw Error(Status::bad_input, "the near null space holds NaN or infinity; give finite numbers");
}

template <class T>
void Iteration<T>::Implementation::require_definite() const {
  if (options.iteration.accelerator == Accelerator::cg &&
      !api::is_self_adjoint(A_.symmetry, ScalarTraits<T>::is_complex))
    throw Error(Status::bad_plan,
                "accelerator is cg, which needs a symmetric (complex: Hermitian) positive definite matrix, "
                "but this one is " +
                    std::string(api::name(A_.symmetry)) + "; use gmres");
}

/// session->run(fn); in a multisplitting, each rank with its group.
template <class T>
void Iteration<T>::Implementation::run(comm::FunctionRef<void(comm::Rank&, RankShare&, int)> fn) {
  session->run([&](comm::Rank& rank, int number) {
    RankShare& share = shares_[static_cast<std::size_t>(number)];
    std::optional<BlockGroup> group;
    if (is_multisplitting()) share.group = &group.emplace(rank, options.multisplitting.ranks_per_block);
    fn(rank, share, number);
  });
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
      bound();
      if (block_.empty())
        block_ = sparse::metis_partition(sparse::symmetrised_graph(A_.start, A_.row, {}), blocks());
      owner = block_;
      analysed_s = watch.s();
    }
    if (is_multisplitting())
      distribute_blocks(rank, share, number, A, owner);
    else
      share.block = std::make_unique<MatrixBlock<T>>(rank, A, owner);
    const int is_proven = api::from_root(rank, A && plan_.is_proven ? 1 : 0);
    if (number == 0 && !A) plan_.is_proven = is_proven != 0;
  });
  report.analysis_s += analysed_s;
  report.factor_s = watch.s() - analysed_s;
  is_ready_ = true;
}

template <class T>
SharedFactory<T> Iteration<T>::Implementation::inner_factory(RankShare& share) const {
  switch (*options.multisplitting.inner) {
    case InnerSolve::conjugate_gradients:
      return api::gradient_inner<T>(options);
    case InnerSolve::incomplete:
      return api::incomplete_inner<T>(share.factors, share.raised);
    case InnerSolve::direct:
      break;
  }
  return api::direct_inner<T>(options, api::inner_plan<T>(options), share.factors);
}

/// On a leader: the rows of its blocks, to iterate on or as an operator. Returns the rows of the largest block.
template <class T>
Index Iteration<T>::Implementation::make_blocks(RankShare& share, const SparseMatrix<T>* A,
                                                std::span<const int> block) {
  comm::Rank& leaders = share.group->leaders();
  const InnerFactory<T> factory = led(share.group, inner_factory(share));
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
      is_incomplete ? led(share.group, api::direct_inner<T>(options, api::inner_plan<T>(options), of_level))
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
  return share.operation->block_rows();
}

template <class T>
void Iteration<T>::Implementation::distribute_blocks(comm::Rank& rank, RankShare& share, int number,
                                                     const SparseMatrix<T>* A, std::span<const int> owner) {
  BlockGroup& group = *share.group;
  Index rows = 0;
  if (group.is_leader()) {
    rows = make_blocks(share, A, owner);
    group.next();
  } else {
    serve(group, inner_factory(share), share.serving);
  }
  comm::collective::combine<SparseFigures>(rank, share.factors);
  const Index most_rows = comm::collective::all_reduce(rank, rows, Larger());
  const Index coarse_unknowns = api::from_root(rank, share.coarse_unknowns);
  const Index raised = comm::collective::all_reduce(rank, share.raised, std::plus<>());
  if (number > 0) return;
  static_cast<SparseFigures&>(report) = share.factors;
  report.iteration->block_rows = most_rows;
  report.iteration->coarse_unknowns = coarse_unknowns;
  report.iteration->raised_blocks = raised;
}

template <class T>
Iteration<T>::Iteration(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
template <class T>
Iteration<T>::Iteration(Iteration&&) noexcept = default;
template <class T>
Iteration<T>& Iteration<T>::operator=(Iteration&&) noexcept = default;
template <class T>
Iteration<T>::~Iteration() = default;

template <class T>
Solution<T> Iteration<T>::solve(std::span<const T> b, Index nrhs, Transpose op) {
  return api::locked_call(call::solve, implementation_->calls, implementation_->interruption, [&] {
    if (op != Transpose::none)
      throw Error(Status::bad_plan,
                  "transpose is set, but an iteration solves with A only; choose a direct method");
    return implementation_->solve(b, {}, nrhs);
  });
}

template <class T>
Solution<T> Iteration<T>::solve_from(std::span<const T> x0, std::span<const T> b, Index nrhs) {
  return api::locked_call(call::solve, implementation_->calls, implementation_->interruption,
                          [&] { return implementation_->solve(b, x0, nrhs); });
}

template <class T>
std::vector<T> Iteration<T>::apply(std::span<const T> b, Index nrhs, Transpose op) {
  return api::locked_call(call::apply, implementation_->calls, implementation_->interruption,
                          [&] { return implementation_->apply(b, nrhs, op); });
}

template <class T>
void Iteration<T>::refactorize(SparseMatrix<T> A) {
  api::locked_call(call::refactorize, implementation_->calls, implementation_->interruption,
                   [&] { implementation_->refactorize(std::move(A)); });
}

template <class T>
void Iteration<T>::agree(const std::function<void()>& check) {
  implementation_->session->agree(check);
}

template <class T>
const Report& Iteration<T>::report() const {
  return implementation_->report;
}

template <class T>
const trace::Timeline& Iteration<T>::timeline() const {
  return implementation_->session->timeline();
}

namespace {

/// An iteration by the method of the options, else by `otherwise`; only: no other method is allowed.
template <class T>
Iteration<T> iteration_by(Method otherwise, bool only, SparseMatrix<T> A, Options options,
                          std::span<const T> near_null_space = {}) {
  options.method = options.method.value_or(otherwise);
  const bool is_other = only ? options.method != otherwise : !is_iterative(options.method);
  const auto name = options.method == Method::multisplitting ? call::multisplitting : call::jacobi;
  return public_call(name, [&] {
    if (is_other)
      throw Error(Status::bad_plan,
                  "method is \"" + std::string(to_string(options.method)) + "\"; use " +
                      (only ? std::string(to_string(otherwise)) : "jacobi or multisplitting") +
                      ", or call factorize");
    return Iteration<T>(
        std::make_unique<typename Iteration<T>::Implementation>(std::move(A), options, near_null_space));
  });
}

}  // namespace

template <class T>
Iteration<T> iteration(SparseMatrix<T> A, const Options& options, std::span<const T> near_null_space) {
  return iteration_by(Method::jacobi, false, std::move(A), options, near_null_space);
}

template <class T>
Iteration<T> jacobi(SparseMatrix<T> A, const Options& options) {
  return iteration_by(Method::jacobi, true, std::move(A), options);
}

template <class T>
Iteration<T> multisplitting(SparseMatrix<T> A, const Options& options, std::span<const T> near_null_space) {
  return iteration_by(Method::multisplitting, true, std::move(A), options, near_null_space);
}

#define OVERLAPACK_INSTANTIATE(T)                                                       \
  template class Iteration<T>;                                                          \
  template Iteration<T> iteration(SparseMatrix<T>, const Options&, std::span<const T>); \
  template Iteration<T> jacobi(SparseMatrix<T>, const Options&);                        \
  template Iteration<T> multisplitting(SparseMatrix<T>, const Options&, std::span<const T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
