#include "api/sparse/factorization.hpp"

#include "api/plan/factors_in.hpp"
#include "api/plan/memory_watch.hpp"
#include "api/plan/prepare.hpp"
#include "api/refine/refinement.hpp"
#include "api/refine/report_figures.hpp"
#include "api/refine/weak_verdict.hpp"
#include "api/run/node_sum.hpp"
#include "api/run/resources.hpp"
#include "api/run/stopwatch.hpp"
#include "api/sparse/pattern_analysis.hpp"
#include "api/words/analysis_options.hpp"
#include "base/instantiate.hpp"
#include "comm/tasks.hpp"
#include "comm/team.hpp"
#include "dense/lu/panel/phantom_panel.hpp"
#include "overlapack/overlapack.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/pivot_test.hpp"
#include "sparse/matrix/convert.hpp"
#include "sparse/matrix/symmetry.hpp"
#include "sparse/methods/make_factors.hpp"
#include "sparse/multifrontal/multifrontal.hpp"
#include "sparse/supernodal/supernodal.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace overlapack {
namespace {

constexpr const char* too_much_fill = "delayed pivots filled in too much";

}  // namespace

template <class T>
typename Factorization<T>::Implementation::MatrixFacts Factorization<T>::Implementation::facts() const {
  const sparse::Analysis& analysis = prepared.analysis;
  return {.n = A.rows,
          .kind = analysis.kind,
          .has_real_spectrum = api::is_self_adjoint(A.symmetry, ScalarTraits<T>::is_complex),
          .analysed = {.method = analysis.method,
                       .may_give_up = analysis.method == Method::block_triangular &&
                                      analysis.kind == sparse::FactorKind::ldlt && analysis.signs.empty() &&
                                      !analysis.choice.empty(),
                       .is_on_disk = prepared.prediction.is_on_disk,
                       .scratch_bytes = prepared.prediction.scratch_bytes},
          .uses_nodes = analysis.uses_nodes(),
          .is_chosen = analysis.uses_nodes() && !analysis.choice_of_all().empty(),
          .is_matched = analysis.matching != "off",
          .is_ruiz = analysis.scaling == "ruiz",
          .has_signs = !analysis.signs.empty(),
          .order_pays_after = analysis.order_pays_after};
}

template <class T>
Factorization<T>::Implementation::Implementation(SparseMatrix<T> matrix, const Options& chosen,
                                                 const PatternAnalysis::Implementation* kept)
    : options(chosen), interruption(chosen), A(std::move(matrix)) {
  api::check_options_together(options);
  if (api::ranks_are_processes(options)) {
    // The team is opened first: an error of rank 0, which alone has the matrix, must reach every process.
    session = std::make_unique<api::Session>(options, options.ranks);
    fullest_share_ = api::max_node_share(*session);
    session->run([&](comm::Rank& rank, int position) {
      api::require_same_type(rank, ScalarTraits<T>::type);
      const Options shaped = api::agree_on_analysis_options(rank, chosen, kept);
      if (position == 0) options = shaped;
      if (rank.rank() == 0) analyse(kept);
      const bool is_stale = api::broadcast_from_root(rank, is_stale_ ? 1 : 0) != 0;
      if (position == 0) is_stale_ = is_stale;
    });
  } else {
    if (kept) options = api::with_analysis_options(options, kept->options);
    analyse(kept);
    session =
        std::make_unique<api::Session>(options, api::choose_ranks(options, prepared.prediction.shared_flops));
  }
  session->write_team(report, options);
  has_tried_unmatched_ = options.sparse.matching || options.method == Method::supernodal;
  has_tried_ruiz_ = options.sparse.scaling.has_value();
  factorize();
  record_analysis_in_timeline();
}

template <class T>
void Factorization<T>::Implementation::analyse(const PatternAnalysis::Implementation* kept) {
  const api::Stopwatch watch;
  interruption.report_progress("analysis", 0, "looking at the entries");
  comm::Tasks tasks(api::analysis_threads(options));
  if (kept) {
    adopt_analysis(*kept, tasks);
  } else {
    api::check_and_sort_matrix(A, api::real_valued_as(options), tasks);
    prepared = api::prepare(A, options, report, &interruption, tasks);
  }
  interruption.report_progress("analysis", 1);
  report.analysis_s = comm::simulated_time() ? unknown : watch.seconds();  // no cost model
  api::choose_factor_storage_within_memory(options, prepared, report, fullest_share_);
}

