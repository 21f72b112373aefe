#include "any_matrix.hpp"
#include "command.hpp"
#include "json_output.hpp"
#include "overlapack/dispatch.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"
#include "overlapack/overlapack.hpp"
#include "problem.hpp"
#include "report_text.hpp"
#include "run_watch.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <numeric>

namespace overlapack::cli {
namespace {

struct InverseArguments {
  ProblemArguments problem;
  std::string output, at;
  bool diagonal = false;
  Verbosity verbosity;
};

/// Entries of A^-1, on the first process: at A's positions, at those of another matrix, or the diagonal as a column.
template <class T>
struct Inverse {
  SparseMatrix<T> entries;
  std::vector<T> diagonal;
  double seconds = 0;

  Index count() const { return entries.nnz() + static_cast<Index>(diagonal.size()); }
};

/// Set the values of Z to the entries of A^-1 at its positions.
template <class T>
void compute_inverse_entries(Factorization<T>& factors, SparseMatrix<T>& Z) {
  std::vector<Index> cols;
  for (Index j = 0; j < Z.cols; ++j)
    cols.insert(cols.end(), static_cast<std::size_t>(Z.start[j + 1] - Z.start[j]), j);
  Z.value = factors.inverse_entries(Z.row, cols);
}

template <class T>
Inverse<T> inverse_of(const InverseArguments& a, Factorization<T>& factors, SparseMatrix<T> places) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Inverse<T> inverse;
  if (a.diagonal) {
    inverse.diagonal = factors.inverse_diagonal();
  } else if (a.at.empty()) {
    inverse.entries = factors.selected_inverse();
  } else {
    inverse.entries = std::move(places);
    compute_inverse_entries(factors, inverse.entries);
  }
  inverse.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return inverse;
}

template <class T>
void write_entries(const InverseArguments& a, const Inverse<T>& inverse) {
  const auto rows = static_cast<Index>(inverse.diagonal.size());
  if (a.diagonal && a.output.ends_with(".npy"))
    io::write_npy(a.output, std::span<const T>(inverse.diagonal), rows);
  else if (a.diagonal)
    io::write_matrix_market(a.output, std::span<const T>(inverse.diagonal), rows,
                            "the diagonal of the inverse, by overlapack inverse");
  else
    io::write_matrix_market(a.output, inverse.entries, "entries of the inverse, by overlapack inverse");
}

template <class T>
void print_inverse(const InverseArguments& a, const Problem& problem, const Report& report,
                   const Inverse<T>& inverse) {
  if (a.verbosity.json) {
    nlohmann::ordered_json all = json_of(report, problem.path, problem.read_s, problem.matrix.facts);
    all["inverse_entries"] = inverse.count();
    all["inverse_s"] = inverse.seconds;
    return print_json(all);
  }
  if (!a.verbosity.has_report()) return;
  std::FILE* const out = is_standard_output(a.output) ? stderr : stdout;
  std::fputs(facts_text(problem.path, report, problem.matrix.facts).c_str(), out);
  std::fprintf(out, "inverse        %lld entries in %.3g s\n", static_cast<long long>(inverse.count()),
               inverse.seconds);
  if (!is_standard_output(a.output)) std::fprintf(out, "written to %s\n", a.output.c_str());
}

/// The matrix of --at, whose positions are those of the result.
/// Errors  BadInput: it does not have A's shape
template <class T>
SparseMatrix<T> places_of(const InverseArguments& a, Index order) {
  if (a.at.empty() || !is_root_process()) return {};
  io::MatrixFile file = io::read_matrix(a.at);
  if (file.rows != order || file.cols != order)
    throw Error(Status::bad_input, a.at + " is " + std::to_string(file.rows) + " x " +
                                       std::to_string(file.cols) + ", the matrix of order " +
                                       std::to_string(order) +
                                       "; give a matrix of that order, whose places count");
  SparseMatrix<T> places;
  places.rows = places.cols = order;
  std::visit(
      [&](auto& matrix) { places.start = std::move(matrix.start), places.row = std::move(matrix.row); },
      file.matrix);
  return places;
}

template <class T>
int inverse_as(const InverseArguments& a, const Options& options, Problem problem, RunWatch& watch) {
  SparseMatrix<T> A, places;
  const auto read = [&] {
    if (!is_root_process()) return;
    A = io::matrix_as<T>(std::move(problem.matrix.matrix));
    places = places_of<T>(a, A.rows);
  };
  refuse_together(options, read);
  Factorization<T> factors = factorize(std::move(A), options);
  const Inverse<T> inverse = inverse_of<T>(a, factors, std::move(places));
  const Report& report = factors.report();
  if (!is_root_process()) return exit_code(report.status);
  watch.begin("writing", a.output);
  write_entries(a, inverse);
  watch.clear();
  print_inverse(a, problem, report, inverse);
  std::fputs(problems_text(report).c_str(), stderr);
  return exit_code(report.status);
}

/// Check that the arguments ask for one result.
/// Errors  BadPlan: they exclude each other
void require_one_result(const InverseArguments& a) {
  if (a.diagonal && !a.at.empty())
    throw Error(Status::bad_plan, "--diagonal and --at are two results; give one of them");
  if (a.verbosity.json && is_standard_output(a.output))
    throw Error(Status::bad_plan,
                "--json and the entries would both go to standard output; give --output a file");
  if (io::names_parts(a.problem.matrix))
    throw Error(Status::bad_plan, "inverse takes a matrix in one file; put the parts together");
}

int run_inverse(const InverseArguments& a, Options options) {
  if (is_bystander(options)) return exit_ok;
  RunWatch watch(a.verbosity);
  require_one_result(a);
  options.progress = watch.callback();
  watch.begin("reading", a.problem.matrix);
  Problem problem = read_problem(a.problem, options, [&] {
    require_inputs_stay(a.problem, a.output);
    if (a.diagonal)
      require_output(watch, a.output, {".mtx", ".mtx.gz", ".npy"}, "Matrix Market, or NumPy's");
    else
      require_output(watch, a.output, {".mtx", ".mtx.gz"}, "Matrix Market");
  });
  const ScalarType type = problem.type;
  return dispatch(type, [&]<class T>() { return inverse_as<T>(a, options, std::move(problem), watch); });
}

}  // namespace

Command inverse_command() {
  auto a = std::make_shared<InverseArguments>();
  auto flags = std::make_shared<OptionFlags>();
  Command command{
      .name = "inverse",
      .help = "entries of the inverse of a sparse matrix: where the matrix has entries, or its diagonal",
      .arguments = {file_argument("matrix", "as for solve", a->problem.matrix, true),
                    file_argument(
                        "-o,--output",
                        "write the entries: .mtx, .mtx.gz, of the diagonal also .npy; - is standard output",
                        a->output, true),
                    flag("--diagonal", "the n diagonal entries, as a column", a->diagonal),
                    file_argument("--at",
                                  "the entries at the places of this matrix, whose numbers do not count",
                                  a->at),
                    type_argument("compute in this type [the file's]", a->problem.type)},
      .run = [a, flags] { return run_inverse(*a, flags->options()); },
      .footer = "Without --diagonal and --at: A^-1 at (j, i) for each entry (i, j) of A, and its diagonal.",
      .is_parallel = true};
  a->verbosity.add_to(command.arguments);
  flags->add_to(command.arguments, "solve");
  return command;
}

}  // namespace overlapack::cli
