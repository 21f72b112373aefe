#include "any_matrix.hpp"
#include "command.hpp"
#include "json_output.hpp"
#include "overlapack/benchmark.hpp"
#include "report_text.hpp"
#include "run_watch.hpp"
#include "text.hpp"
#include "trace_files.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace overlapack::cli {
namespace {

struct DenseArguments {
  Index n = 0;
  Index rows = 0;
  std::string type = "float64";
  std::uint64_t seed = 1;
  TraceFiles traces;
  Verbosity verbosity;
};

int run_dense(const DenseArguments& a, Options options) {
  if (is_bystander(options)) return exit_ok;
  RunWatch watch(a.verbosity);
  options.run.trace = a.traces.wants_events();
  if (is_root_process()) a.traces.require_writable(watch);
  const FactorKind kind = options.factorization.value_or(FactorKind::lu);
  const bool is_qr = kind == FactorKind::qr, is_cholesky = kind == FactorKind::cholesky;
  const Index rows = a.rows > 0 ? a.rows : a.n;
  if (rows != a.n && !is_qr)
    throw Error(Status::bad_plan, "rows is " + std::to_string(rows) +
                                      ", but only qr takes a matrix that is not square; leave --rows out, or "
                                      "give --factorization qr");
  const ScalarType type = type_from(a.type).value_or(ScalarType::float64);
  watch.begin("computing", "n = " + whole_text(a.n));
  const benchmark::Run done = is_qr         ? benchmark::qr(rows, a.n, type, a.seed, options)
                              : is_cholesky ? benchmark::cholesky(a.n, type, a.seed, options)
                                            : benchmark::dense(a.n, type, a.seed, options);
  watch.clear();
  if (is_root_process()) {
    a.traces.write(done.timeline, "dense " +
                                      std::string(is_qr         ? "QR"
                                                  : is_cholesky ? "Cholesky"
                                                                : "LU") +
                                      ", n = " + std::to_string(a.n));
    const std::string text = a.verbosity.json ? json_text(json_of(done.report))
                                              : (a.verbosity.is_quiet ? "" : dense_text(done.report)) +
                                                    a.traces.tables(done.timeline, done.report);
    std::fputs(text.c_str(), stdout);
    std::fputs(problems_text(done.report).c_str(), stderr);
  }
  return exit_code(done.report.status);
}

}  // namespace

Command dense_command() {
  auto a = std::make_shared<DenseArguments>();
  auto flags = std::make_shared<OptionFlags>();
  const double largest_n = 0x1p31 - 1, largest_seed = 0x1p53;
  Command command{
      .name = "dense",
      .help = "factorise and solve a random dense system, and tell how fast and how well",
      .arguments = {count_argument(
                        "--n", "order of the matrix", 0, largest_n, [a](Index n) { a->n = n; }, true),
                    count_argument("--rows", "of the matrix, with --factorization qr [n]", 0, largest_n,
                                   [a](Index rows) { a->rows = rows; }),
                    type_argument("of the numbers, also s, d, c, z [float64]", a->type),
                    count_argument("--seed", "of the random matrix [1]", 0, largest_seed,
                                   [a](Index seed) { a->seed = static_cast<std::uint64_t>(seed); })},
      .run = [a, flags] { return run_dense(*a, flags->options()); },
      .is_parallel = true};
  a->verbosity.add_to(command.arguments);
  a->traces.add_to(command.arguments);
  flags->add_to(command.arguments, "dense");
  return command;
}

}  // namespace overlapack::cli