template <class T>
void Factorization<T>::Implementation::require_factors() const {
  if (has_factors_) return;
  throw Error(Status::bad_input,
              "there are no factors, because the last refactorize failed; call it with a matrix that can be "
              "factorised");
}

template <class T>
template <class F>
void Factorization<T>::Implementation::factorize_in_precision(
    std::unique_ptr<sparse::SparseFactors<F>> Share::*which, bool& has_structure,
    const SparseMatrix<F>& matrix, const std::vector<sparse::RowSlab<F>>& rows) {
  const bool is_again = has_structure;
  has_factors_ = has_structure = false;
  singularity_.reset();
  api::clear_singularity(report);
  const auto memory = api::watched_memory(*session, options, prepared.prediction);
  const auto work = std::make_shared<sparse::WorkDone>();
  session->run([&](comm::Rank& rank, int position) {
    session->clear_record(position);
    const bool is_root = rank.rank() == 0;
    if (is_root) interruption.report_progress("factorisation", 0);
    const MatrixFacts known = api::broadcast_from_root(rank, is_root ? facts() : MatrixFacts{});
    const sparse::FactorPlan plan = api::plan_of(options, known.analysed, ScalarTraits<F>::type);
    if (position == 0) {
      facts_ = known;
      plan_ = std::make_shared<const sparse::FactorPlan>(plan);
    }
    auto& mine = shares_[static_cast<std::size_t>(position)].*which;
    if (!is_again) mine = sparse::make_factors<F>(known.analysed.method);
    const auto report_progress = [&](double share) {
      interruption.report_progress("factorisation", share);
      return true;
    };
    mine->set_watch({.on_progress = is_root ? std::function<bool(double)>(report_progress) : nullptr,
                     .memory = memory,
                     .work = work});
    const sparse::EntrySource<F> entries =
        rows.empty() ? sparse::EntrySource<F>(is_root ? &matrix : nullptr)
                     : sparse::EntrySource<F>(rows[static_cast<std::size_t>(position)]);
    const sparse::Analysis* const its_analysis = is_root ? &prepared.analysis : nullptr;
    if (is_again)
      mine->refactorize(rank, its_analysis, entries, plan);
    else
      mine->factorize(rank, its_analysis, entries, plan);
    session->gather_record(rank, position);
  });
  has_factors_ = has_structure = true;
  is_single_ = !std::is_same_v<F, T>;
  report.precision = api::name(ScalarTraits<F>::type);
}

template <class T>
void Factorization<T>::Implementation::factorize_fully() {
  factorize_in_precision<T>(&Share::full, has_full_, A, slabs);
}

/// Factorise in single precision. Returns false if numbers leave its range or the matrix looks singular, so that factors in double have to
/// decide.
template <class T>
bool Factorization<T>::Implementation::factorize_in_single() {
  using F = Single<T>;
  if constexpr (std::is_same_v<F, T>) {
    throw Error(Status::bad_plan,
                "precision is mixed, but the matrix is in single precision already; use working");
  } else {
    try {
      SparseMatrix<F> single;
      std::vector<sparse::RowSlab<F>> rows(slabs.size());
      session->run([&](comm::Rank& rank, int position) {
        const auto at = static_cast<std::size_t>(position);
        if (is_distributed())
          rows[at] = {slabs[at].bounds, slabs[at].first_row, sparse::convert<F>(slabs[at].rows)};
        else if (rank.rank() == 0)
          single = sparse::convert<F>(A);
      });
      factorize_in_precision<F>(&Share::single, has_single_, single, rows);
      return true;
    } catch (const Error& error) {
      const Status status = error.status();
      if (status == Status::singular || status == Status::bad_input) return false;
      throw;
    }
  }
}

template <class T>
void Factorization<T>::Implementation::record_analysis_in_timeline() {
  if (std::isfinite(report.analysis_s)) session->set_analysis_s(report.analysis_s);
}

