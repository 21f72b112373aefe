#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace overlapack::api {

/// Seconds of a kernel are max(flops / flops_per_s, bytes / memory_bytes_per_s) + call_s, or, with five coefficients, those
/// times m n k, m n, m k, n k and 1.
struct KernelRate {
  double flops_per_s = 0;
  double call_s = 0;
  std::vector<double> coefficients;
};

/// A machine to be simulated, as its file describes it (docs/simulate.md). In the file each number stands beside its source.
struct SimulatedMachine {
  enum class Topology { switched, torus };

  std::string name, summary;
  int ranks_per_node = 1;
  double memory_bytes_per_rank = 0;
  KernelRate compute;                         ///< of every kernel that has none of its own
  std::map<std::string, KernelRate> kernels;  ///< by the word that compute and traces use
  double memory_bytes_per_s = 0;
  double together_factor = 1;  ///< how much longer work takes while all ranks of the node compute
  Topology topology = Topology::switched;
  double link_bytes_per_s = 0;
  double flow_bytes_per_s = 0;  ///< most that one message reaches; 0: a link's
  double hop_s = 0;             ///< torus: a link's latency
  double latency_s = 0, send_s = 0, receive_s = 0;
  double node_bytes_per_s = 0, node_latency_s = 0;  ///< between ranks of a node
  std::int64_t eager_bytes = 0;
  bool moves_in_calls = false;  ///< long messages set out only in calls of both sides
};

/// The folders that are searched for machine files: beside the executable's installation, then that of the sources.
std::vector<std::filesystem::path> machine_folders();

/// A machine by its name, or by the path of its file.
/// Errors  BadPlan if there is none, with the names of those there are; BadInput if its file is not as it should be
SimulatedMachine read_machine(const std::string& name_or_path);

/// Every machine of the folders.
std::vector<SimulatedMachine> known_machines();

}  // namespace overlapack::api
