#include "api/iterative/iteration.hpp"
#include "api/refine/refined_solve.hpp"
#include "api/refine/report_figures.hpp"
#include "api/run/stopwatch.hpp"
#include "api/words/option_use.hpp"
#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "iterative/driver/iterate.hpp"
#include "kernels/product/norm.hpp"
#include "kernels/product/vectors.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace overlapack::iterative {

namespace {

/// `count` columns of a matrix of n rows, from column k on. Empty on ranks other than 0, and if there is no matrix.
template <class T>
std::span<T> columns_of(std::span<T> all, Index n, Index k, Index count, bool is_root) {
  return is_root && !all.empty()
             ? all.subspan(static_cast<std::size_t>(k * n), static_cast<std::size_t>(count * n))
             : std::span<T>();
}

/// Check that x0 has `size` finite numbers.
/// Errors  BadInput
template <class T>
void require_start(std::span<const T> x0, std::size_t size) {
  if (x0.size() != size)
    throw Error(Status::bad_input, "x0 has " + std::to_string(x0.size()) + " numbers, b has " +
                                       std::to_string(size) + "; give as many");
  if (!std::ranges::all_of(x0, is_finite<T>))
    throw Error(Status::bad_input, "x0 holds NaN or infinity; give finite numbers");
}

}  // namespace

template <class T>
bool Iteration<T>::Implementation::uses_operator() const {
  return is_multisplitting() && api::preconditions(options) && plan_.variant == Variant::sync;
}

template <class T>
void Iteration<T>::Implementation::require_ready() const {
  if (!is_ready_)
    throw Error(Status::bad_input,
                "there are no blocks since refactorize failed; call it with a matrix that can be factorised");
}

template <class T>
Index Iteration<T>::Implementation::run_on_leader(RankShare& here, comm::FunctionRef<void()> fn) {
  if (!here.is_leader()) return run_tasks_of_leader(*here.group, inner_factory(here), here.serving);
  fn();
  if (here.group) here.group->broadcast_order({BlockGroup::Task::end});
  return 0;
}

template <class T>
void Iteration<T>::Implementation::apply_preconditioner(comm::Rank& leaders, RankShare& here, const T* b,
                                                        T* x, bool is_adjoint, Right right) {
  const int sweeps = std::max(1, options.iteration.sweeps);
  if (here.operation) return here.operation->apply(leaders, b, x, sweeps, is_adjoint, right);
  here.block->distribute_source(leaders, b);
  const State<T> state = sweep(leaders, *here.block, plan_, sweeps);
  const std::vector<T> all = here.block->gather_on_root(leaders, state);
  if (leaders.rank() == 0) std::ranges::copy(all, x);
}

template <class T>
Index Iteration<T>::Implementation::columns_at_once(const RankShare& here, Index left) const {
  if (api::preconditions(options) || is_multisplitting()) return 1;
  const Index most = here.block->most_columns();
  return static_cast<Index>(std::bit_floor(static_cast<std::size_t>(std::min(left, most))));
}

/// Iterate from x0: solve for the corrections of x0 with its residuals as right-hand sides, to the tolerance relative to b.
template <class T>
void Iteration<T>::Implementation::iterate_on(comm::Rank& leaders, RankShare& here, std::span<const T> b,
                                              std::span<const T> x0, Index count,
                                              api::ResidualHistory& history, Columns& found) {
  DistributedBlock<T>& block = *here.block;
  const bool is_root = leaders.rank() == 0;
  std::vector<T> source(b.begin(), b.end());
  std::vector<double> norms, rests;
  for (Index c = 0; is_root && c < count; ++c) {
    const auto column = [&](auto all) { return columns_of(all, A_.rows, c, 1, is_root); };
    const std::span<T> rest = column(std::span<T>(source));
    if (!x0.empty()) api::residual<T>(A_, api::row_maxima(A_), column(b), column(x0), rest);
    norms.push_back(kernels::norm2<T>(column(b)));
    rests.push_back(kernels::norm2<T>(rest));
  }
  IterationPlan plan = plan_;
  if (count > 1) {
    block.distribute_sources(leaders, source.data(), norms, count);
  } else {
    if (is_root && !x0.empty() && rests[0] > 0) plan.tolerance *= norms[0] / rests[0];
    plan.tolerance = api::broadcast_from_root(leaders, plan.tolerance);
    block.distribute_source(leaders, source.data());
  }
  const Index steps_before = block.inner_steps();
  const IterationResult<T> result = iterate(leaders, block, history.plan_with_recording(leaders, plan));
  found.totals = api::sum_over_ranks(leaders, result, block.inner_steps() - steps_before);
  found.x = block.gather_on_root(leaders, result.x);
  if (!x0.empty()) kernels::add_multiple_to<T>(found.x, T(1), x0);
}

