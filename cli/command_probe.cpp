#include "command.hpp"
#include "json_output.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"
#include "overlapack/printed.hpp"
#include "overlapack/probe.hpp"
#include "text.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>

namespace overlapack::cli {
namespace {

using nlohmann::ordered_json;

struct ProbeArguments {
  probe::Plan plan;
  std::string machine_file;
  bool json = false;
};

std::string signed_seconds_text(double s) {
  return std::string(s < 0 ? "-" : "").append(seconds_text(s < 0 ? -s : s));
}

void print_phases(const probe::Findings& found) {
  if (!found.phases) return;
  std::printf("\nOpposite phases of node mates, engine %s (paper 2, Fig. 8)\nS_m %.2f  S_p %.2f\n",
              found.engine.c_str(), found.phases->communication, found.phases->computation);
  if (found.savings.empty()) return;
  Table table({"n", "T_m", "T_p", "T_overlap", "dT model", "dT measured", "S model"});
  for (const auto& row : found.savings) {
    table.add({std::to_string(row.n), seconds_text(row.communication_s), seconds_text(row.computation_s),
               seconds_text(row.overlap_s), seconds_text(row.model_saved_s),
               signed_seconds_text(row.measured_s), printed("%.3f", row.model_speedup)});
  }
  std::printf("%s", table.text().c_str());
}

void print_models(const probe::Findings& found) {
  Table table({"kernel", "mnk", "mn", "mk", "nk", "1", "deviation", "rate"});
  for (const probe::KernelModel& model : found.models) {
    std::vector<std::string> row{model.kernel};
    for (const double c : model.coefficients)
      row.push_back(model.has_coefficients ? printed("%.3g", c) : "-");
    row.push_back(model.has_coefficients ? printed("%.1f %%", 100 * model.mean_deviation) : "-");
    row.push_back(rate_text(model.flops_per_s, 1));
    table.add(row);
  }
  std::printf("\nSeconds of kernels, fitted (docs/simulate.md)\n%s", table.text().c_str());
}

void print_bsp(const probe::BspParameters& bsp) {
  std::printf(
      "p = %d, s = %s, g = %s (%.4g flops), l = %s (%.4g flops), empty sync %s, a message %s more, deviation "
      "%s\n",
      bsp.processes, rate_text(bsp.flops_per_s, 1).c_str(), seconds_text(bsp.word_s).c_str(), bsp.g(),
      seconds_text(bsp.synchronisation_s).c_str(), bsp.l(), seconds_text(bsp.empty_sync_s).c_str(),
      seconds_text(bsp.message_s).c_str(), seconds_text(bsp.largest_deviation_s).c_str());
  if (!bsp.is_steady)
    std::printf(
        "the times give a negative g, l or time of a message, so the nearest that is not is told: other "
        "programs ran beside; measure again on an idle machine\n");
}

void print_transfers(const std::vector<probe::TransferTime>& transfers) {
  Table table({"transfer", "form", "bytes", "time", "signals", "puts", "gets", "messages"});
  const auto number = [](double n) { return printed("%.4g", n); };
  for (const auto& t : transfers)
    table.add({t.transfer, t.form, std::to_string(t.bytes), seconds_text(t.seconds), number(t.signals),
               number(t.puts), number(t.gets), number(t.messages)});
  std::printf("%s", table.text().c_str());
}

void print_findings(const probe::Findings& found) {
  if (!found.transfers.empty()) return print_transfers(found.transfers);
  if (found.bsp) return print_bsp(*found.bsp);
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

void print_findings_json(const probe::Findings& found) {
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
  if (found.bsp)
    object["bsp"] = {{"p", found.bsp->processes},
                     {"s_flops_per_s", found.bsp->flops_per_s},
                     {"g_s", found.bsp->word_s},
                     {"l_s", found.bsp->synchronisation_s},
                     {"g_flops", found.bsp->g()},
                     {"l_flops", found.bsp->l()},
                     {"empty_sync_s", found.bsp->empty_sync_s},
                     {"message_s", found.bsp->message_s},
                     {"largest_deviation_s", found.bsp->largest_deviation_s},
                     {"is_steady", found.bsp->is_steady}};
  for (const auto& t : found.transfers)
    object["transfers"].push_back({{"transfer", t.transfer},
                                   {"form", t.form},
                                   {"bytes", t.bytes},
                                   {"seconds", t.seconds},
                                   {"signals", t.signals},
                                   {"puts", t.puts},
                                   {"gets", t.gets},
                                   {"messages", t.messages}});
  for (const auto& row : found.savings)
    object["savings"].push_back({{"n", row.n},
                                 {"t_m_s", row.communication_s},
                                 {"t_p_s", row.computation_s},
                                 {"t_overlap_s", row.overlap_s},
                                 {"model_saved_s", row.model_saved_s},
                                 {"measured_saved_s", row.measured_s},
                                 {"model_speedup", row.model_speedup}});
  print_json(std::move(object));
}

void write_machine(const std::string& path, const probe::Findings& found) {
  const std::string name = std::filesystem::path(path).stem().string();
  io::write_file(path, [&](auto& out) { out << probe::machine_json(found, name); });
}

int run_probe(const ProbeArguments& a) {
  if (a.plan.bsp_only + a.plan.onesided_only + a.plan.phases_only + a.plan.kernels_only > 1)
    throw Error(Status::bad_plan,
                "--bsp, --onesided, --phases and --kernels each measure nothing else; give one of them");
  if (!a.machine_file.empty() && (a.plan.phases_only || a.plan.bsp_only || a.plan.onesided_only))
    throw Error(Status::bad_plan,
                "--phases, --bsp and --onesided measure no kernels; leave them out to write a machine file");
  if (!a.machine_file.empty() && simulated_time())
    throw Error(Status::bad_plan, "a simulated machine has a file already; probe the computer itself");
  if (!a.machine_file.empty() && is_root_process()) io::require_writable(a.machine_file);
  const probe::Findings found = probe::measure(a.plan);
  if (!is_root_process()) return exit_ok;
  if (!a.machine_file.empty()) write_machine(a.machine_file, found);
  a.json ? print_findings_json(found) : print_findings(found);
  return exit_ok;
}

}  // namespace

Command probe_command() {
  auto a = std::make_shared<ProbeArguments>();
  Argument ranks = count_argument("--ranks", "ranks, without MPI [2]", 2, 4096,
                                  [a](Index r) { a->plan.ranks = static_cast<int>(r); });
  ranks.hidden_names = other_names_of_ranks;
  return {.name = "probe",
          .help = "measure this machine: messages, overlap, kernels, memory",
          .arguments =
              {choice_argument("--engine", "what carries messages [auto]", {"auto", "thread", "mpi", "shmem"},
                               a->plan.engine),
               flag("--kernels", "kernels and memory only", a->plan.kernels_only),
               flag("--phases", "opposite phases of node mates only (S_m, S_p)", a->plan.phases_only),
               flag("--bsp", "p, s, g and l of supersteps only", a->plan.bsp_only),
               flag("--onesided",
                    "broadcasts, block transposes and gets of vectors only, in each of their forms; also by "
                    "--engine shmem",
                    a->plan.onesided_only),
               std::move(ranks),
               count_argument("--ranks-per-node", "ranks that share a node [2]", 1, 4096,
                              [a](Index r) { a->plan.ranks_per_node = static_cast<int>(r); }),
               count_argument("--panel-rows", "rows of the panels in the phases [3000]", 1, 1e6,
                              [a](Index m) { a->plan.panel_rows = m; }),
               count_argument("--panel-columns", "columns of the panels in the phases [112]", 1, 1e4,
                              [a](Index m) { a->plan.panel_columns = m; }),
               count_argument("--n", "compare the model with dense systems of order n/4, n/2 and n", 0, 1e6,
                              [a](Index n) { a->plan.n = n; }),
               number_argument("--nap", "seconds away from the engine in the nap tests [0.12]", 0.001, 10,
                               [a](double s) { a->plan.nap_s = s; }),
               file_argument("--write-machine", "write what was found as a machine file for simulate",
                             a->machine_file),
               flag("--json", "print one JSON object", a->json)},
          .run = [a] { return run_probe(*a); },
          .is_parallel = true};
}

}  // namespace overlapack::cli
