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

/// The cost model of a kernel. One call takes max(flops / rate, bytes / bytes_per_s) + call_s seconds. For a product of inner dimension
/// w, or a panel of w columns, rate is flops_per_s w / (w + half_width). If there are five coefficients c, the call instead takes
/// c0 m n k + c1 m n + c2 m k + c3 n k + c4 seconds.
struct KernelRate {
  double flops_per_s = 0;
  double call_s = 0;
  double bytes_per_s = 0;  ///< 0: memory_bytes_per_s of the machine
  double half_width = 0;   ///< width w that reaches half of flops_per_s; 0: one rate for all widths
  std::vector<double> coefficients;
};

/// A machine to be simulated, as its file describes it (docs/simulate.md). In the file each number has its source beside it.
struct SimulatedMachine {
  enum class Topology { switched, torus };

  std::string name, summary;
  int ranks_per_node = 1;
  double memory_bytes_per_rank = 0;
  KernelRate compute;                         ///< the cost of every kernel that is not in `kernels`
  std::map<std::string, KernelRate> kernels;  ///< by the kernel's name in traces
  double memory_bytes_per_s = 0;
  double together_factor = 1;  ///< factor by which work takes longer while all ranks of the node compute
  Topology topology = Topology::switched;
  double link_bytes_per_s = 0;
  double flow_bytes_per_s = 0;  ///< highest rate of one message; 0: that of a link
  double hop_s = 0;             ///< torus: latency of a link
  double latency_s = 0, send_s = 0, receive_s = 0;
  double copy_bytes_per_s = 0;  ///< rate at which sender and receiver each copy a message; 0: no copies
  double put_s = 0, get_s = 0;  ///< processor time of a one-sided access
  double node_bytes_per_s = 0, node_latency_s = 0;  ///< for messages between ranks of a node
  std::int64_t eager_bytes = 0;
  NetworkProgress progress = NetworkProgress::always;  ///< when transfers of long messages begin
};

/// The folders that are searched for machine files: beside the executable's installation, then that of the sources.
OVERLAPACK_API std::vector<std::filesystem::path> machine_folders();

/// A machine by its name, or by the path of its file.
/// Errors  BadPlan if there is none, with the names of those there are; BadInput if its file is not as it should be
OVERLAPACK_API SimulatedMachine read_machine(const std::string& name_or_path);

/// All machines that machine_folders() hold.
OVERLAPACK_API std::vector<SimulatedMachine> known_machines();

/// One run on a simulated machine.
struct Simulation {
  SimulatedMachine machine;
  int ranks = 1;
  int ranks_per_node = 0;         ///< 0: the machine's
  std::int64_t eager_bytes = -1;  ///< -1: the machine's
  std::uint64_t seed = 1;
  double noise = 0;  ///< sigma of the half-normal slow-down of each node and of each kernel call
  /// (rank, factor): the rank's node takes so many times as long
  std::vector<std::pair<int, double>> slow_hosts;
  bool is_phantom = false;  ///< matrices and messages have a size and no content
  NetworkProgress progress = NetworkProgress::always;
  int columns_per_exchange = 256;  ///< phantom: columns of a panel whose pivots are found in one exchange
};

/// The sides of a torus with `nodes` nodes, as near to a cube as possible.
struct TorusShape {
  int x = 1, y = 1, z = 1;
};
OVERLAPACK_API TorusShape torus_for(int nodes);

/// The three input files of a simulation: SimGrid's platform, the list of hosts (one for each rank), and the costs that every rank
/// reads.
OVERLAPACK_API std::string platform_xml(const Simulation& simulation);
OVERLAPACK_API std::string host_list(const Simulation& simulation);
OVERLAPACK_API std::string run_json(const Simulation& simulation);

/// Write these files into a folder, as platform.xml, hosts and run.json.
OVERLAPACK_API void write_simulation(const Simulation& simulation, const std::filesystem::path& folder);

/// The command line that runs `program` with `arguments` on the files in `folder`, without its first word, the launcher.
/// Source  SimGrid's documentation, "Configuring SimGrid": no part of the host's own time is simulated
OVERLAPACK_API std::vector<std::string> launcher_arguments(const Simulation& simulation,
                                                           const std::filesystem::path& folder,
                                                           const std::filesystem::path& program,
                                                           const std::vector<std::string>& arguments);

/// The path of a program or module `name` that belongs to the running program. It is in lib/overlapack of the installation whose bin has
/// the running program, or in the build tree. Empty if there is none.
/// Errors  BadPlan if a user who could not have changed the running program may have put the file there
OVERLAPACK_API std::filesystem::path own_program(const std::string& name);

/// The path of the executable `overlapack` that is built for the simulator, in the installation or in the build tree.
/// Errors  BadPlan, with what to install, if there is none
OVERLAPACK_API std::filesystem::path simulated_program();

/// Check that the simulation is possible.
/// Errors  BadPlan for an impossible number of ranks, BadInput for a slow host that does not exist
OVERLAPACK_API void check(const Simulation& simulation);

}  // namespace overlapack::simulate
