#pragma once
/// Simulated machines: their files, and runs on them with SimGrid (docs/simulate.md).
#include "overlapack/choices.hpp"
#include "overlapack/export.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace overlapack::simulate {

/// Seconds of a kernel are max(flops / rate, bytes / bytes_per_s) + call_s, where a product of inner dimension w, or a panel of w
/// columns, has the rate flops_per_s w / (w + half_width). With five coefficients they are the sum of those times m n k, m n, m k,
/// n k and 1.
struct KernelRate {
  double flops_per_s = 0;
  double call_s = 0;
  double bytes_per_s = 0;  ///< 0: memory_bytes_per_s of the machine
  double half_width = 0;   ///< where half of flops_per_s is reached; 0: one rate for all widths
  std::vector<double> coefficients;
};

/// A machine to be simulated, as its file describes it (docs/simulate.md). In the file each number has its source beside it.
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
  double flow_bytes_per_s = 0;  ///< highest rate of one message; 0: a link's
  double hop_s = 0;             ///< torus: a link's latency
  double latency_s = 0, send_s = 0, receive_s = 0;
  double copy_bytes_per_s = 0;  ///< rate at which sender and receiver each copy a message; 0: no copies
  double put_s = 0, get_s = 0;  ///< processor time of a one-sided access
  double node_bytes_per_s = 0, node_latency_s = 0;  ///< between ranks of a node
  std::int64_t eager_bytes = 0;
  NetworkProgress progress = NetworkProgress::always;  ///< when transfers of long messages begin
};

/// The folders that are searched for machine files: beside the executable's installation, then that of the sources.
OVERLAPACK_API std::vector<std::filesystem::path> machine_folders();

/// A machine by its name, or by the path of its file.
/// Errors  BadPlan if there is none, with the names of those there are; BadInput if its file is not as it should be
OVERLAPACK_API SimulatedMachine read_machine(const std::string& name_or_path);

/// Every machine of the folders.
OVERLAPACK_API std::vector<SimulatedMachine> known_machines();

/// One run on a simulated machine.
struct Simulation {
  SimulatedMachine machine;
  int ranks = 1;
  int ranks_per_node = 0;         ///< 0: the machine's
  std::int64_t eager_bytes = -1;  ///< -1: the machine's
  std::uint64_t seed = 1;
  double noise = 0;  ///< sigma of the half-normal slow-down of each node and of each kernel call
  std::vector<std::pair<int, double>> slow_hosts;  ///< the node of this rank takes so many times as long
  bool is_phantom = false;
  NetworkProgress progress = NetworkProgress::always;
  int columns_per_exchange = 256;  ///< phantom: columns of a panel whose pivots are found in one exchange
};

/// The nodes of a box that holds `nodes` of them, as near to a cube as can be.
struct TorusShape {
  int x = 1, y = 1, z = 1;
};
OVERLAPACK_API TorusShape torus_for(int nodes);

/// SimGrid's platform, the list of hosts (one a rank), and the file that every rank reads its costs from.
OVERLAPACK_API std::string platform_xml(const Simulation& simulation);
OVERLAPACK_API std::string host_list(const Simulation& simulation);
OVERLAPACK_API std::string run_json(const Simulation& simulation);

/// Write the three into a folder: platform.xml, hosts, run.json.
OVERLAPACK_API void write_simulation(const Simulation& simulation, const std::filesystem::path& folder);

/// The command line that runs `program` with `arguments` on them, without its first word, the launcher.
/// Source  SimGrid's documentation, "Configuring SimGrid": no part of the host's own time is simulated
OVERLAPACK_API std::vector<std::string> launcher_arguments(const Simulation& simulation,
                                                           const std::filesystem::path& folder,
                                                           const std::filesystem::path& program,
                                                           const std::vector<std::string>& arguments);

/// The program or module `name` that belongs to this one: in lib/overlapack of the installation whose bin holds it, or in the build
/// tree. Empty where there is none.
/// Errors  BadPlan where others than those who could have changed this program may have put it there
OVERLAPACK_API std::filesystem::path own_program(const std::string& name);

/// The command line as a program of the simulator, beside the executable's installation or in the build.
/// Errors  BadPlan, with what to install, where there is none
OVERLAPACK_API std::filesystem::path simulated_program();

/// Errors  BadPlan for a number of ranks that is not possible, BadInput for a slow host that does not exist
OVERLAPACK_API void check(const Simulation& simulation);

}  // namespace overlapack::simulate
