#pragma once
#include <filesystem>
#include <string>

namespace overlapack::comm::mpi {

/// What came of a plugin in one folder.
struct MappedPlugin {
  void* handle = nullptr;
  std::string refusal;  ///< why it was not run; empty where there is no file of that name
};

/// Map the plugin `name` of this folder, unless something stands against running it (base/own_file.hpp). Folder and file are opened
/// once, looked at and mapped through their descriptors: what takes their names meanwhile does not matter.
MappedPlugin map_plugin(const std::filesystem::path& folder, const std::string& name);

}  // namespace overlapack::comm::mpi
