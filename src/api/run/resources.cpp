#include "api/run/resources.hpp"

#include "base/processors.hpp"
#include "overlapack/environment.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace overlapack::api {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// The first number of a file; infinity for "max" or no file.
double number_in(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : no_limit;
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

/// The folder of a control group, and the names of its files with the memory limit and the memory in use.
struct MemoryGroup {
  std::string folder, limit, used;
};

std::vector<MemoryGroup> memory_groups() {
  std::vector<MemoryGroup> groups{
      {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"}};  // version 1
  for (const std::string& folder : control_group_folders())
    groups.push_back({folder, "memory.max", "memory.current"});
  return groups;
}

/// Memory in use by a control group, without file pages, which the system gives back when memory is short.
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

}  // namespace overlapack::api

int overlapack::usable_processors() { return count_usable_processors(); }

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
