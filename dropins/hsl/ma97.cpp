#include "ma97.h"

#include "attempt.hpp"
#include "pattern_factors.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>

using namespace overlapack;
using dropins::Outcome;

namespace {

thread_local std::string last_message;

/// The object behind akeep: the pattern and its ordering.
struct Analysed {
  Triplets<double> positions;
  Options options;
  int ordering = 5;
};

/// The object behind fkeep.
struct Factored {
  std::shared_ptr<const Analysed> analysed;
  bool is_definite = false, keeps_null_pivots = false;
  dropins::PatternFactors<double> factors;
  double threshold = 0;                          ///< pivot threshold when they were analysed
  std::optional<HalfFactors<double>> half = {};  ///< of these factors, once a part of a solve was asked for

  /// Whether new values should be analysed again, to get their own matching and scaling. An analysis takes as long as several factorisations.
  /// wanted_threshold: the caller's pivot threshold, which callers raise when solutions are poor
  bool needs_new_analysis(double wanted_threshold) {
    constexpr double most_delayed = 0.02;
    if (!factors.has_factors() || wanted_threshold > threshold) return true;
    return static_cast<double>(factors.factors().report().pivots.delayed) >
           most_delayed * static_cast<double>(analysed->positions.rows);
  }
  /// Solve by substitution only, since callers refine. For a singular matrix solve and measure the error, since there may be no solution.
  Outcome solve(double* x, Index nrhs, Index ldx);
  /// Solve with a part of A = P L D (P L)^T. job 1: P L X = B, 2: D X = B, 3: (P L)^T X = B, 4: D (P L)^T X = B. For a positive definite A, D = I.
  /// Errors  Singular if pivots were left out
  void solve_part(int job, double* x, Index nrhs, Index ldx);
};

void Factored::solve_part(int job, double* x, Index nrhs, Index ldx) {
  if (!half) half = factors.factors().half();
  for (Index j = 0; j < nrhs; ++j) {
    const std::span<double> column(x + j * ldx, static_cast<std::size_t>(analysed->positions.rows));
    if (is_definite)
      job == 1 ? half->solve(column) : half->solve_adjoint(column);
    else if (job == 1)
      half->solve_l(column);
    else {
      if (job != 3) half->solve_d(column);
      if (job != 2) half->solve_lt(column);
    }
  }
}

Outcome Factored::solve(double* x, Index nrhs, Index ldx) {
  const Index n = analysed->positions.rows;
  Factorization<double>& solver = factors.factors();
  if (solver.report().numerical_rank == n) {
    const Index together = ldx == n ? nrhs : 1;  // columns that are adjacent in memory
    for (Index j = 0; j < nrhs; j += together)
      solver.substitute({x + j * ldx, static_cast<std::size_t>(n * together)}, together);
    return {};
  }
  std::vector<double> b;
  for (Index j = 0; j < nrhs; ++j) b.insert(b.end(), x + j * ldx, x + j * ldx + n);
  const Solution<double> solution = solver.solve(b, nrhs);
  for (Index j = 0; j < nrhs; ++j) std::copy_n(solution.x.data() + j * n, n, x + j * ldx);
  return dropins::outcome_of(solution.report);
}

using SharedAnalysis = std::shared_ptr<const Analysed>;
SharedAnalysis* handle_of(void** akeep) { return akeep ? static_cast<SharedAnalysis*>(*akeep) : nullptr; }
Factored* factored_of(void** fkeep) { return fkeep ? static_cast<Factored*>(*fkeep) : nullptr; }

void end_with(ma97_info_d& info, int flag, const std::string& message) {
  info.flag = flag;
  if (flag < 0) last_message = message;
}

int flag_of(const Outcome& outcome, bool is_definite) {
  switch (outcome.status) {
    case Status::ok:
    case Status::ill_conditioned:
    case Status::inaccurate:  // the caller's refinement judges it
      return MA97_OK;
    case Status::singular:
      return MA97_SINGULAR;
    case Status::out_of_memory:
      return MA97_NO_MEMORY;
    case Status::bad_plan:
      return MA97_BAD_ORDERING;
    default:
      return is_definite ? MA97_NOT_POSITIVE_DEFINITE : MA97_BAD_VALUE;
  }
}

/// Fill info from the factors. This is also done after a solve, since callers then read num_neg.
void describe(ma97_info_d& info, Factored& factored) {
  const Report& report = factored.factors.factors().report();
  info.matrix_rank = static_cast<int>(report.numerical_rank);
  info.num_delay = static_cast<int>(report.pivots.delayed);
  info.num_factor = static_cast<long>(report.factor_nnz);
  info.num_flops = static_cast<long>(report.flops);
  info.num_neg = factored.is_definite ? 0 : static_cast<int>(factored.factors.factors().inertia().negative);
  info.num_two = static_cast<int>(report.pivots.two_by_two);
  info.ordering = report.ordering == "amd" ? 1 : 3;
}

/// The pivot threshold control.u, clamped to 0 to 0.5.
double threshold_of(const ma97_control_d& control) { return std::clamp(control.u, 0.0, 0.5); }

/// The variables sorted by their positions order[]; without `order` in their own order.
/// Errors  BadPlan if `order` is no permutation
std::vector<Index> variables_by_position(const int* order, int n, int base) {
  std::vector<Index> variables(static_cast<std::size_t>(n), -1);
  for (int i = 0; i < n; ++i) {
    const int position = order ? order[i] - base : i;
    if (position < 0 || position >= n || variables[static_cast<std::size_t>(position)] >= 0)
      throw Error(Status::bad_plan,
                  "order gives variable " + std::to_string(i + base) + " place " +
                      std::to_string(position + base) + ", which is out of range or taken; give each of " +
                      std::to_string(base) + " to " + std::to_string(n - 1 + base) + " once");
    variables[static_cast<std::size_t>(position)] = i;
  }
  return variables;
}

/// The library's options for MA97's controls.
/// Errors  BadPlan: an ordering that is not built
Options options_for(const ma97_control_d& control, int n, const int* order) {
  Options options;
  options.run.engine = Engine::thread;
  options.refinement.steps = 0;               // MA97 does not refine: its callers do, on their own system
  options.singular = SingularMatrix::refuse;  // callers correct such a matrix until its inertia is right
  const int ordering = control.ordering;
  if (ordering == 1 || ordering == 7) options.sparse.ordering = Ordering::amd;
  if (ordering == 3 || ordering == 8) options.sparse.ordering = Ordering::metis;
  if (ordering == 7 || ordering == 8) options.sparse.matching = Switch::on;
  if (ordering == 0) {
    options.sparse.ordering = Ordering::user;
    options.sparse.user_order = variables_by_position(order, n, control.f_arrays != 0 ? 1 : 0);
  }
  if (ordering < 0 || ordering == 2 || ordering == 4 || ordering == 6 || ordering > 8)
    throw Error(Status::bad_plan, "ordering is " + std::to_string(ordering) +
                                      "; give 0, 1, 3, 5, 7 or 8 (AMD, METIS, or the better one)");
  return options;
}

/// The positions of the caller's compressed columns.
/// Errors  BadInput: a row is outside the matrix, or the offsets of columns decrease
Triplets<double> positions_of(int n, const int* ptr, const int* row, int base) {
  Triplets<double> positions{n, n, {}, {}, {}};
  if (n > 0 && (ptr[0] != base || !std::is_sorted(ptr, ptr + n + 1)))
    throw Error(Status::bad_input, "ptr has to begin with " + std::to_string(base) + ", and not to decrease");
  for (int j = 0; j < n; ++j)
    for (int k = ptr[j] - base; k < ptr[j + 1] - base; ++k) {
      const Index i = row[k] - base;
      if (i < j || i >= n)
        throw Error(Status::bad_input,
                    "column " + std::to_string(j + base) + " has an entry in row " + std::to_string(row[k]) +
                        "; give the lower triangle of a matrix of order " + std::to_string(n));
      positions.row.push_back(i);
      positions.col.push_back(j);
    }
  return positions;
}

/// The factors to fill: those of fkeep if they belong to this analysis and these options, else new ones.
Factored& factors_for(void** fkeep, const SharedAnalysis& analysed, const ma97_control_d& control,
                      bool is_definite) {
  Factored* factored = factored_of(fkeep);
  if (!factored || factored->analysed != analysed) {
    delete factored;
    *fkeep = nullptr;
    factored =
        new Factored{analysed, false, false, {analysed->positions, dropins::Listed::symmetric_half, false}};
    *fkeep = factored;
  }
  const bool is_same =
      factored->is_definite == is_definite && factored->keeps_null_pivots == (control.action != 0);
  if (!is_same || (control.scaling != 0 && factored->needs_new_analysis(control.u)))
    factored->factors.forget();
  if (factored->factors.has_factors())
    factored->factors.factors().set_pivot_threshold(threshold_of(control));
  else
    factored->threshold = control.u;
  factored->is_definite = is_definite;
  factored->keeps_null_pivots = control.action != 0;
  factored->half.reset();
  return *factored;
}

}  // namespace

