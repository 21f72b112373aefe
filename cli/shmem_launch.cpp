#include "shmem_launch.hpp"

#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/machine.hpp"
#include "run_program.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/personality.h>
#include <unistd.h>
#include <vector>

namespace overlapack::cli {
namespace {

namespace fs = std::filesystem;

/// The last value of an option in the words `--name VALUE`, `--name=VALUE` or `-nVALUE`; list: its names as in "--name,-n". Empty if there is
/// none.
std::string value_of(const std::vector<std::string>& words, const std::string& list) {
  std::string value;
  const std::vector<std::string> names = names_of(list);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const std::string& name : names) {
      const std::string joined = name.starts_with("--") ? name + "=" : name;
      if (words[i] == name && i + 1 < words.size())
        value = words[i + 1];
      else if (words[i].starts_with(joined))
        value = words[i].substr(joined.size());
    }
  return value;
}

fs::path own_path() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

/// Whether oshrun started this process, with any number of processes. Open MPI's launchers cannot be nested.
bool is_within_oshrun() { return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr; }

fs::path shmem_program() {
  if (const fs::path path = simulate::own_program("overlapack_shmem"); !path.empty()) return path;
  throw Error(Status::bad_plan,
              "this overlapack was built without OpenSHMEM; use the engine thread or mpi, or install an Open "
              "MPI with oshrun and "
              "build it again");
}

/// The size of each process's symmetric heap, as text: for the engine, and a ring for each other process. A dense matrix needs a copy of the
/// process's part, which others read, and as much again for message bodies under way.
std::string heap_for(const std::vector<std::string>& words, double ranks) {
  constexpr double largest_entry = 16, parts = 2, engine_bytes = 1 << 28, ring_bytes = 1 << 18;
  const double n = words.front() == "dense" ? std::strtod(value_of(words, "--n").c_str(), nullptr) : 0;
  const double bytes = parts * largest_entry * n * n / ranks + engine_bytes + ranks * ring_bytes;
  return std::to_string(static_cast<std::int64_t>(bytes));
}

/// Set the size of the heap by all names of its environment variable: the standard's, Open MPI 4's, and that from before OpenSHMEM 1.4. A size
/// that the caller has set by any of them is kept.
void set_shmem_heap_size(std::string bytes) {
  constexpr const char* names[] = {"SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE", "SMA_SYMMETRIC_SIZE"};
  for (const char* const name : names)
    if (const char* const wish = std::getenv(name)) bytes = wish;
  for (const char* const name : names) setenv(name, bytes.c_str(), 0);
}

}  // namespace

std::optional<int> run_on_shmem(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (value_of(words, "--engine") != "shmem") return std::nullopt;
  if (words.front() == "simulate" || words.front() == "study")
    return std::nullopt;  // they have no such option
  const bool is_solve =
      words.front() == "solve" && iterative::is_iterative(choice_named<Method>(value_of(words, "--method")));
  const bool is_probe =
      words.front() == "probe" && std::ranges::find(words, std::string("--onesided")) != words.end();
  if (words.front() != "jacobi" && words.front() != "dense" && !is_solve && !is_probe)
    throw Error(
        Status::bad_plan,
        "the engine shmem runs the commands dense, jacobi, solve --method jacobi or multisplitting and probe "
        "--onesided; use the engine thread or mpi for " +
            words.front());
  if (own_path().filename() == "overlapack_shmem") return std::nullopt;
  const std::string program = shmem_program().string();
  const std::string advice = "install openmpi-bin (Debian and Ubuntu), or add the folder of oshrun to PATH";
  if (is_launched() || is_within_oshrun()) return run_program(program, words, advice);
  const std::string ranks = value_of(words, std::string("--ranks,") + other_names_of_ranks);
  const bool are_given = !ranks.empty() && ranks != "0";
  const std::string count = are_given ? ranks : std::to_string(usable_processors());
  set_shmem_heap_size(heap_for(words, std::max(1.0, std::strtod(count.c_str(), nullptr))));
  // Open MPI's OpenSHMEM crashes at the end with memory hooks, and that of 4.1.6 (Ubuntu 24.04) in about half of its starts
  // where addresses are randomised. A failure to turn that off is ignored.
  if (const int now = personality(0xffffffff); now != -1)
    personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
  std::vector<std::string> launch{"--oversubscribe", "--mca", "memory", "^patcher", "-n", count};
  const std::string workers = value_of(words, "--workers");
  if (!workers.empty() && workers != "0")
    launch.insert(launch.end(), {"--bind-to", "none"});  // else all threads share a core
  launch.push_back(program);
  launch.insert(launch.end(), words.begin(), words.end());
  return run_program("oshrun", launch, advice);
}

}  // namespace overlapack::cli
