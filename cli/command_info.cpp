#include "command.hpp"
#include "json_output.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/machine.hpp"
#include "overlapack/option_text.hpp"
#include "overlapack/report.hpp"
#include "text.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace overlapack::cli {
namespace {

struct InfoArguments {
  bool json = false;
  bool options = false;
  bool experiments = false;
  bool report = false;
};

void print_build_json(const BuildInfo& info) {
  nlohmann::ordered_json engines = nlohmann::ordered_json::array();
  for (const auto& engine : info.engines)
    engines.push_back({{"name", engine.name}, {"available", engine.is_available}, {"note", engine.note}});
  print_json({{"status", "ok"},
              {"version", info.version},
              {"compiler", info.compiler},
              {"processors", info.usable_processors},
              {"engines", engines},
              {"blas", info.blas.text()},
              {"blas_level", info.blas.level},
              {"blas_file", info.blas.file},
              {"processor_level", info.blas.processor_level},
              {"small_kernels", info.small_kernels},
              {"types", info.types},
              {"orderings", info.orderings}});
}

/// The text about an engine. OpenSHMEM is in another executable, since no program can load it beside MPI.
std::string engine_text(const EngineInfo& engine) {
  if (engine.is_available) return "yes: " + engine.note;
  if (engine.name != "shmem") return "no: " + engine.note;
  return simulate::own_program("overlapack_shmem").empty()
             ? "no: this overlapack was built without OpenSHMEM"
             : "yes: for jacobi, dense and solve --method jacobi or multisplitting, with --engine shmem";
}

void print_build(const BuildInfo& info) {
  Lines lines;
  lines.add("overlapack", info.version).add("compiler", info.compiler);
  lines.add("processors", std::to_string(info.usable_processors) + " usable");
  for (const auto& engine : info.engines) lines.add("engine " + engine.name, engine_text(engine));
  lines.add("BLAS", info.blas.text() + ", " + info.blas.file).add("small kernels", info.small_kernels);
  if (!info.blas.shortcoming.empty()) lines.add("advice", info.blas.shortcoming);
  lines.add("types", joined(info.types)).add("orderings", joined(info.orderings));
  std::fputs(lines.text().c_str(), stdout);
}

/// The rows of the table of options as JSON: the experiments, or all other options.
std::string schema_text(bool of_experiments) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : nlohmann::ordered_json::parse(options_schema_json()))
    if ((row.at("tier") == "experiment") == of_experiments) rows.push_back(row);
  return rows.dump(2);
}

int run_info(const InfoArguments& a) {
  if (a.options + a.experiments + a.report > 1)
    throw Error(Status::bad_plan, "info prints one table; give --options, --experiments or --report");
  if (a.options || a.experiments) {
    const std::string text = a.json      ? schema_text(a.experiments)
                             : a.options ? options_markdown()
                                         : experiments_markdown();
    std::fputs(text.c_str(), stdout);
    return exit_ok;
  }
  if (a.report) {
    std::fputs(a.json ? report_schema_json().c_str() : report_markdown().c_str(), stdout);
    return exit_ok;
  }
  const BuildInfo info = build_info();
  a.json ? print_build_json(info) : print_build(info);
  return exit_ok;
}

}  // namespace

Command info_command() {
  auto a = std::make_shared<InfoArguments>();
  return {.name = "info",
          .help = "version, engines found, BLAS, kernels, types",
          .arguments =
              {flag("--options", "print the table of options instead (Markdown, or JSON with --json)",
                    a->options),
               flag("--experiments", "print the table of experiments instead (Markdown, or JSON with --json)",
                    a->experiments),
               flag("--report", "print what reports tell instead (Markdown, or JSON with --json)", a->report),
               flag("--json", "print one JSON object", a->json)},
          .run = [a] { return run_info(*a); }};
}

}  // namespace overlapack::cli