void ma97_default_control_d(ma97_control_d* control) {
  *control = {};
  control->action = 1;
  control->nemin = 8;
  control->multiplier = 1.1;
  control->ordering = 5;
  control->small = 1e-20;
  control->u = 0.01;
  control->unit_diagnostics = control->unit_error = control->unit_warning = 6;
  control->factor_min = 20000000;
  control->solve_min = 100000;
  control->consist_tol = std::numeric_limits<double>::epsilon();
}

void ma97_analyse_d(int, int n, const int ptr[], const int row[], double[], void** akeep,
                    const ma97_control_d* control, ma97_info_d* info, int order[]) {
  *info = {};
  info->matrix_rank = -1;
  *akeep = nullptr;
  if (n < 0) return end_with(*info, MA97_BAD_ORDER_OF_MATRIX, "n is negative");
  const Outcome outcome = dropins::attempt([&]() -> Outcome {
    auto analysed = std::make_shared<Analysed>();
    analysed->options = options_for(*control, n, control->ordering == 0 ? order : nullptr);
    analysed->positions = positions_of(n, ptr, row, control->f_arrays != 0);
    *akeep = new SharedAnalysis(std::move(analysed));
    return {};
  });
  info->ordering = control->ordering;
  const int flag = flag_of(outcome, false);
  end_with(*info, flag == MA97_BAD_VALUE ? MA97_BAD_PTR : flag, outcome.message);
}

