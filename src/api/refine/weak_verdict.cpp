#include "api/refine/weak_verdict.hpp"

#include "api/refine/refined_solve.hpp"
#include "api/refine/refinement.hpp"
#include "api/refine/report_figures.hpp"
#include "base/instantiate.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace overlapack::api {
namespace {

using sparse::scientific;

/// A matrix with a condition number below this is regular: its pivot is small because the pivoting has no threshold.
template <class T>
double regular_condition() {
  return 1 / std::sqrt(static_cast<double>(std::numeric_limits<Real<T>>::epsilon()));
}

/// Outcomes of a right-hand side, as numbers that ranks can send.
enum End : int { answered, inaccurate, unsolvable };

/// Outcomes of all columns.
struct Ends {
  std::vector<double> end;                  ///< by column
  double backward_error = 0, residual = 0;  ///< the worst
  double defect = 0;                        ///< of the unsolvable ones, the largest

  Index count(End kind) const { return std::ranges::count(end, static_cast<double>(kind)); }
};

template <class T>
Ends ends_of(const WeakSystem<T>& system, const Singularity<T>& singularity) {
  const bool has_root = system.session.has_root();
  const double accuracy = accuracy_of(system.options, std::numeric_limits<Real<T>>::epsilon());
  const auto n = static_cast<std::size_t>(system.n);
  Ends ends;
  for (Index column = 0; column < system.nrhs; ++column) {
    const auto fit = system.fit(column);
    if (!has_root) continue;
    const bool is_exact = fit.backward_error <= accuracy;
    const bool fits = is_exact && std::max(fit.residual_share, fit.hidden_share) <= most_residual_share<T>();
    const double defect = fits ? 0
                               : range_defect(singularity, system.op,
                                              system.b.subspan(static_cast<std::size_t>(column) * n, n));
    const bool has_none = defect > rounding_of_range<T>();
    ends.end.push_back(has_none ? unsolvable : is_exact ? answered : inaccurate);
    if (has_none) ends.defect = std::max(ends.defect, defect);
    const auto raise = [](double& most, double value) {
      if (!(value <= most)) most = value;
    };
    raise(ends.backward_error, fit.backward_error), raise(ends.residual, fit.residual_share);
  }
  system.session.run([&](comm::Rank& rank, int position) {
    struct Worst {
      double backward_error = 0, residual = 0, defect = 0;
    };
    Worst worst;  // other ranks do not read what the first of a process writes
    std::vector<double> all;
    if (rank.rank() == 0) worst = {ends.backward_error, ends.residual, ends.defect}, all = ends.end;
    worst = broadcast_from_root(rank, worst);
    broadcast_vector_from_root(rank, all);
    if (position != 0) return;
    ends = {std::move(all), worst.backward_error, worst.residual, worst.defect};
  });
  return ends;
}

/// "This system has", the subject of a sentence.
std::string columns_text(const Ends& ends, End kind) {
  const Index count = ends.count(kind);
  if (ends.end.size() == 1) return "This system has";
  const auto first = std::ranges::find(ends.end, static_cast<double>(kind)) - ends.end.begin();
  return count == 1 ? "The system of column " + std::to_string(first) + " (from 0) has"
                    : "The systems of " + std::to_string(count) + " columns, " + std::to_string(first) +
                          " (from 0) the first, have";
}

std::string no_solution_text(const Ends& ends, const Nearness& singularity, const char* x) {
  return singular_text(singularity) + ". " + columns_text(ends, unsolvable) + " no solution" + x + ": " +
         scientific(ends.defect) + " of the right-hand side is outside the range of the matrix";
}

template <class T>
void fill_with_nan(const WeakSystem<T>& system, const Ends& ends) {
  const auto n = static_cast<std::size_t>(system.n);
  for (std::size_t column = 0; column < ends.end.size() && (column + 1) * n <= system.x.size(); ++column)
    if (ends.end[column] == static_cast<double>(unsolvable))
      std::ranges::fill(system.x.subspan(column * n, n), T(std::numeric_limits<Real<T>>::quiet_NaN()));
}

std::string singular_remedy(bool may_keep_nulls) {
  return may_keep_nulls
             ? ". Use diagnose for the cause, the option null_pivots for the rank, and the option singular, "
               "set to always, for an x"
             : ". Look for a circuit without ground, a structure that can move or a shift at an eigenvalue. "
               "The option singular, set to always, gives an x";
}

}  // namespace