template <class T>
auto Iteration<T>::Implementation::solve_columns(comm::Rank& rank, RankShare& here, std::span<const T> b,
                                                 std::span<const T> x0, Index count,
                                                 api::ResidualHistory& history) -> Columns {
  Columns found;
  comm::Rank& leaders = here.group && here.is_leader() ? here.group->leaders() : rank;
  const Index served = run_on_leader(here, [&] {
    if (api::preconditions(options))
      solve_by_krylov(leaders, here, b, x0, history, found);
    else
      iterate_on(leaders, here, b, x0, count, history, found);
  });
  if (here.group && here.group->ranks().size() > 1)
    api::send_totals_to_group(*here.group, found.totals, served);
  return found;
}

template <class T>
Solution<T> Iteration<T>::Implementation::solve(std::span<const T> b, std::span<const T> x0, Index nrhs) {
  require_ready();
  const api::Stopwatch watch;
  std::vector<T> x;
  std::vector<api::BackwardError> errors;
  api::BadEnds ends;
  api::ResidualHistory history(interruption, plan_.tolerance);
  run([&](comm::Rank& rank, RankShare& here, int position) {
    session->clear_record(position);
    const bool is_root = rank.rank() == 0;
    if (is_root) api::require_right_hand_sides(b, A_.rows, nrhs);
    if (is_root && !x0.empty()) require_start(x0, b.size());
    const Index columns = api::broadcast_from_root(rank, nrhs);
    const std::vector<double> row_max = is_root ? api::row_maxima(A_) : std::vector<double>();
    std::vector<T> all;
    if (columns == 0 && position == 0) api::write_empty_solve(report);
    for (Index k = 0, count = 0; k < columns; k += count) {
      count = columns_at_once(here, columns - k);
      const auto b_k = columns_of(b, A_.rows, k, count, is_root);
      const auto x0_k = columns_of(x0, A_.rows, k, count, is_root);
      std::vector<T> scaled(b_k.begin(), b_k.end()), start(x0_k.begin(), x0_k.end());
      std::vector<double> units;
      for (Index c = 0; c < count; ++c) {
        units.push_back(kernels::power_of_two_near_largest(columns_of(b, A_.rows, k + c, 1, is_root)));
        kernels::scale<T>(columns_of(std::span<T>(scaled), A_.rows, c, 1, is_root), 1 / units.back());
        const std::span<T> start_c = columns_of(std::span<T>(start), A_.rows, c, 1, is_root);
        if (kernels::largest(columns_of(b, A_.rows, k + c, 1, is_root)) == 0)
          std::ranges::fill(start_c, T(0));  // x is 0; no other start has a residual of a size that counts
        kernels::scale<T>(start_c, 1 / units.back());
      }
      Columns found = solve_columns(rank, here, scaled, start, count, history);
      for (Index c = 0; c < count; ++c) {
        const std::span<T> x_c = columns_of(std::span<T>(found.x), A_.rows, c, 1, is_root);
        kernels::scale<T>(x_c, units[static_cast<std::size_t>(c)]);
        api::BackwardError error;
        if (is_root)  // with the matrix as it was given
          error = api::residual<T>(A_, row_max, columns_of(b, A_.rows, k + c, 1, is_root), x_c,
                                   columns_of(std::span<T>(scaled), A_.rows, c, 1, is_root));
        error = api::broadcast_from_root(rank, error);
        if (position == 0) errors.push_back(error);
      }
      if (position == 0) {
        api::add_totals(report, found.totals, k == 0);
        ends.add(found.totals);
      }
      all.insert(all.end(), found.x.begin(), found.x.end());
    }
    if (position == 0) report.right_hand_sides = columns;
    if (session->local_ranks() < session->ranks()) api::broadcast_vector_from_root(rank, all);
    session->gather_record(rank, position);
    if (position == 0) x = std::move(all);
  });
  api::write_waits_and_messages(report, session->timeline());
  report.iteration->history = history.points();
  api::write_worst_errors(report, errors);
  api::set_status_by_true_residual(report, *options.method, ends, plan_);
  report.solve_s = watch.seconds();
  return {std::move(x), report};
}

