#include "memory.hpp"

#include <fstream>
#include <malloc.h>

namespace bench {

double resident_bytes(const std::string& field) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(field + ":")) return 1024.0 * std::stod(line.substr(field.size() + 1));
  return 0;
}

double reset_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  return resident_bytes("VmRSS");
}

}  // namespace bench
