#include "api/options_table.hpp"
#include "api/probe/kernels.hpp"
#include "api/probe/messages.hpp"
#include "api/session.hpp"
#include "command.hpp"
#include "text.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace overlapack::cli {
namespace {

using nlohmann::ordered_json;

struct ProbeArguments {
  std::string engine = "auto";
  bool kernels_only = false;
  double nap_s = 0.12;
  std::size_t largest_bytes = std::size_t{1} << 22;
  bool json = false;
};

struct Findings {
  std::string engine;
  std::vector<api::MessageRate> messages;
  std::vector<api::NapTest> naps;
  std::vector<api::KernelRate> kernels;
  double triad_bytes_per_s = 0;
};

Findings measure(const ProbeArguments& a) {
  Findings found;
  Options options{.engine = a.engine};
  found.engine = api::engine_name(options);
  const bool is_mpi = found.engine == "mpi";
  api::Session session(options, is_mpi ? 0 : 2);
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

void print_text(const Findings& found) {
  Table kernels({"kernel", "shape", "time", "rate"});
  for (const auto& k : found.kernels)
    kernels.add({k.kernel, k.shape, seconds_text(k.seconds), rate_text(k.flops, k.seconds)});
  std::printf("One core, double\n%s\nSTREAM triad  %s/s\n", kernels.text().c_str(),
              bytes_text(found.triad_bytes_per_s).c_str());
  if (found.messages.empty()) return;
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
}

void print_json(const Findings& found) {
  ordered_json object{
      {"status", "ok"}, {"engine", found.engine}, {"triad_bytes_per_s", found.triad_bytes_per_s}};
  for (const auto& k : found.kernels)
    object["kernels"].push_back({{"kernel", k.kernel},
                                 {"shape", k.shape},
                                 {"seconds", k.seconds},
                                 {"flops_per_s", k.flops / k.seconds}});
  for (const auto& m : found.messages)
    object["messages"].push_back(
        {{"bytes", m.bytes}, {"latency_s", m.latency_s}, {"bytes_per_s", m.bytes_per_s()}});
  for (const auto& t : found.naps)
    object["nap_tests"].push_back({{"bytes", t.bytes},
                                   {"arrives_with_sender_away", t.arrives_with_sender_away},
                                   {"leaves_with_receiver_away", t.leaves_with_receiver_away},
                                   {"hidden", t.hidden}});
  std::printf("%s\n", object.dump(2).c_str());
}

int run(const ProbeArguments& a) {
  const Findings found = measure(a);
  if (!is_root_process()) return exit_ok;
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
                        number_argument("--nap", "seconds away from the engine in the nap tests [0.12]",
                                        0.001, 10, [a](double s) { a->nap_s = s; }),
                        flag("--json", "print one JSON object", a->json)},
          .run = [a] { return run(*a); },
          .is_parallel = true};
}

}  // namespace overlapack::cli
