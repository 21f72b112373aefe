#pragma once
#include "api/simulate/machine.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace overlapack::api {

/// One run on a machine that is not there.
struct Simulation {
  SimulatedMachine machine;
  int ranks = 1;
  int ranks_per_node = 0;         ///< 0: the machine's
  std::int64_t eager_bytes = -1;  ///< -1: the machine's
  std::uint64_t seed = 1;
  double noise = 0;  ///< sigma of the half-normal slow-down of each node and of each kernel call
  std::vector<std::pair<int, double>> slow_hosts;  ///< the node of this rank takes so many times as long
  bool is_phantom = false;
  /// long messages set out only in calls of both sides, as with most MPIs of today
  bool moves_in_calls = false;
  int columns_per_exchange = 256;  ///< phantom: columns of a panel whose pivots are found in one exchange
};

/// The nodes of a box that holds `nodes` of them, as near to a cube as can be.
struct TorusShape {
  int x = 1, y = 1, z = 1;
};
TorusShape torus_for(int nodes);

/// SimGrid's platform, the list of hosts (one a rank), and the file that every rank reads its costs from.
std::string platform_xml(const Simulation& simulation);
std::string host_list(const Simulation& simulation);
std::string run_json(const Simulation& simulation);

/// Write the three into a folder: platform.xml, hosts, run.json.
void write_simulation(const Simulation& simulation, const std::filesystem::path& folder);

/// The command line that runs `program` with `arguments` on them, without its first word, the launcher.
/// Source  SimGrid's documentation, "Configuring SimGrid": no part of the host's own time is simulated
std::vector<std::string> launcher_arguments(const Simulation& simulation, const std::filesystem::path& folder,
                                            const std::filesystem::path& program,
                                            const std::vector<std::string>& arguments);

/// The command line as a program of the simulator, beside the executable's installation or in the build.
/// Errors  BadPlan, with what to install, where there is none
std::filesystem::path simulated_program();

/// Errors  BadPlan for a number of ranks that cannot be, BadInput for a slow host that is not there
void check(const Simulation& simulation);

}  // namespace overlapack::api
