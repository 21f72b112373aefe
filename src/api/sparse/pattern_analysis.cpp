#include "api/sparse/pattern_analysis.hpp"

#include "api/plan/factors_in.hpp"
#include "api/refine/refined_solve.hpp"
#include "api/run/session.hpp"
#include "api/run/stopwatch.hpp"
#include "api/sparse/factor_file.hpp"
#include "api/sparse/same_pattern.hpp"
#include "api/words/analysis_options.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/overlapack.hpp"
#include "sparse/analysis/matching_share.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <optional>
#include <span>
#include <utility>

/// Analyses without factors: overlapack::plan, and analyses that are kept for later factorisations.
namespace overlapack {
namespace api {

template <class T>
std::uint64_t pattern_sum(const SparseMatrix<T>& A) {
  return checksum(std::as_bytes(std::span(A.row)), checksum(std::as_bytes(std::span(A.start))));
}

template <class T>
std::uint64_t value_sum(const SparseMatrix<T>& A) {
  return checksum(std::as_bytes(std::span(A.value)));
}

template <class T>
void check_same_pattern(SparseMatrix<T>& A, const PatternAnalysis::Implementation& kept, comm::Tasks& tasks) {
  const MatrixWords& analysed = kept.matrix;
  if (ScalarTraits<T>::type != analysed.type)
    throw Error(Status::bad_input, "the matrix is of type " + std::string(name(ScalarTraits<T>::type)) +
                                       ", the one that was analysed of type " +
                                       std::string(name(analysed.type)) + "; call analyse for it");
  check_and_sort_matrix(A,
                        analysed.symmetry == Symmetry::hermitian ? sparse::RealValued::hermitian
                                                                 : sparse::RealValued::symmetric,
                        tasks);
  if (A.rows != analysed.n) refuse_order(A.rows, analysed.n, call::analyse);
  if (A.nnz() != analysed.nnz || pattern_sum(A) != kept.pattern_sum)
    refuse_positions(A.nnz(), analysed.nnz, call::analyse);
  if (kept.analysis.kind != sparse::FactorKind::lu && A.symmetry != analysed.symmetry)
    refuse_symmetry(A, analysed.symmetry, call::analyse);
}

template <class T>
std::string describe_matching_misfit(const SparseMatrix<T>& A, const PatternAnalysis::Implementation& kept,
                                     const Options& options) {
  const sparse::AnalysisPlan plan = analysis_plan(options, A.rows, A.symmetry, ScalarTraits<T>::type);
  if (plan.matching == Switch::off) return "";
  const double share = sparse::matching_share(A, kept.analysis);
  if (share >= plan.matching_fits * kept.matching_share) return "";
  return "matched entries are " + sparse::scientific(share) +
         " of the largest of their columns on the average, where " + sparse::scientific(kept.matching_share) +
         " was analysed";
}

Options agree_on_analysis_options(comm::Rank& rank, const Options& given,
                                  const PatternAnalysis::Implementation* kept) {
  const bool is_root = rank.rank() == 0;
  const std::string own = is_root && kept ? analysis_options_json(kept->options) : std::string();
  std::vector<char> text(own.begin(), own.end());
  broadcast_vector_from_root(rank, text);
  if (text.empty()) return given;
  return is_root ? with_analysis_options(given, kept->options)
                 : options_from_json({text.data(), text.size()}, given);
}

void describe_run(Report& report, const FactorPrediction& prediction, const Options& options) {
  report.engine = engine_name(options);
  const bool is_launched_world = report.engine == "mpi" && !options.run.mpi_communicator &&
                                 !options.run.fortran_communicator && options.ranks == 0;
  const int launched = is_launched_world ? launched_processes() : 0;
  report.ranks = launched > 0 ? launched : choose_ranks(options, prediction.shared_flops);
  report.workers = options.workers;
}

namespace {

/// Report a prediction that exceeds the option memory_limit. The memory of this computer does not count, since a plan may be for another
/// one.
void judge_memory(const Options& options, const Prepared& made, Report& report) {
  if (options.run.memory_limit_bytes <= 0) return;
  const std::optional<Error> refusal = refusal_by_memory(options, made);
  if (!refusal) return;
  report.status = refusal->status();
  report.message = refusal->what();
}

/// The work of overlapack::plan.
template <class T>
Prepared planned(SparseMatrix<T>& A, const Options& options, Report& report) {
  check(options);
  const Stopwatch watch;
  Interruption interruption(options);
  interruption.report_progress("analysis", 0, "looking at the entries");
  comm::Tasks tasks(analysis_threads(options));
  check_and_sort_matrix(A, real_valued_as(options), tasks);
  Prepared made = prepare(A, options, report, &interruption, tasks);
  choose_factor_storage(options, made, report);
  judge_memory(options, made, report);
  report.analysis_s = watch.seconds();
  describe_run(report, made.prediction, options);
  return made;
}

template <class T>
std::shared_ptr<const PatternAnalysis::Implementation> kept_analysis(SparseMatrix<T> A,
                                                                     const Options& options) {
  PatternAnalysis::Implementation kept;
  kept.analysis = planned(A, options, kept.report).analysis;
  kept.matrix = words_of(A);
  kept.pattern_sum = pattern_sum(A);
  kept.value_sum = value_sum(A);
  kept.matching_share = sparse::matching_share(A, kept.analysis);
  kept.options = with_analysis_options({}, options);
  return std::make_shared<const PatternAnalysis::Implementation>(std::move(kept));
}

}  // namespace
}  // namespace api

PatternAnalysis::PatternAnalysis(std::shared_ptr<const Implementation> implementation)
    : implementation_(std::move(implementation)) {}

std::vector<Index> PatternAnalysis::order() const {
  return implementation_ ? implementation_->analysis.col_perm : std::vector<Index>();
}

const Report& PatternAnalysis::report() const {
  static const Report& empty = *new Report;
  return implementation_ ? implementation_->report : empty;
}

template <class T>
Report plan(SparseMatrix<T> A, const Options& options) {
  return public_call(call::plan, [&]() -> Report {
    Report report;
    api::planned(A, options, report);
    return report;
  });
}

template <class T>
PatternAnalysis analyse(SparseMatrix<T> A, const Options& options) {
  return public_call(call::analyse, [&] {
    std::shared_ptr<const PatternAnalysis::Implementation> kept;
    api::check_options_together(options);
    from_first_process(options, [&] {
      kept = api::kept_analysis(std::move(A), options);
      return 0;
    });
    return PatternAnalysis(std::move(kept));
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                 \
  template std::uint64_t api::pattern_sum(const SparseMatrix<T>&);                                \
  template std::uint64_t api::value_sum(const SparseMatrix<T>&);                                  \
  template void api::check_same_pattern(SparseMatrix<T>&, const PatternAnalysis::Implementation&, \
                                        comm::Tasks&);                                            \
  template std::string api::describe_matching_misfit(                                             \
      const SparseMatrix<T>&, const PatternAnalysis::Implementation&, const Options&);            \
  template Report plan(SparseMatrix<T>, const Options&);                                          \
  template PatternAnalysis analyse(SparseMatrix<T>, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
