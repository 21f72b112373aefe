#pragma once
#include <filesystem>
#include <string>

namespace overlapack::comm::mpi {

/// The program or shared library that holds this code, as the system knows it now: neither the name that it was started by nor the
/// working directory counts. Empty where /proc does not tell.
std::filesystem::path own_file();

/// What came of a plugin in one folder.
struct MappedPlugin {
  void* handle = nullptr;
  std::string refusal;  ///< why it was not run; empty where there is no file of that name
};

/// Map the plugin `name` of this folder, if only those could have put it there who could have changed our own file: folder and file
/// belong to root, to the caller or to the owner of that file, and nobody else may write to them. They are opened once, looked at
/// and mapped through their descriptors: what takes their names meanwhile does not matter.
MappedPlugin map_plugin(const std::filesystem::path& folder, const std::string& name);

}  // namespace overlapack::comm::mpi