template <class T>
void Factorization<T>::Implementation::factorize() {
  report.status = Status::ok;
  report.message.clear();
  session->set_analysis_s(0);
  test_.fill(api::DigitTest::of_any);
  try {
    choose_and_factorize();
    reorder_for_many_factorizations();
    replace_weak_factors();
  } catch (const Error& error) {
    has_factors_ = false;
    report.status = error.status();
    report.message = error.what();
    throw;
  }
}

/// Factorise in single precision or in full precision. If the chosen method has given up or is unsure, factorise by fronts.
template <class T>
void Factorization<T>::Implementation::choose_and_factorize() {
  const api::Stopwatch watch;
  shares_.resize(static_cast<std::size_t>(session->local_ranks()));
  // null pivots decide the rank, which single precision would guess
  const bool is_mixed = options.precision == Precision::mixed && !options.sparse.null_pivots;
  if (!is_mixed || !factorize_in_single()) factorize_fully();
  report.factor_s = watch.seconds();
  write_factor_report();
  api::write_waits_and_messages(report, session->timeline());
  if (has_given_up())
    fall_back_on_fronts(too_much_fill);
  else if (facts_.is_chosen && is_unsure())
    fall_back_on_fronts("a pivot was " + sparse::scientific(stats().smallest.share) +
                        " of the largest entry");
}

/// For a simulation by shapes: set the figures that depend on numbers to unknown, and Report::policy to the assumptions.
template <class T>
void Factorization<T>::Implementation::report_assumptions() {
  report.numerical_rank = -1;
  report.solve_s = unknown;
  report.policy = facts_.analysed.method == Method::supernodal ? sparse::supernodal::phantom_node_policy
                                                               : sparse::multifrontal::phantom_policy;
  if (stats().grid_roots > 0 && facts_.kind != sparse::FactorKind::cholesky)
    report.policy += std::string("; in the root on the grid ") + dense::phantom_pivot_policy;
}

template <class T>
void Factorization<T>::Implementation::write_factor_report() {
  report.n = facts_.n;
  write_factor_counters();
  report.mean_rank = stats().blocks_compressed > 0 ? static_cast<double>(stats().sum_of_ranks) /
                                                         static_cast<double>(stats().blocks_compressed)
                                                   : 0;
  report.factors = to_string(facts_.analysed.is_on_disk ? FactorsIn::disk : FactorsIn::memory);
  const bool is_weak = stats().pivots.rounding > 0;
  report.weak_unknown = is_weak ? stats().smallest.col : -1;
  report.weak_equation = is_weak ? stats().smallest.row : -1;
  const bool has_hidden_rank = is_weak || is_unsure() || stats().pivots.perturbed > 0;
  report.numerical_rank = has_hidden_rank ? -1 : facts_.n - stats().pivots.null;
  if (comm::is_phantom()) report_assumptions();
}

template <class T>
void Factorization<T>::Implementation::write_factor_counters() {
  const Index given = std::max(report.most_entries_of_rank, A.nnz());
  static_cast<SparseFigures&>(report) = stats();
  report.most_entries_of_rank = std::max(report.most_entries_of_rank, given);
}

template <class T>
void Factorization<T>::Implementation::require_full_precision() {
  if (!is_single_) return;
  const api::Stopwatch watch;
  try {
    factorize_fully();
  } catch (...) {
    has_factors_ = true;  // those in single precision are as they were
    throw;
  }
  report.factor_s += watch.seconds();
  write_factor_report();
  if (!has_given_up()) return;
  fall_back_on_fronts(too_much_fill);
  require_full_precision();
}

template <class T>
const std::vector<double>& Factorization<T>::Implementation::row_max() {
  if (row_max_.empty() && session->has_root() && !is_distributed()) row_max_ = api::row_maxima(A);
  return row_max_;
}

template <class T>
void Factorization<T>::Implementation::clear_error_figures() {
  row_max_.clear();
  report.condition_estimate = report.condition_omega1 = report.condition_omega2 = report.forward_error_bound =
      unknown;
}

#define OVERLAPACK_INSTANTIATE(T) template struct Factorization<T>::Implementation;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
