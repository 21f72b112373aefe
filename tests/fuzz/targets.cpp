#include "api/hpl/hpl_cases.hpp"
#include "api/hpl/hpl_dat.hpp"
#include "api/hpl/hpl_file.hpp"
#include "fuzz/seeds.hpp"
#include "fuzz/target.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/machine.hpp"
#include "overlapack/option_text.hpp"
#include "overlapack/overlapack.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace overlapack::test {
namespace {

namespace fs = std::filesystem;

/// A file in memory with these bytes, for readers of files.
std::string file_of(const std::string& bytes, const std::string& ending) {
  const fs::path folder = fs::is_directory("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
  const std::string path = folder / ("overlapack-fuzz-" + std::to_string(getpid()) + ending);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}
std::string bytes_of(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

bool reads_hpl(const std::string& bytes) {
  return accepts_or_refuses({Status::bad_input, Status::bad_plan},
                            [&] { api::hpl_cases(api::parse_hpl_file(bytes, "fuzz")); });
}
std::vector<std::string> hpl_seeds() {
  return {api::standard_hpl_dat, api::standard_hpl_dat + "schedules: flat lookahead parity\n", "",
          api::with_line(5, "1 1 1 1 1"), api::with_line(6, "-1 0 2147483648 1e3")};
}

bool is_experiment(const OptionDescription& option) { return option.tier == OptionTier::experiment; }

/// What is read comes back from what is written.
bool reads_plan(const std::string& bytes) {
  return accepts_or_refuses({Status::bad_plan}, [&] {
    const std::string json = to_json(options_from_json(bytes));
    if (to_json(options_from_json(json)) != json)
      throw std::logic_error("a plan changes when it is read again");
  });
}
std::vector<std::string> plan_seeds() {
  Options ordered;
  ordered.sparse.ordering = Ordering::user;
  ordered.sparse.user_order = {2, 0, 1};
  std::vector<std::string> seeds{to_json(Options{}),
                                 to_json(ordered),
                                 R"({"ranks": 4, "memory_limit": "2G", "time_limit": "2min"})",
                                 R"({"ranks": )" + std::string(20000, '[') + std::string(20000, ']') + "}",
                                 R"({"user_order": )" + std::string(2000, '['),
                                 R"({"options": {"ranks": 2}})",
                                 R"({"experiment": {"experiment": {}}})",
                                 R"({"experiment": [1]})"};
  std::istringstream lines(to_json(Options{}));  // of one option each, and its value
  for (std::string line; std::getline(lines, line);)
    if (line.ends_with(',')) seeds.push_back("{" + line.substr(0, line.size() - 1) + "}");
  for (const auto& option : describe_options())
    for (const char* value : {"1", R"("2G")"}) {
      const std::string seed = "{\"" + std::string(option.name) + "\": " + value + "}";
      seeds.push_back(is_experiment(option) ? "{\"experiment\": " + seed + "}" : seed);
    }
  return seeds;
}

bool reads_machine(const std::string& bytes) {
  const std::string path = file_of(bytes, ".json");
  return accepts_or_refuses({Status::bad_input, Status::bad_plan}, [&] { simulate::read_machine(path); });
}
std::vector<std::string> machine_seeds() {
  std::vector<std::string> seeds;
  for (const fs::path& folder : simulate::machine_folders())
    if (fs::is_directory(folder))
      for (const auto& file : fs::directory_iterator(folder)) seeds.push_back(bytes_of(file.path()));
  return seeds;
}

/// Lines of "name value".
bool sets_options(const std::string& bytes) {
  return accepts_or_refuses({Status::bad_plan}, [&] {
    Options options;
    std::istringstream lines(bytes);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t blank = line.find(' ');
      if (blank != std::string::npos) set_option(options, line.substr(0, blank), line.substr(blank + 1));
    }
    check(options);
    to_json(options);
  });
}
std::vector<std::string> option_seeds() {
  std::vector<std::string> seeds(4);
  for (const auto& option : describe_options()) {
    const std::string name = (is_experiment(option) ? "experiment." : "") + std::string(option.name);
    std::size_t number = 0;
    for (const char* value : {"auto", "1", "2.5", "4G"}) seeds[number++] += name + " " + value + "\n";
    for (const char* value : {"on", "off", "none", "3:2.5", "2x2", "90s", "user"})
      seeds.push_back(name + " " + value);
  }
  return seeds;
}

/// Factors of each method, saved; the checksums are as they come.
bool loads_factors(const std::string& bytes) {
  const std::string path = file_of(bytes, ".factors");
  return accepts_or_refuses({Status::bad_input}, [&] {
    type_of_factors(path);
    load_factors<double>(path, {.run = {.engine = Engine::thread}}).solve(std::vector<double>(8, 1.0));
  });
}
std::vector<std::string> factor_seeds() {
  std::vector<std::string> seeds;
  const std::string path = file_of("", ".factors");
  for (const Method method : {Method::multifrontal, Method::supernodal, Method::block_triangular})
    for (const int ranks : {1, 2}) {
      factorize(sparse::generate("cube", 2), {.method = method, .ranks = ranks}).save(path);
      seeds.push_back(bytes_of(path));
    }
  return seeds;
}

bool reads_matrix(const std::string& bytes) { return read_as_everything(bytes) > 0; }

}  // namespace

const std::vector<FuzzTarget>& fuzz_targets() {
  static const std::vector<FuzzTarget> targets{
      {"matrix", "Matrix Market, Rutherford-Boeing, .npz, .npy, gzip", fuzz_seeds, reads_matrix},
      {"hpl", "HPL.dat", hpl_seeds, reads_hpl},
      {"plan", "plan files (JSON)", plan_seeds, reads_plan},
      {"machine", "machine files (JSON)", machine_seeds, reads_machine},
      {"options", "names and values of options", option_seeds, sets_options},
      {"factors", "files of factors", factor_seeds, loads_factors},
      {"c", "sequences of calls of overlapack.h", call_seeds, runs_c_calls},
#ifdef OVERLAPACK_FUZZ_MUMPS
      {"mumps", "dmumps_c: jobs, ICNTL, CNTL, arrays", mumps_seeds, runs_mumps_calls},
#endif
  };
  return targets;
}

}  // namespace overlapack::test
