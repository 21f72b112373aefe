#pragma once
#include <filesystem>
#include <string>

namespace overlapack::comm::mpi {

/// Result of mapping a plugin from one folder.
struct MappedPlugin {
  void* handle = nullptr;
  std::string refusal;  ///< why it was not run; empty where there is no file of that name
};

/// Map the plugin `name` of this folder, unless there is a reason not to run it (base/own_file.hpp). Folder and file are opened
/// once and checked and mapped through their descriptors, so that replacing them by name meanwhile has no effect.
MappedPlugin map_plugin(const std::filesystem::path& folder, const std::string& name);

}  // namespace overlapack::comm::mpi
