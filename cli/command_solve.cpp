#include "any_matrix.hpp"
#include "bug_report.hpp"
#include "command.hpp"
#include "explanation.hpp"
#include "history_files.hpp"
#include "json_output.hpp"
#include "overlapack/dense.hpp"
#include "overlapack/dispatch.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/io.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/multiply.hpp"
#include "overlapack/pattern_analysis.hpp"
#include "problem.hpp"
#include "report_text.hpp"
#include "run_watch.hpp"
#include "trace_files.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace overlapack::cli {
namespace {

struct SolveArguments {
  ProblemArguments problem;
  std::string output, analysis;
  std::string op = "none";
  TraceFiles traces;
  HistoryFiles histories;
  Verbosity verbosity;
  bool explain = false, reports_bug = false;
};

Transpose transpose_from(const std::string& name) {
  if (name == "trans") return Transpose::trans;
  return name == "conj_trans" ? Transpose::conj_trans : Transpose::none;
}

/// The right-hand side: from the file or, without one, op(A) * ones, whose solution is known.
template <class T>
std::vector<T> right_hand_side_of(const Problem& problem, const SparseMatrix<T>& A, Transpose op) {
  if (problem.right_hand_side) return io::values_as<T>(problem.right_hand_side->array);
  if (A.rows != A.cols) return std::vector<T>(static_cast<std::size_t>(A.rows));  // refused later
  return multiply<T>(A, std::vector<T>(static_cast<std::size_t>(A.cols), T(1)), op);
}

/// max |x - 1|, the error of x if the true x is all ones.
template <class T>
double distance_to_ones(const std::vector<T>& x) {
  double most = 0;
  for (const T& v : x) {
    const double distance = std::abs(v - T(1));
    if (!(distance <= most)) most = distance;  // keeps NaN
  }
  return most;
}

template <class T>
void write_solution(const std::string& path, const std::vector<T>& x, Index rows) {
  if (path.ends_with(".npy"))
    io::write_npy(path, std::span<const T>(x), rows);
  else
    io::write_matrix_market(path, std::span<const T>(x), rows, "solution, by overlapack solve");
}

/// Whether x is written to a file. It is not if a column has no solution.
bool is_written(const SolveArguments& a, const Report& report) {
  return !a.output.empty() && report.unsolved_columns == 0;
}

/// The stream of the report: standard output or, if x goes there, standard error.
std::FILE* report_stream(const SolveArguments& a) { return is_standard_output(a.output) ? stderr : stdout; }

void print(const SolveArguments& a, const Problem& problem, const Report& report) {
  if (a.verbosity.json) {
    print_json(json_of(report, problem.path, problem.read_s, problem.matrix.facts));
    return;
  }
  std::FILE* const out = report_stream(a);
  const bool has_report = a.verbosity.has_report();
  if (has_report) {
    std::fputs(facts_text(problem.path, report, problem.matrix.facts).c_str(), out);
    std::fputs(solve_text(report).c_str(), out);
  }
  if (a.explain)
    std::fprintf(out, "%s%s%s", has_report ? "\n" : "", explanation(report).c_str(),
                 explain_zeros(problem.matrix.facts.explicit_zeros, problem.parts.empty()).c_str());
  if (!has_report || a.output.empty() || is_standard_output(a.output)) return;
  const bool has_file = is_written(a, report);
  std::fprintf(out, "x %swritten to %s%s\n", has_file ? "" : "not ", a.output.c_str(),
               has_file ? "" : ", since columns have no solution");
}

/// Solve with the factors, write x and the other files, and print the report. Returns the exit code.
template <class T>
int finish(const SolveArguments& a, const Problem& problem, Index rows, const std::vector<T>& b,
           Factors<T>&& factors, RunWatch& watch) {
  const Index columns = problem.right_hand_side ? problem.right_hand_side->cols : 1;
  Solution<T> solution = factors.solve(b, columns, transpose_from(a.op));
  if (!is_root_process()) return exit_code(solution.report.status);
  if (!problem.right_hand_side && solution.report.policy.empty())
    solution.report.forward_error = distance_to_ones(solution.x);
  if (is_written(a, solution.report)) {
    watch.begin("writing", a.output);
    write_solution(a.output, solution.x, rows);
  }
  a.traces.write(factors.timeline(), a.problem.matrix);
  a.histories.write(solution.report);
  watch.clear();
  print(a, problem, solution.report);
  if (!a.verbosity.json)
    std::fputs(a.traces.tables(factors.timeline(), solution.report).c_str(), report_stream(a));
  std::fputs(problems_text(solution.report).c_str(), stderr);
  return exit_code(solution.report.status);
}

/// Solve with an A that has one file for each rank.
template <class T>
int solve_parts_as(const SolveArguments& a, const Options& options, Problem problem, RunWatch& watch) {
  std::vector<Triplets<T>> parts;
  for (io::MatrixFile& part : problem.parts)
    parts.push_back(triplets_of(io::matrix_as<T>(std::move(part.matrix))));
  std::vector<T> b;
  if (!a.problem.right_hand_side.empty()) {
    if (is_root_process()) b = io::values_as<T>(problem.right_hand_side->array);
  } else {
    b = row_sums(parts, options, transpose_from(a.op));
  }
  const Index rows = parts.front().rows;
  return finish<T>(a, problem, rows, b, factorize_distributed(std::move(parts), options), watch);
}

template <class T>
int solve_as(const SolveArguments& a, const Options& options, Problem problem, RunWatch& watch) {
  if (!problem.parts.empty()) return solve_parts_as<T>(a, options, std::move(problem), watch);
  SparseMatrix<T> A;
  std::vector<T> b;
  if (is_root_process()) {
    A = io::matrix_as<T>(std::move(problem.matrix.matrix));
    drop_zeros(A);
    b = right_hand_side_of(problem, A, transpose_from(a.op));
  }
  const Index rows = A.rows, cols = A.cols;
  if (options.method == Method::dense) {
    const std::vector<T> values = dense_columns(A);
    A = {};
    const dense::View<T> view{values.data(), rows, cols, rows};
    if (options.factorization == FactorKind::cholesky)
      return finish<T>(a, problem, rows, b, dense::cholesky_factor<T>(view, options, dense::Stored::whole),
                       watch);
    if (options.factorization == FactorKind::qr)
      return finish<T>(a, problem, cols, b, dense::qr_factor<T>(view, options), watch);
    return finish<T>(a, problem, rows, b, dense::lu_factor<T>(view, options), watch);
  }
  if (iterative::is_iterative(options.method))
    return finish<T>(a, problem, rows, b, iterative::iteration(std::move(A), options), watch);
  if (a.analysis.empty()) return finish<T>(a, problem, rows, b, factorize(std::move(A), options), watch);
  const PatternAnalysis analysis = load_analysis(a.analysis, options);
  return finish<T>(a, problem, rows, b, factorize(std::move(A), analysis, options), watch);
}

/// Check that the run can use the file of an analysis.
/// Errors  BadPlan: the run makes no sparse factorisation of one matrix file
void require_analysis_fits(const SolveArguments& a, const Options& options) {
  if (a.analysis.empty()) return;
  const bool is_sparse = options.method != Method::dense && !iterative::is_iterative(options.method);
  if (!is_sparse || io::names_parts(a.problem.matrix))
    throw Error(Status::bad_plan,
                "--analysis is for factors of a sparse matrix in one file; leave it out for methods dense, "
                "jacobi and "
                "multisplitting, and for a matrix in parts");
}

/// Check that a run by shapes (--phantom) needs no values.
/// Errors  BadPlan: something needs values, or the method cannot run by shapes
void require_numbers(const SolveArguments& a, const Options& options) {
  if (!is_phantom()) return;
  const auto refuse = [](const std::string& what) {
    throw Error(Status::bad_plan, what + "; leave --phantom out, so that numbers are computed");
  };
  const Method method = options.method.value_or(Method::multifrontal);
  if (method != Method::multifrontal && method != Method::supernodal)
    refuse("--phantom knows the methods multifrontal and supernodal, and this is " +
           std::string(to_string(options.method)));
  if (io::names_parts(a.problem.matrix)) refuse("--phantom takes a matrix in one file");
  if (!a.output.empty()) refuse("--phantom computes no x that could be written");
}

/// Check that not both JSON and x go to standard output.
/// Errors  BadPlan
void require_one_output(const SolveArguments& a) {
  if (a.verbosity.json && is_standard_output(a.output))
    throw Error(Status::bad_plan, "--json and x would both go to standard output; give --output a file");
}

/// Check that --explain is possible.
/// Errors  BadPlan: --explain with JSON, or without sparse factors that have values
void require_explicable(const SolveArguments& a, const Options& options) {
  if (!a.explain) return;
  const bool is_sparse = options.method != Method::dense && !iterative::is_iterative(options.method);
  if (!is_sparse || is_phantom() || a.verbosity.json)
    throw Error(
        Status::bad_plan,
        "--explain tells in words of factors of a sparse matrix; leave it out with --json, --phantom and the "
        "methods dense, jacobi and multisplitting");
}

int run_solve(const SolveArguments& a, Options options) {
  if (is_bystander(options)) return exit_ok;
  RunWatch watch(a.verbosity);
  require_explicable(a, options);
  require_analysis_fits(a, options);
  require_one_output(a);
  require_numbers(a, options);
  options.run.trace = a.traces.wants_events();
  options.progress = watch.callback();
  if (a.reports_bug) watch.on_stop(bug_report(a.problem.matrix, options, "stopped by a signal"));
  watch.begin("reading", a.problem.matrix);
  Problem problem = read_problem(a.problem, options, [&] {
    if (!a.output.empty()) {
      require_inputs_stay(a.problem, a.output);
      require_output(watch, a.output, {".mtx", ".mtx.gz", ".npy"}, "Matrix Market, or an array for NumPy");
    }
    a.traces.require_writable(watch);
    a.histories.require_writable(watch, options.method);
  });
  const ScalarType type = problem.type;
  if (!problem.signs.empty()) options.sparse.signs = problem.signs;
  return dispatch(type, [&]<class T>() { return solve_as<T>(a, options, std::move(problem), watch); });
}

/// run_solve for --report-bug: if the run fails, it prints the block of a bug report to standard error.
int run_solve_with_report(const SolveArguments& a, const Options& options) {
  const auto tell = [&](const std::string& ended) {
    if (is_root_process()) std::fputs(bug_report(a.problem.matrix, options, ended).c_str(), stderr);
  };
  try {
    const int code = run_solve(a, options);
    if (code != exit_ok) tell("exit code " + std::to_string(code));
    return code;
  } catch (...) {
    const Error error = error_of(std::current_exception());
    const std::string where(error.where());
    tell(std::string(to_string(error.status())) + (where.empty() ? "" : " in " + where) + ": " +
         error.what());
    throw;
  }
}

}  // namespace

