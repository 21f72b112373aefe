#include "base/processors.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sched.h>

namespace overlapack {
namespace {

/// quota / period of cpu.max, which reads "max 100000" or "150000 100000"; infinity for none.
double cpu_quota_of_group(const std::string& group) {
  std::ifstream file(group + "/cpu.max");
  double quota = 0, period = 0;
  return file >> quota >> period && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

double smallest_cpu_quota() {
  double smallest = std::numeric_limits<double>::infinity();
  for (const std::string& group : control_group_folders())
    smallest = std::min(smallest, cpu_quota_of_group(group));
  return smallest;
}

/// The kernel refuses a mask that is shorter than its own: tries longer ones until it accepts. Returns 1 if it never does.
int count_processors_in_affinity_mask() {
  for (int possible = CPU_SETSIZE; possible <= 1 << 20; possible *= 4) {
    cpu_set_t* const mask = CPU_ALLOC(possible);
    if (mask == nullptr) return 1;
    const std::size_t bytes = CPU_ALLOC_SIZE(possible);
    const bool is_known = sched_getaffinity(0, bytes, mask) == 0;
    const int count = is_known ? CPU_COUNT_S(bytes, mask) : 0;
    CPU_FREE(mask);
    if (is_known) return count;
  }
  return 1;
}

}  // namespace

std::vector<std::string> control_group_folders() {
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

int count_usable_processors() {
  static const double quota = std::ceil(smallest_cpu_quota());
  return static_cast<int>(std::clamp<double>(count_processors_in_affinity_mask(), 1, std::max(1.0, quota)));
}

}  // namespace overlapack