void ma97_factor_d(int matrix_type, const int[], const int[], const double val[], void** akeep, void** fkeep,
                   const ma97_control_d* control, ma97_info_d* info, double scale[]) {
  *info = {};
  info->matrix_rank = -1;
  const SharedAnalysis* analysed = handle_of(akeep);
  if (!analysed) return end_with(*info, MA97_CALL_SEQUENCE, "ma97_analyse comes before ma97_factor");
  if (matrix_type != 3 && matrix_type != 4)
    return end_with(
        *info, MA97_BAD_MATRIX_TYPE,
        "matrix_type is " + std::to_string(matrix_type) + "; give 3 (positive definite) or 4 (indefinite)");
  const bool is_definite = matrix_type == 3;
  if (scale && control->scaling != 0)  // scales are kept in the factors
    std::fill_n(scale, (*analysed)->positions.rows, 1.0);
  const Outcome outcome = dropins::attempt([&]() -> Outcome {
    Factored& factored = factors_for(fkeep, *analysed, *control, is_definite);
    Options options = (*analysed)->options;
    options.factorization = is_definite ? FactorKind::cholesky : FactorKind::ldlt;
    options.sparse.pivot_threshold = threshold_of(*control);
    options.sparse.null_pivots = factored.keeps_null_pivots && !is_definite;
    factored.factors.factorize({val, factored.factors.positions().row.size()}, options);
    describe(*info, factored);
    return {};
  });
  const bool is_deficient = outcome.status == Status::ok && info->matrix_rank >= 0 &&
                            info->matrix_rank < (*analysed)->positions.rows;
  end_with(*info, is_deficient ? MA97_RANK_DEFICIENT : flag_of(outcome, is_definite), outcome.message);
}

void ma97_solve_d(int job, int nrhs, double x[], int ldx, void** akeep, void** fkeep, const ma97_control_d*,
                  ma97_info_d* info) {
  *info = {};
  info->matrix_rank = -1;
  Factored* factored = factored_of(fkeep);
  if (!handle_of(akeep) || !factored || !factored->factors.has_factors())
    return end_with(*info, MA97_CALL_SEQUENCE, "there are no factors; ma97_factor comes before ma97_solve");
  if (job < 0 || job > 4 || (factored->is_definite && job % 2 == 0 && job != 0))
    return end_with(*info, MA97_BAD_JOB,
                    "job is " + std::to_string(job) +
                        "; give 0 to 4, of a positive definite matrix, which has no D, 0, 1 or 3");
  const Index n = factored->analysed->positions.rows;
  if (nrhs < 1 || ldx < n)
    return end_with(*info, MA97_BAD_SIZE_OF_X,
                    "nrhs or ldx is too small for a matrix of order " + std::to_string(n));
  const Outcome outcome = dropins::attempt([&] {
    Outcome outcome;
    if (job == 0)
      outcome = factored->solve(x, nrhs, ldx);
    else
      factored->solve_part(job, x, nrhs, ldx);
    describe(*info, *factored);
    return outcome;
  });
  // of a singular matrix: a right-hand side that is not consistent has the best x
  const bool is_best = job == 0 && outcome.status == Status::singular && factored->keeps_null_pivots;
  end_with(*info, is_best ? MA97_RANK_DEFICIENT : flag_of(outcome, false), outcome.message);
}

void ma97_factor_solve_d(int matrix_type, const int ptr[], const int row[], const double val[], int nrhs,
                         double x[], int ldx, void** akeep, void** fkeep, const ma97_control_d* control,
                         ma97_info_d* info, double scale[]) {
  ma97_factor_d(matrix_type, ptr, row, val, akeep, fkeep, control, info, scale);
  if (info->flag >= 0) ma97_solve_d(0, nrhs, x, ldx, akeep, fkeep, control, info);
}

void ma97_free_akeep_d(void** akeep) {
  delete handle_of(akeep);
  if (akeep) *akeep = nullptr;
}

void ma97_finalise_d(void** akeep, void** fkeep) {
  ma97_free_akeep_d(akeep);
  delete factored_of(fkeep);
  if (fkeep) *fkeep = nullptr;
}

const char* overlapack_ma97_message(void) { return last_message.c_str(); }