template <class T>
std::vector<T> Iteration<T>::Implementation::apply(std::span<const T> b, Index nrhs, Transpose op) {
  if (op != Transpose::none && !uses_operator())
    throw Error(
        Status::bad_plan,
        plan_.variant != Variant::sync
            ? "transpose is set, but ranks that do not wait apply another operator each time, and it has no "
              "transpose; use variant sync with sweeps of method multisplitting"
            : "transpose is set, but only blocks that precondition have it; use method multisplitting with "
              "sweeps, weights or an accelerator");
  if (op != Transpose::none && options.multisplitting.inner == InnerSolve::conjugate_gradients)
    throw Error(Status::bad_plan, "transpose is set, but inner cg is no linear operator; use inner direct");
  require_ready();
  std::vector<T> x;
  run([&](comm::Rank& rank, RankShare& here, int position) {
    const bool is_root = rank.rank() == 0;
    if (is_root) api::require_right_hand_sides(b, A_.rows, nrhs);
    const Index columns = api::broadcast_from_root(rank, nrhs);
    std::vector<T> all(is_root ? b.size() : 0);
    const auto conjugate_all = [&](std::span<T> v) {  // M^T b is the conjugate of M^H conj(b)
      if (op == Transpose::trans)
        for (T& value : v) value = conjugate(value);
    };
    std::ranges::copy(is_root ? b : std::span<const T>(), all.begin());
    conjugate_all(all);
    run_on_leader(here, [&] {
      comm::Rank& leaders = here.group ? here.group->leaders() : rank;
      for (Index k = 0; k < columns; ++k) {
        T* const column = is_root ? all.data() + k * A_.rows : nullptr;
        apply_preconditioner(leaders, here, column, column, op != Transpose::none);
      }
    });
    conjugate_all(all);
    if (session->local_ranks() < session->ranks()) api::broadcast_vector_from_root(rank, all);
    if (position == 0) x = std::move(all);
  });
  return x;
}

template <class T>
void Iteration<T>::Implementation::refactorize(SparseMatrix<T> matrix) {
  session->run([&](comm::Rank& rank, int) {
    if (rank.rank() != 0) return;
    SparseMatrix<T> before = std::exchange(A_, std::move(matrix));
    const Report report_before = report;
    try {
      analyse();
    } catch (...) {
      A_ = std::move(before);
      report = report_before;
      throw;
    }
    if (A_.start == before.start && A_.row == before.row) return;
    A_ = std::move(before);
    report = report_before;
    throw Error(Status::bad_input,
                "the matrix has entries in other places than the one that was distributed; give the same "
                "pattern, or make "
                "another iteration");
  });
  distribute();
}

#define OVERLAPACK_INSTANTIATE(T)                                                                          \
  template bool Iteration<T>::Implementation::uses_operator() const;                                       \
  template Solution<T> Iteration<T>::Implementation::solve(std::span<const T>, std::span<const T>, Index); \
  template std::vector<T> Iteration<T>::Implementation::apply(std::span<const T>, Index, Transpose);       \
  template void Iteration<T>::Implementation::refactorize(SparseMatrix<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
