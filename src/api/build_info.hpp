#pragma once
#include <string>
#include <vector>

namespace overlapack::api {

/// An engine and whether this process could open it.
struct EngineInfo {
  std::string name;
  bool is_available = false;
  std::string note;  ///< which library, or why not
};

/// What `overlapack info` tells.
struct BuildInfo {
  std::string version;
  std::string compiler;
  std::vector<EngineInfo> engines;
  std::string blas;
  std::string small_kernels;
  std::vector<std::string> types;
  std::vector<std::string> orderings;
  int usable_processors = 1;
};

BuildInfo build_info();

}  // namespace overlapack::api
