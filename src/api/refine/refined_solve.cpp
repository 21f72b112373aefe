#include "api/refine/refined_solve.hpp"

#include "api/refine/flexible_cg.hpp"
#include "api/refine/flexible_gmres.hpp"
#include "api/refine/report_figures.hpp"
#include "api/run/stopwatch.hpp"
#include "base/instantiate.hpp"
#include "overlapack/printed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace overlapack::api {
namespace {

/// Call f(first, count) for groups of at most `pass` columns.
template <class F>
void for_passes(Index columns, Index pass, F&& f) {
  for (Index c = 0; c < columns; c += pass) f(c, std::min(pass, columns - c));
}

/// The system's residuals, computed for groups of columns.
template <class T>
Residuals<T> residuals_of(comm::Rank& rank, int position, const FactorizedSystem<T>& system,
                          Interruption& interruption) {
  return [&interruption, pass = system.pass,
          of_pass = system.residuals(rank, position)](std::span<const ResidualColumn<T>> columns) {
    std::vector<BackwardError> errors;
    for_passes(static_cast<Index>(columns.size()), pass, [&](Index first, Index count) {
      interruption.report_progress("solve", 0);
      const std::vector<BackwardError> some = of_pass(columns.subspan(first, count));
      errors.insert(errors.end(), some.begin(), some.end());
    });
    return errors;
  };
}

/// The loop of a refined solve by Refinement, FlexibleGmres or FlexibleCg. iteration: null on ranks other than 0, which only take
/// part in substitutions and residuals.
template <class T, class Iteration>
void drive(comm::Rank& rank, int position, const FactorizedSystem<T>& system, Interruption& interruption,
           Iteration* iteration) {
  struct Step {
    Index columns = 0, measured = 0;
    bool solves = true;
  };
  for (;;) {
    const auto [columns, measured, solves] =
        broadcast_from_root(rank, iteration ? Step{iteration->active_columns(), iteration->measured_columns(),
                                                   iteration->is_next_step_solve()}
                                            : Step{});
    if (columns == 0) return;
    if (solves)
      for_passes(columns, system.pass, [&](Index first, Index count) {
        if (iteration) interruption.report_progress("solve", 0);
        system.substitute(rank, position, iteration ? iteration->residual() + first * system.n : nullptr,
                          iteration ? iteration->corrections() + first * system.n : nullptr, count);
      });
    if (iteration)
      iteration->advance();
    else if (system.serve_residuals)
      for_passes(measured, system.pass,
                 [&](Index, Index count) { system.serve_residuals(rank, position, count); });
  }
}

/// The number of vectors of a cycle that fit into memory. Each takes two vectors of length n.
template <class T>
int most_vectors(const FactorizedSystem<T>& system) {
  constexpr int wanted = KrylovLimits{}.restart;
  if (!system.gmres_bytes || system.n == 0) return wanted;
  const double pair = 2.0 * static_cast<double>(system.n) * sizeof(T);
  return static_cast<int>(std::clamp(system.gmres_bytes() / pair, 1.0, static_cast<double>(wanted)));
}

/// Continue with flexible GMRES or conjugate gradients for right-hand sides whose backward error is above `accuracy`, one after
/// the other.
template <class Krylov, class T>
void go_on_by(comm::Rank& rank, int position, const FactorizedSystem<T>& system, Interruption& interruption,
              double accuracy, std::span<const T> b, std::span<T> x, std::vector<RefinementResult>& results) {
  const auto needs_it = [&](const RefinementResult& result) { return !(result.error.sum() <= accuracy); };
  const bool is_root = rank.rank() == 0;
  const auto n = static_cast<std::size_t>(system.n);
  Index left = broadcast_from_root(
      rank, is_root ? static_cast<Index>(std::ranges::count_if(results, needs_it)) : Index{0});
  constexpr int least = 2;  // a cycle of one vector is a step of refinement
  const int restart = is_root && left > 0 ? most_vectors(system) : 0;
  if (left == 0 || broadcast_from_root(rank, restart) < least) return;
  for (std::size_t j = 0; left > 0; ++j) {
    if (!is_root) {
      drive<T, Krylov>(rank, position, system, interruption, nullptr);
      --left;
      continue;
    }
    if (!needs_it(results[j])) continue;
    Krylov krylov(residuals_of(rank, position, system, interruption), b.subspan(j * n, n),
                  x.subspan(j * n, n), {.steps = system.gmres_steps, .restart = restart, .target = accuracy});
    drive<T>(rank, position, system, interruption, &krylov);
    results[j].error = krylov.error();
    results[j].gmres_steps = krylov.steps();
    --left;
  }
}

template <class T>
void go_on(comm::Rank& rank, int position, const FactorizedSystem<T>& system, Interruption& interruption,
           double accuracy, std::span<const T> b, std::span<T> x, std::vector<RefinementResult>& results) {
  if (system.gmres_steps == 0) return;
  if (system.is_definite)
    go_on_by<FlexibleCg<T>, T>(rank, position, system, interruption, accuracy, b, x, results);
  else
    go_on_by<FlexibleGmres<T>, T>(rank, position, system, interruption, accuracy, b, x, results);
}

double worst_error_of_x(const std::vector<RefinementResult>& results) {
  double worst = unknown;
  for (const RefinementResult& result : results)
    if (!(result.error_of_x <= worst) && !std::isnan(result.error_of_x)) worst = result.error_of_x;
  return worst;
}

void doubt_x(Report& report, double error_of_x) {
  report.status = Status::ill_conditioned;
  report.forward_error_bound = worst_over_sample * error_of_x;
  report.message = printed(
      "the matrix is ill conditioned: the backward error is %.1e, but last digits of A and b change x by "
      "about %.1e of its largest entry",
      report.backward_error, error_of_x);
}

}  // namespace