void refuse_singular(const std::string& what, bool may_keep_nulls) {
  throw Error(Status::singular, what + singular_remedy(may_keep_nulls));
}

void report_no_solution(Report& report, std::string message, bool has_x) {
  report.status = Status::singular;
  report.message = std::move(message);
  if (!has_x) throw Error(Status::singular, report.message);
}

void clear_singularity(Report& report) {
  report.null_vector.clear();
  report.null_share = report.null_distance = unknown;
}

template <class T>
void write_singularity(Report& report, const Singularity<T>& singularity) {
  clear_singularity(report);
  report.null_share = singularity.right_share;
  report.null_distance = singularity.distance;
  if (!singularity.is_singular()) return;
  for (const T& number : singularity.right) {
    report.null_vector.push_back(static_cast<double>(std::real(number)));
    if (ScalarTraits<T>::is_complex) report.null_vector.push_back(static_cast<double>(std::imag(number)));
  }
}

std::string singular_text(const Nearness& nearness) {
  const std::string change = nearness.like > 1
                                 ? " and " + std::to_string(nearness.like - 1) + " more can change together"
                                 : " can change, and others by less,";
  return "the matrix is singular to working precision. Unknown " + std::to_string(nearness.largest) +
         " (from 0)" + change + " without effect on A x";
}

std::string answer_text(const std::string& fit) { return "x is one of many answers: " + fit; }

template <class T>
void test_weak_solution(Report& report, const WeakSystem<T>& system) {
  const Singularity<T>& singularity = system.singularity();
  const Ends ends = ends_of(system, singularity);
  const Index unsolvable_columns = ends.count(unsolvable);
  const bool gives_all = system.options.singular == SingularMatrix::always;
  report.unsolved_columns = gives_all ? 0 : unsolvable_columns;
  if (unsolvable_columns > 0 && !gives_all) {
    const bool has_x = unsolvable_columns < system.nrhs;
    fill_with_nan(system, ends);
    return report_no_solution(report,
                              no_solution_text(ends, singularity, has_x ? ", and x is NaN there" : "") +
                                  singular_remedy(system.may_keep_nulls),
                              has_x);
  }
  if (ends.count(inaccurate) > 0) {
    report.status = Status::inaccurate;
    if (singularity.is_singular()) report.message += "; " + singular_text(singularity);
    return;
  }
  if (std::isnan(report.condition_estimate)) system.condition();
  if (report.condition_estimate < regular_condition<T>() && !singularity.is_singular()) return;
  report.status = Status::ill_conditioned;
  const std::string fit = "the backward error is " + scientific(ends.backward_error) + ", the residual " +
                          scientific(ends.residual) + " of the right-hand side";
  if (singularity.is_singular()) {
    report.forward_error_bound = unknown;  // any multiple of v may be added
    report.message = singular_text(singularity) + ". " + answer_text(fit) + ". Here " + system.pivot;
    if (unsolvable_columns > 0)
      report.message = no_solution_text(ends, singularity, "") + ". x is given nevertheless: " + fit;
    return;
  }
  if (std::isnan(report.forward_error_bound))
    report.forward_error_bound = report.backward_error * report.condition_estimate;
  report.forward_error_bound =
      std::max(report.forward_error_bound, 2 * system.residual_rounding / singularity.distance);
  report.message = "the matrix is ill conditioned: " + system.pivot + ", its condition number about " +
                   scientific(report.condition_estimate) + "; " + fit + ", the error of x about " +
                   scientific(report.forward_error_bound) +
                   " at most, for the numbers as they are; where their last digits are not known, nor is x";
}

#define OVERLAPACK_INSTANTIATE(T)                                  \
  template void write_singularity(Report&, const Singularity<T>&); \
  template void test_weak_solution(Report&, const WeakSystem<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