Command solve_command() {
  auto a = std::make_shared<SolveArguments>();
  auto flags = std::make_shared<OptionFlags>();
  Command command{
      .name = "solve",
      .help = "solve A x = b for a sparse matrix from a file",
      .arguments =
          {file_argument("matrix",
                         "Matrix Market, Harwell- or Rutherford-Boeing or SciPy .npz, also .gz; - is "
                         "standard input; with %r in its name a file of each "
                         "rank, whose entries are added up",
                         a->problem.matrix, true),
           file_argument("--rhs", "right-hand sides; default: A (or its transpose) * ones, to know the error",
                         a->problem.right_hand_side),
           file_argument("-o,--output",
                         "write x: .mtx, .mtx.gz, .npy, or - (standard output, the report to standard error)",
                         a->output),
           file_argument(
               "--analysis",
               "factorise by this analysis of a matrix with the same pattern, which plan --output kept",
               a->analysis),
           file_argument(
               "--signs",
               "factorization quasidefinite: the signs of the pivots, a vector of +1 and -1; default: those "
               "of the diagonal",
               a->problem.signs),
           type_argument("compute in this type [the file's]", a->problem.type),
           choice_argument("--transpose", "solve with A^T (trans) or A^H (conj_trans) [none]",
                           {"none", "trans", "conj_trans"}, a->op),
           flag("--explain", "say in plain words what was chosen and why, what it cost and what to try",
                a->explain),
           flag("--report-bug",
                "where it does not end well, print version, machine, options and error as one block to paste",
                a->reports_bug)},
      .run =
          [a, flags] {
            return a->reports_bug ? run_solve_with_report(*a, flags->options())
                                  : run_solve(*a, flags->options());
          },
      .is_parallel = true};
  a->verbosity.add_to(command.arguments);
  a->traces.add_to(command.arguments);
  a->histories.add_to(command.arguments);
  flags->add_to(command.arguments, "solve");
  return command;
}

}  // namespace overlapack::cli