template <class T>
void require_right_hand_sides(std::span<const T> b, Index n, Index nrhs) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_input, message); };
  if (nrhs < 0) refuse("the number of right-hand sides is negative; give how many columns b has");
  const auto size = static_cast<Index>(b.size());
  const bool is_whole =
      n > 0 ? size % n == 0 && size / n == nrhs : size == 0;  // n nrhs may be too large for an Index
  const std::string given = std::to_string(size) + (size == 1 ? " entry" : " entries");
  if (nrhs == 0 && size > 0 && n > 0)  // as many as b has whole columns
    refuse("the right-hand side has " + given + ", but the matrix has " + std::to_string(n) + " rows; give " +
           std::to_string(n) + " numbers for each right-hand side");
  if (!is_whole)
    refuse("the right-hand side has " + given + ", but the matrix has " + std::to_string(n) +
           " rows and there " +
           (nrhs == 1 ? "is 1 right-hand side" : "are " + std::to_string(nrhs) + " right-hand sides") +
           "; give " + printed("%.0f", static_cast<double>(n) * static_cast<double>(nrhs)));
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!is_finite(b[i]))
      refuse("entry " + std::to_string(i) +
             " of the right-hand side is not a finite number; remove NaN and infinity");
}

template <class T>
void broadcast_vector_from_root(comm::Rank& rank, std::vector<T>& x) {
  const bool is_root = rank.rank() == 0;
  const comm::Body body = comm::collective::broadcast(
      rank, 0, is_root ? comm::Body::copy_of(std::span<const T>(x)) : comm::Body());
  const std::span<const T> values = body.as<T>();
  if (!is_root) x.assign(values.begin(), values.end());
}

template <class T>
std::vector<T> refined_solve(Session& session, Interruption& interruption, const Options& options,
                             const FactorizedSystem<T>& system, std::span<const T> b, Index nrhs,
                             Report& report) {
  const Stopwatch watch;
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  const RefinementLimits limits{.steps = options.refinement.steps,
                                .target = options.refinement.target > 0 ? options.refinement.target : 2 * eps,
                                .refines_x = system.refines_x,
                                .test = system.test,
                                .row_max = system.row_max};
  const double accuracy = accuracy_of(options, eps);
  std::vector<T> x;
  double error_of_x = unknown;
  DigitChange change;
  session.run([&](comm::Rank& rank, int position) {
    if (rank.rank() != 0) {
      drive<T, Refinement<T>>(rank, position, system, interruption, nullptr);
      std::vector<RefinementResult> none;
      go_on<T>(rank, position, system, interruption, accuracy, {}, {}, none);
    } else {
      require_right_hand_sides(b, system.n, nrhs);
      x.resize(b.size());
      Refinement<T> refinement(system.n, residuals_of(rank, position, system, interruption), b,
                               std::span<T>(x), nrhs, limits,
                               comm::slices_of(rank, {.kind = "refine", .n = system.n}));
      drive<T>(rank, position, system, interruption, &refinement);
      std::vector<RefinementResult> results = refinement.results();
      go_on<T>(rank, position, system, interruption, accuracy, b, x, results);
      write_refinement(report, results);
      error_of_x = worst_error_of_x(results);
      change = refinement.digit_change();
    }
    struct Errors {
      double backward = unknown, bound = unknown, of_x = unknown;
      DigitChange change = {};
    };
    Errors known;  // other ranks do not read the report, which the first of a process writes
    if (rank.rank() == 0) known = {report.backward_error, report.forward_error_bound, error_of_x, change};
    known = broadcast_from_root(rank, known);
    if (position == 0)
      report.backward_error = known.backward, report.forward_error_bound = known.bound,
      error_of_x = known.of_x, change = known.change;
    if (system.is_for_all && session.local_ranks() < session.ranks()) broadcast_vector_from_root(rank, x);
    if (options.run.trace) session.gather_record(rank, position);
  });
  set_status_by_error(report, eps, options, system.more_accuracy);
  if (system.judges_x && report.status == Status::ok && error_of_x > most_error_of_x<T>())
    doubt_x(report, error_of_x);
  if (system.digit_change != nullptr) *system.digit_change = change;
  report.solve_s = watch.seconds();
  return x;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template void require_right_hand_sides(std::span<const T>, Index, Index);                                  \
  template void broadcast_vector_from_root(comm::Rank&, std::vector<T>&);                                    \
  template std::vector<T> refined_solve(Session&, Interruption&, const Options&, const FactorizedSystem<T>&, \
                                        std::span<const T>, Index, Report&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE
template void broadcast_vector_from_root(comm::Rank&, std::vector<char>&);  // texts

}  // namespace overlapack::api
