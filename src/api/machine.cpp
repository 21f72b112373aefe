#include "api/machine.hpp"

#include "overlapack/environment.hpp"

#include <algorithm>
#include <cmath>
#include <dlfcn.h>
#include <fstream>
#include <limits>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace overlapack::api {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// The folders of my control group (version 2) and of those above it, innermost first.
std::vector<std::string> control_groups() {
  std::ifstream file("/proc/self/cgroup");
  std::string line, path;
  while (std::getline(file, line))
    if (line.rfind("0::", 0) == 0) path = line.substr(3);
  std::vector<std::string> groups;
  while (!path.empty() && path != "/") {
    groups.push_back("/sys/fs/cgroup" + path);
    path.resize(path.find_last_of('/'));
  }
  groups.push_back("/sys/fs/cgroup");
  return groups;
}

/// The first number of a file; infinity for "max" or no file.
double number_in(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : no_limit;
}

/// quota / period of cpu.max, which reads "max 100000" or "150000 100000".
double quota_of(const std::string& group) {
  std::ifstream file(group + "/cpu.max");
  double quota = 0, period = 0;
  return file >> quota >> period && period > 0 ? quota / period : no_limit;
}

/// The number behind a word of a file such as /proc/meminfo; infinity if it is not there.
double number_after(const std::string& word, const std::string& path) {
  std::ifstream file(path);
  std::string next;
  double value = 0;
  while (file >> next)
    if (next == word && file >> value) return value;
  return no_limit;
}

/// Where a control group says how much memory it may have, and how much it has.
struct MemoryGroup {
  std::string folder, limit, used;
};

std::vector<MemoryGroup> memory_groups() {
  std::vector<MemoryGroup> groups{
      {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"}};  // version 1
  for (const std::string& folder : control_groups())
    groups.push_back({folder, "memory.max", "memory.current"});
  return groups;
}

/// What a control group uses and cannot give back: its files' pages in memory are given back when memory is short.
double memory_in_use(const MemoryGroup& group) {
  double bytes = number_in(group.folder + "/" + group.used);
  for (const char* cache : {"inactive_file", "active_file"}) {
    const double reclaimable = number_after(cache, group.folder + "/memory.stat");
    if (reclaimable != no_limit) bytes -= reclaimable;
  }
  return bytes;
}

}  // namespace

bool in_parallel_region() {
  using Function = int (*)();
  const auto ask = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "omp_in_parallel"));
  return ask != nullptr && ask() != 0;
}

double peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace overlapack::api

int overlapack::usable_processors() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  double count = sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 1;
  for (const std::string& group : api::control_groups())
    count = std::min(count, std::ceil(api::quota_of(group)));
  return std::max(1, static_cast<int>(count));
}

double overlapack::available_memory_bytes() {
  double bytes = 1024 * api::number_after("MemAvailable:", "/proc/meminfo");
  for (const api::MemoryGroup& group : api::memory_groups()) {
    const double limit = api::number_in(group.folder + "/" + group.limit);
    if (limit == api::no_limit) continue;
    const double used = api::memory_in_use(group);
    if (used != api::no_limit) bytes = std::min(bytes, std::max(0.0, limit - used));
  }
  return bytes;
}
