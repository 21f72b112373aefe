#include "any_matrix.hpp"
#include "api/dense/dense_report.hpp"
#include "api/hpl/linpack.hpp"
#include "api/options_table.hpp"
#include "api/report_figures.hpp"
#include "api/session.hpp"
#include "command.hpp"
#include "report_text.hpp"
#include "trace_files.hpp"

#include <cstdio>
#include <limits>

namespace overlapack::cli {
namespace {

struct DenseArguments {
  Index n = 0;
  std::string type = "float64";
  std::uint64_t seed = 1;
  TraceFiles traces;
  bool json = false;
};

/// One solve on every rank; the result is the same on all of them.
template <class T>
api::LinpackResult solve(api::Session& session, const api::LinpackProblem& problem) {
  api::LinpackResult result;
  session.run([&](comm::Rank& rank, int place) {
    const api::LinpackResult mine =
        api::run_linpack<T>(rank, problem, [&] { session.gather_record(rank, place); });
    const dense::ResidualNorms norms = api::from_root(rank, mine.norms);
    if (place == 0) result = mine, result.norms = norms;
  });
  return result;
}

void print(const DenseArguments& a, const Report& report, const trace::Timeline& timeline) {
  if (a.json)
    std::printf("%s\n", to_json(report).c_str());
  else
    std::fputs((dense_text(report) + a.traces.table(timeline)).c_str(), stdout);
}

template <class T>
int run_as(const DenseArguments& a, const Options& options) {
  const double flops = api::lu_flops(a.n, ScalarTraits<T>::is_complex);
  const bool is_mpi = api::engine_name(options) == "mpi";
  api::Session session(options, is_mpi ? options.ranks : api::choose_dense_ranks(options, flops));
  const api::DensePlan plan =
      api::make_dense_plan(options, a.n, session.ranks(), std::numeric_limits<Real<T>>::epsilon());
  api::LinpackProblem problem{.n = a.n,
                              .block = plan.block,
                              .grid = plan.grid,
                              .plan = plan.lu,
                              .seed = a.seed,
                              .memory_limit_bytes = static_cast<double>(options.run.memory_limit_bytes)};
  problem.plan.exchange_left = false;  // nobody solves with L again
  Report report = api::linpack_report(problem, ScalarTraits<T>::type, solve<T>(session, problem));
  if (is_root_process()) {
    session.describe(report, options);
    api::take(report, session.timeline());
    a.traces.write(session.timeline(), "dense LU, n = " + std::to_string(a.n));
    print(a, report, session.timeline());
    if (report.status != Status::ok) std::fprintf(stderr, "overlapack: %s\n", report.message.c_str());
  }
  return report.status == Status::ok ? exit_ok : exit_inaccurate;
}

int run(const DenseArguments& a, Options options) {
  options.run.trace = a.traces.wants_events();
  if (is_root_process()) a.traces.require_writable();
  const ScalarType type = type_from(a.type).value_or(ScalarType::float64);
  return dispatch(type, [&]<class T>() { return run_as<T>(a, options); });
}

}  // namespace

Command dense_command() {
  auto a = std::make_shared<DenseArguments>();
  auto flags = std::make_shared<OptionFlags>();
  const double largest_n = 0x1p31 - 1, largest_seed = 0x1p53;
  Command command{
      .name = "dense",
      .help = "factorise and solve a random dense system, and tell how fast and how well",
      .arguments = {number_argument(
                        "--n", "order of the matrix", 0, largest_n,
                        [a](double n) { a->n = static_cast<Index>(n); }, true),
                    text_argument("--type", "s, d, c, z, or float32, float64, complex64, complex128 [d]",
                                  a->type),
                    number_argument("--seed", "of the random matrix [1]", 0, largest_seed,
                                    [a](double seed) { a->seed = static_cast<std::uint64_t>(seed); }),
                    flag("--json", "print one JSON object", a->json)},
      .run = [a, flags] { return run(*a, flags->options()); },
      .is_parallel = true};
  a->traces.add_to(command.arguments);
  flags->add_to(command.arguments, api::command_dense);
  return command;
}

}  // namespace overlapack::cli
