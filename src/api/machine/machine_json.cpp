#include "api/machine/kernel_models.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/probe.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace overlapack::probe {
namespace {

using ordered_json = nlohmann::ordered_json;

ordered_json sourced(ordered_json value, const std::string& source) {
  return {{"value", std::move(value)}, {"source", source}};
}

ordered_json kernels_json(const std::vector<KernelModel>& models) {
  ordered_json object = ordered_json::object();
  for (const KernelModel& model : models) {
    ordered_json& kernel = object[model.kernel] = {{"flops_per_s", model.flops_per_s}};
    if (model.has_coefficients) {
      kernel["coefficients"] = model.coefficients;
      kernel["mean_deviation"] = model.mean_deviation;
    }
    kernel["source"] = "measured by overlapack probe: " + model.source;
  }
  return object;
}

/// The cost model of a message: a latency, and a rate for its bytes.
struct Line {
  double latency_s = 1e-6, bytes_per_s = 1e10;
};

/// Fit the cost model to measured messages by relative errors, so that all sizes have the same weight.
Line line_of(const std::vector<MessageRate>& messages) {
  if (messages.empty()) return {};
  std::vector<KernelSample> samples;
  for (const MessageRate& message : messages)
    samples.push_back(
        {.m = static_cast<double>(message.bytes), .n = 1, .k = 0, .seconds = message.latency_s});
  const auto line = fit_coefficients(samples);
  return {.latency_s = line[4], .bytes_per_s = 1 / std::max(1e-15, line[1])};
}

/// The largest message that arrives while its sender makes no calls, whether or not the receiver has to make calls.
std::size_t eager_bytes_of(const std::vector<NapTest>& naps) {
  std::size_t bytes = 0;
  for (const NapTest& test : naps)
    if (test.arrives_with_sender_away) bytes = std::max(bytes, test.bytes);
  return bytes;
}

bool moves_in_calls(const std::vector<NapTest>& naps) {
  return std::any_of(naps.begin(), naps.end(),
                     [](const NapTest& test) { return !test.arrives_with_sender_away; });
}

ordered_json network_json(const Findings& m) {
  const Line line = line_of(m.messages);
  const std::string how = m.messages.empty()
                              ? "assumed: there were no two ranks to measure it"
                              : "measured by overlapack probe between two ranks, engine " + m.engine;
  const std::string quarter = how + ": a quarter of the fitted latency";
  const std::string other = "not measured: as between ranks of this node";
  ordered_json network{{"topology", sourced("switch", "one node: not used")},
                       {"link_bytes_per_s", sourced(line.bytes_per_s, other)},
                       {"latency_s", sourced(line.latency_s / 2, other)},
                       {"send_s", sourced(line.latency_s / 4, quarter)},
                       {"receive_s", sourced(line.latency_s / 4, quarter)},
                       {"node_latency_s", sourced(line.latency_s / 2, how + ": half of the fitted latency")},
                       {"node_bytes_per_s", sourced(line.bytes_per_s, how + ": fitted to all sizes")}};
  if (!m.naps.empty())
    network["progress"] =
        sourced(moves_in_calls(m.naps) ? "calls" : "always", "measured by overlapack probe: nap tests");
  return network;
}

}  // namespace

std::string machine_json(const Findings& m, const std::string& name) {
  const int processors = std::max(usable_processors(), m.ranks);
  const double memory = available_memory_bytes() / processors;
  const auto gemm =
      std::find_if(m.models.begin(), m.models.end(), [](const auto& k) { return k.kernel == "gemm"; });
  const ordered_json object{
      {"name", name},
      {"summary", "a computer that overlapack probe has measured"},
      {"ranks_per_node", sourced(processors, "processors that the probe could use, or its ranks")},
      {"memory_bytes_per_rank", sourced(std::isfinite(memory) ? memory : 0x1p32,
                                        "memory that was free, over the processors; 4 GiB where unknown")},
      {"compute",
       {{"flops_per_s",
         sourced(gemm == m.models.end() ? 1e9 : gemm->flops_per_s, "gemm's, for kernels not measured")},
        {"memory_bytes_per_s",
         sourced(m.triad_bytes_per_s, "measured by overlapack probe: STREAM triad of one core")},
        {"call_s", sourced(2e-7, "assumed: some 500 clock cycles a kernel call")},
        {"kernels", kernels_json(m.models)}}},
      {"network", network_json(m)},
      {"eager_bytes", sourced(eager_bytes_of(m.naps),
                              m.naps.empty() ? "not measured"
                                             : "measured by overlapack probe: the longest message "
                                               "of the nap tests that arrives with its sender away")}};
  return object.dump(2) + "\n";
}

}  // namespace overlapack::probe
