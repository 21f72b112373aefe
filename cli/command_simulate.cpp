#include "api/simulate/simulation.hpp"
#include "comm/team.hpp"
#include "command.hpp"
#include "overlapack/error.hpp"
#include "run_program.hpp"
#include "text.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace overlapack::cli {
namespace {

namespace fs = std::filesystem;

struct SimulateArguments {
  std::string machine;
  std::string slow_host;
  api::Simulation simulation;
  bool list = false;
  bool keep = false;
  bool json = false;
};

/// A folder that is gone with this, unless it is kept.
class WorkFolder {
 public:
  explicit WorkFolder(bool keep) : keep_(keep) {
    std::string pattern = (fs::temp_directory_path() / "overlapack-simulate-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw Error(ErrorKind::bad_input, "simulate",
                  "cannot make a folder in " + fs::temp_directory_path().string() +
                      "; set TMPDIR to one that can be written");
    path_ = pattern;
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!keep_) fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  bool keep_;
  fs::path path_;
};

std::vector<std::pair<int, double>> slow_hosts_from(const std::string& text) {
  if (text.empty()) return {};
  const auto refuse = [&] {
    throw Error(ErrorKind::bad_plan, "simulate",
                "--slow-host is \"" + text + "\"; give RANK:FACTOR as in 3:2");
  };
  int rank = 0;
  double factor = 0;
  const char* const end = text.data() + text.size();
  const auto [colon, rank_error] = std::from_chars(text.data(), end, rank);
  if (rank_error != std::errc{} || colon == end || *colon != ':') refuse();
  const auto [rest, factor_error] = std::from_chars(colon + 1, end, factor);
  if (factor_error != std::errc{} || rest != end) refuse();
  return {{rank, factor}};
}

int print_machines(bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  Table table({"machine", "ranks a node", "what it is"});
  for (const api::SimulatedMachine& machine : api::known_machines()) {
    list.push_back(
        {{"name", machine.name}, {"ranks_per_node", machine.ranks_per_node}, {"summary", machine.summary}});
    table.add({machine.name, std::to_string(machine.ranks_per_node), machine.summary});
  }
  if (json)
    std::printf("%s\n", nlohmann::ordered_json{{"status", "ok"}, {"machines", list}}.dump(2).c_str());
  else
    std::fputs(table.text().c_str(), stdout);
  return exit_ok;
}

int run(const SimulateArguments& a, const std::vector<std::string>& command) {
  if (a.list) return print_machines(a.json);
  if (comm::simulated_time())
    throw Error(ErrorKind::bad_plan, "simulate", "this runs in the simulator already; give another command");
  if (a.machine.empty() || command.empty())
    throw Error(ErrorKind::bad_plan, "simulate",
                "give a machine and, behind --, a command, as in: overlapack simulate --machine cray-t3e-900 "
                "--ranks 64 -- "
                "solve A.mtx; --list names the machines");
  api::Simulation simulation = a.simulation;
  simulation.machine = api::read_machine(a.machine);
  simulation.slow_hosts = slow_hosts_from(a.slow_host);
  api::check(simulation);
  const fs::path program = api::simulated_program();
  const WorkFolder folder(a.keep);
  api::write_simulation(simulation, folder.path());
  if (a.keep)
    std::fprintf(stderr, "overlapack: what the simulator is given stays in %s\n", folder.path().c_str());
  setenv("OVERLAPACK_SIMULATED_MACHINE", (folder.path() / "run.json").c_str(), 1);
  std::vector<std::string> words = command;
  if (a.json) words.push_back("--json");
  const int launched =
      run_program("smpirun", api::launcher_arguments(simulation, folder.path(), program, words),
                  "install libsimgrid-dev (Debian and Ubuntu), or add its folder to PATH");
  int code = launched != 0 ? launched : static_cast<int>(exit_internal);
  if (launched == 0) std::ifstream(folder.path() / "run.json.exit") >> code;
  return code;
}

}  // namespace

Command simulate_command() {
  auto a = std::make_shared<SimulateArguments>();
  auto command = std::make_shared<std::vector<std::string>>();
  const double most_bytes = 0x1p31 - 1, largest_seed = 0x1p53, most_ranks = 65536;
  api::Simulation& s = a->simulation;
  return {.name = "simulate",
          .help = "run a command on a machine that is not here, in simulated time (SimGrid)",
          .arguments =
              {text_argument("--machine", "name (see --list), or path of a JSON file", a->machine),
               number_argument("--ranks", "parallel ranks [1]", 1, most_ranks,
                               [&s](double n) { s.ranks = static_cast<int>(n); }),
               number_argument("--ranks-per-node", "consecutive ranks of a node [the machine's]", 1, 4096,
                               [&s](double n) { s.ranks_per_node = static_cast<int>(n); }),
               number_argument("--eager-bytes", "short protocol up to here [the machine's]", 0, most_bytes,
                               [&s](double n) { s.eager_bytes = static_cast<std::int64_t>(n); }),
               number_argument("--seed", "of the noise [1]", 0, largest_seed,
                               [&s](double n) { s.seed = static_cast<std::uint64_t>(n); }),
               number_argument("--noise", "sigma of the half-normal slow-down of nodes and kernels [0]", 0,
                               10, [&s](double share) { s.noise = share; }),
               text_argument("--slow-host", "RANK:FACTOR: the node of this rank takes FACTOR times as long",
                             a->slow_host),
               flag("--phantom", "shapes only: no numbers are computed (dense)", s.is_phantom),
               flag("--list", "print the machines there are", a->list),
               flag("--keep", "keep the files that SimGrid is given, and tell where they are", a->keep),
               flag("--json", "print one JSON object, as the command does", a->json)},
          .run = [a, command] { return run(*a, *command); },
          .footer =
              "The command stands behind --: overlapack simulate --machine cray-t3e-900 --ranks 64 -- solve "
              "A.mtx",
          .rest = command.get()};
}

}  // namespace overlapack::cli
