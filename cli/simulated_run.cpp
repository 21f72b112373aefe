#include "simulated_run.hpp"

#include "command.hpp"
#include "overlapack/error.hpp"
#include "run_program.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace overlapack::cli {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed with this object, unless it is kept.
class WorkFolder {
 public:
  explicit WorkFolder(bool keep) : keep_(keep) {
    std::string pattern = (fs::temp_directory_path() / "overlapack-simulate-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw Error(Status::bad_input, "cannot make a folder in " + fs::temp_directory_path().string() +
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
    throw Error(Status::bad_plan, "--slow-host is \"" + text + "\"; give RANK:FACTOR as in 3:2");
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

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int run_simulated(const SimulateArguments& a, const std::vector<std::string>& command, Printed* printed) {
  simulate::Simulation simulation = a.simulation;
  simulation.machine = simulate::read_machine(a.machine);
  simulation.slow_hosts = slow_hosts_from(a.slow_host);
  simulation.progress = choice_named<NetworkProgress>(a.progress).value_or(simulation.machine.progress);
  simulate::check(simulation);
  const fs::path program = simulate::simulated_program();
  const WorkFolder folder(a.keep);
  simulate::write_simulation(simulation, folder.path());
  if (a.keep)
    std::fprintf(stderr, "overlapack: what the simulator is given stays in %s\n", folder.path().c_str());
  setenv("OVERLAPACK_SIMULATED_MACHINE", (folder.path() / "run.json").c_str(), 1);
  const OutputFiles files =
      printed ? OutputFiles{folder.path() / "printed", folder.path() / "told"} : OutputFiles{};
  const int launched =
      run_program("smpirun", simulate::launcher_arguments(simulation, folder.path(), program, command),
                  "install libsimgrid-dev (Debian and Ubuntu), or add its folder to PATH", files);
  if (printed) *printed = {text_of(files.out), text_of(files.error)};
  int code = launched != 0 ? launched : static_cast<int>(exit_internal);
  if (launched == 0) std::ifstream(folder.path() / "run.json.exit") >> code;
  return code;
}

}  // namespace overlapack::cli
