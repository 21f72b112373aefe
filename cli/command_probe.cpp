#include "api/options_table.hpp"
#include "api/output_file.hpp"
#include "api/probe/kernels.hpp"
#include "api/probe/messages.hpp"
#include "api/probe/opposite_phases.hpp"
#include "api/session.hpp"
#include "api/simulate/measured_machine.hpp"
#include "comm/team.hpp"
#include "command.hpp"
#include "overlapack/error.hpp"
#include "text.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <optional>

namespace overlapack::cli {
namespace {

using nlohmann::ordered_json;

struct ProbeArguments {
  std::string engine = "auto";
  bool kernels_only = false;
  bool phases_only = false;
  int ranks = 2;
  int ranks_per_node = 2;
  api::PhaseTasks tasks;
  Index n = 0;  ///< of the dense systems that the model is compared with; 0: none
  double nap_s = 0.12;
  std::size_t largest_bytes = std::size_t{1} << 22;
  std::string machine_file;
  bool json = false;
};

struct Findings {
  std::string engine;
  int ranks = 1;
  std::vector<api::MessageRate> messages;
  std::vector<api::NapTest> naps;
  std::vector<api::MeasuredKernel> kernels;
  std::vector<api::KernelModel> models;
  double triad_bytes_per_s = 0;
  std::optional<dense::OverlapSpeedups> phases;
  std::vector<api::SavingRow> savings;
};

/// Whether the ranks are whole nodes of ranks_per_node: then phases can be opposite.
bool has_node_mates(const ProbeArguments& a, int ranks) {
  return a.ranks_per_node >= 2 && ranks % a.ranks_per_node == 0;
}

void measure_phases(const ProbeArguments& a, api::Session& session, Findings& found) {
  session.run([&](comm::Rank& rank, int place) {
    const auto speedups = api::opposite_phase_speedups(rank, a.ranks_per_node, a.tasks);
    if (place == 0) found.phases = speedups;
  });
  for (const Index n : {a.n / 4, a.n / 2, a.n})
    if (n > 0)
      found.savings.push_back(
          api::measured_saving(session, n, a.tasks.width, a.ranks_per_node, *found.phases, 3));
}

Findings measure(const ProbeArguments& a) {
  Findings found;
  Options options;
  api::set_from_text(options, *api::find_option("engine"), a.engine);
  found.engine = api::engine_name(options);
  const bool is_mpi = found.engine == "mpi";
  api::Session session(options, is_mpi ? 0 : a.ranks);
  found.ranks = session.ranks();
  if (!a.kernels_only && (a.phases_only || has_node_mates(a, session.ranks())))
    measure_phases(a, session, found);
  if (a.phases_only) return found;
  if (is_root_process() && !comm::simulated_time())
    found.models = api::kernel_models();  // of the computer that is here
  session.run([&](comm::Rank& rank, int) {
    if (rank.rank() == 0) {
      found.kernels = api::kernel_rates();
      found.triad_bytes_per_s = api::triad_bytes_per_s();
    }
    if (a.kernels_only || rank.size() < 2) return;
    auto messages = api::ping_pong(rank, a.largest_bytes);
    auto naps = api::nap_tests(rank, a.nap_s);
    if (rank.rank() != 0) return;
    found.messages = std::move(messages);
    found.naps = std::move(naps);
  });
  return found;
}

std::string signed_seconds_text(double s) {
  return std::string(s < 0 ? "-" : "").append(seconds_text(s < 0 ? -s : s));
}

void print_phases(const Findings& found) {
  if (!found.phases) return;
  std::printf("\nOpposite phases of node mates, engine %s (paper 2, Fig. 8)\nS_m %.2f  S_p %.2f\n",
              found.engine.c_str(), found.phases->communication, found.phases->computation);
  if (found.savings.empty()) return;
  Table table({"n", "T_m", "T_p", "T_overlap", "dT model", "dT measured", "S model"});
  char speedup[16];
  for (const auto& row : found.savings) {
    std::snprintf(speedup, sizeof speedup, "%.3f", row.model.speedup);
    table.add({std::to_string(row.n), seconds_text(row.communication_s), seconds_text(row.computation_s),
               seconds_text(row.model.overlap_s), seconds_text(row.model.saved_s),
               signed_seconds_text(row.measured_s), speedup});
  }
  std::printf("%s", table.text().c_str());
}

void print_models(const Findings& found) {
  Table table({"kernel", "mnk", "mn", "mk", "nk", "1", "deviation", "rate"});
  for (const api::KernelModel& model : found.models) {
    std::vector<std::string> row{model.kernel};
    char cell[32];
    for (const double c : model.coefficients) {
      std::snprintf(cell, sizeof cell, "%.3g", c);
      row.push_back(model.has_coefficients ? cell : "-");
    }
    std::snprintf(cell, sizeof cell, "%.1f %%", 100 * model.mean_deviation);
    row.push_back(model.has_coefficients ? cell : "-");
    row.push_back(rate_text(model.flops_per_s, 1));
    table.add(row);
  }
  std::printf("\nSeconds of kernels, fitted (docs/simulate.md)\n%s", table.text().c_str());
}

void print_text(const Findings& found) {
  if (found.kernels.empty()) return print_phases(found);
  Table kernels({"kernel", "shape", "time", "rate"});
  for (const auto& k : found.kernels)
    kernels.add({k.kernel, k.shape, seconds_text(k.seconds), rate_text(k.flops, k.seconds)});
  std::printf("One core, double\n%s\nSTREAM triad  %s/s\n", kernels.text().c_str(),
              bytes_text(found.triad_bytes_per_s).c_str());
  if (!found.models.empty()) print_models(found);
  if (found.messages.empty()) return print_phases(found);
  Table messages({"bytes", "latency", "bandwidth"});
  for (const auto& m : found.messages)
    messages.add(
        {bytes_text(double(m.bytes)), seconds_text(m.latency_s), bytes_text(m.bytes_per_s()) + "/s"});
  std::printf("\nMessages between two ranks, engine %s\n%s", found.engine.c_str(), messages.text().c_str());
  Table naps({"bytes", "arrives, sender away", "leaves, receiver away", "hidden, both away"});
  for (const auto& t : found.naps)
    naps.add({bytes_text(double(t.bytes)), t.arrives_with_sender_away ? "yes" : "no",
              t.leaves_with_receiver_away ? "yes" : "no",
              std::to_string(static_cast<int>(100 * t.hidden)) + " %"});
  std::printf("\nProgress without calls (nap tests)\n%s", naps.text().c_str());
  print_phases(found);
}

void print_json(const Findings& found) {
  ordered_json object{
      {"status", "ok"}, {"engine", found.engine}, {"triad_bytes_per_s", found.triad_bytes_per_s}};
  for (const auto& k : found.kernels)
    object["kernels"].push_back({{"kernel", k.kernel},
                                 {"shape", k.shape},
                                 {"seconds", k.seconds},
                                 {"flops_per_s", k.flops / k.seconds}});
  for (const auto& model : found.models) {
    ordered_json one{{"kernel", model.kernel}, {"flops_per_s", model.flops_per_s}};
    if (model.has_coefficients) {
      one["coefficients"] = model.coefficients;
      one["mean_deviation"] = model.mean_deviation;
    }
    object["kernel_models"].push_back(one);
  }
  for (const auto& m : found.messages)
    object["messages"].push_back(
        {{"bytes", m.bytes}, {"latency_s", m.latency_s}, {"bytes_per_s", m.bytes_per_s()}});
  for (const auto& t : found.naps)
    object["nap_tests"].push_back({{"bytes", t.bytes},
                                   {"arrives_with_sender_away", t.arrives_with_sender_away},
                                   {"leaves_with_receiver_away", t.leaves_with_receiver_away},
                                   {"hidden", t.hidden}});
  if (found.phases) {
    object["s_m"] = found.phases->communication;
    object["s_p"] = found.phases->computation;
  }
  for (const auto& row : found.savings)
    object["savings"].push_back({{"n", row.n},
                                 {"t_m_s", row.communication_s},
                                 {"t_p_s", row.computation_s},
                                 {"t_overlap_s", row.model.overlap_s},
                                 {"model_saved_s", row.model.saved_s},
                                 {"measured_saved_s", row.measured_s},
                                 {"model_speedup", row.model.speedup}});
  std::printf("%s\n", object.dump(2).c_str());
}

void write_machine(const std::string& path, const Findings& found) {
  const std::string name = std::filesystem::path(path).stem().string();
  const api::MeasuredMachine machine{
      found.models, found.triad_bytes_per_s, found.messages, found.naps, found.engine, found.ranks};
  api::write_file(path, [&](auto& out) { out << api::machine_json(machine, name); });
}

int run(const ProbeArguments& a) {
  if (!a.machine_file.empty() && a.phases_only)
    throw Error(ErrorKind::bad_plan, "probe",
                "--phases measures no kernels; leave it out to write a machine file");
  if (!a.machine_file.empty() && comm::simulated_time())
    throw Error(ErrorKind::bad_plan, "probe",
                "a simulated machine has a file already; probe the computer itself");
  if (!a.machine_file.empty() && is_root_process()) api::require_writable(a.machine_file);
  const Findings found = measure(a);
  if (!is_root_process()) return exit_ok;
  if (!a.machine_file.empty()) write_machine(a.machine_file, found);
  a.json ? print_json(found) : print_text(found);
  return exit_ok;
}

}  // namespace

Command probe_command() {
  auto a = std::make_shared<ProbeArguments>();
  return {.name = "probe",
          .help = "measure this machine: messages, overlap, kernels, memory",
          .arguments = {text_argument("--engine", "auto, thread or mpi [auto]", a->engine),
                        flag("--kernels", "kernels and memory only", a->kernels_only),
                        flag("--phases", "opposite phases of node mates only (S_m, S_p)", a->phases_only),
                        number_argument("--ranks", "ranks, without MPI [2]", 2, 4096,
                                        [a](double r) { a->ranks = int(r); }),
                        number_argument("--ranks-per-node", "ranks that share a node [2]", 1, 4096,
                                        [a](double r) { a->ranks_per_node = int(r); }),
                        number_argument("--panel-rows", "rows of the panels in the phases [3000]", 1, 1e6,
                                        [a](double m) { a->tasks.rows = Index(m); }),
                        number_argument("--panel-columns", "columns of the panels in the phases [112]", 1,
                                        1e4, [a](double m) { a->tasks.width = Index(m); }),
                        number_argument("--n", "compare the model with dense systems of order n/4, n/2 and n",
                                        0, 1e6, [a](double n) { a->n = Index(n); }),
                        number_argument("--nap", "seconds away from the engine in the nap tests [0.12]",
                                        0.001, 10, [a](double s) { a->nap_s = s; }),
                        file_argument("--write-machine",
                                      "write what was found as a machine file for simulate", a->machine_file),
                        flag("--json", "print one JSON object", a->json)},
          .run = [a] { return run(*a); },
          .is_parallel = true};
}

}  // namespace overlapack::cli
