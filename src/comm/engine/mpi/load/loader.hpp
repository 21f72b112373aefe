#pragma once
#include "comm/engine/mpi/load/launcher.hpp"
#include "comm/engine/mpi/load/table.h"

#include <string>
#include <vector>

namespace overlapack::comm::mpi {

/// An MPI implementation: its library names and the plugin compiled for it.
struct Flavour {
  std::string name;                    ///< "Open MPI", "MPICH"
  std::vector<std::string> libraries;  ///< sonames, tried in this order
  std::string plugin;                  ///< file name of the plugin
  Launcher::Family launcher = Launcher::Family::unknown;
  /// Prefixes of the text of MPI_Get_library_version: different libraries have had the same soname.
  std::vector<std::string> versions = {};
};

/// Where the loader searches.
struct SearchPaths {
  std::vector<Flavour> flavours;
  std::vector<std::string> plugin_folders;
};
/// The known libraries; plugin folders: that of own_binary_path(), lib/overlapack of the installation, and that of this build.
SearchPaths usual_paths();

/// A plugin and its MPI library, both mapped until the process ends.
struct LoadedMpi {
  const OverlapackMpiTable* table = nullptr;
  std::string flavour;
  std::string library;  ///< soname, or the path of the library where known
  std::string plugin;
};

/// Map the MPI library, then the plugin for it. The library is one that this process has mapped already (mpi4py's or the caller's;
/// of several the initialised one), else one of the launcher's flavour, else any that is found; its version text must match its
/// flavour.
/// Errors  BadPlan, naming what was searched for and where, if there is none, if another user could have changed the plugin, or if
///         the versions of plugin and core differ
LoadedMpi load_mpi_plugin(const SearchPaths& paths, const Launcher& launcher);

}  // namespace overlapack::comm::mpi
