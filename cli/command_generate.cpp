#include "command.hpp"
#include "json_output.hpp"
#include "overlapack/error.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/io.hpp"
#include "problem.hpp"
#include "run_watch.hpp"
#include "text.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace overlapack::cli {
namespace {

struct GenerateArguments {
  std::string kind;
  Index size = 0;
  std::string output;
  std::uint64_t seed = 1;
  Verbosity verbosity;
};

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const auto& kind : sparse::generator_kinds()) names.emplace_back(kind.name);
  return names;
}

std::string list_of_kinds() {
  std::string list = "\nKinds:\n";
  Lines lines;
  for (const auto& kind : sparse::generator_kinds())
    lines.add("  " + std::string(kind.name), std::string(kind.description));
  return list + lines.text();
}

int run_generate(const GenerateArguments& a) {
  RunWatch watch(a.verbosity);
  require_output(watch, a.output, {".mtx", ".mtx.gz"}, "Matrix Market");
  const bool is_piped = is_standard_output(a.output);
  if (is_piped && a.verbosity.json)
    throw Error(Status::bad_plan, "--json and the matrix would both go to standard output; give -o a file");
  watch.begin("generating", a.kind);
  const SparseMatrix<double> A = sparse::generate(a.kind, a.size, a.seed);
  const std::string comment =
      "overlapack generate " + a.kind + " " + std::to_string(a.size) + " --seed " + std::to_string(a.seed);
  watch.begin("writing", a.output);
  io::write_matrix_market(a.output, A, comment);
  watch.clear();
  if (a.verbosity.json)
    print_json({{"status", "ok"}, {"file", a.output}, {"kind", a.kind}, {"n", A.rows}, {"nnz", A.nnz()}});
  else if (a.verbosity.has_report())
    std::fprintf(is_piped ? stderr : stdout, "%s: %s %lld, n = %s, nnz = %s\n",
                 is_piped ? "standard output" : a.output.c_str(), a.kind.c_str(),
                 static_cast<long long>(a.size), whole_text(A.rows).c_str(), whole_text(A.nnz()).c_str());
  return exit_ok;
}

}  // namespace

Command generate_command() {
  auto a = std::make_shared<GenerateArguments>();
  const double largest_seed = 0x1p53, largest_size = 1e6;
  Command command{
      .name = "generate",
      .help = "write a model problem to a Matrix Market file",
      .arguments = {choice_argument("kind", "what it models; see below", kinds(), a->kind, true),
                    count_argument(
                        "size", "points along an edge, or as the kind says", 1, largest_size,
                        [a](Index size) { a->size = size; }, true),
                    file_argument("-o,--output", "file to write: .mtx, .mtx.gz or - (standard output)",
                                  a->output, true),
                    count_argument("--seed", "of the random kinds [1]", 0, largest_seed,
                                   [a](Index seed) { a->seed = static_cast<std::uint64_t>(seed); })},
      .run = [a] { return run_generate(*a); },
      .footer = list_of_kinds()};
  a->verbosity.add_to(command.arguments);
  return command;
}

}  // namespace overlapack::cli
