#pragma once
#include "comm/engine/mpi/load/launcher.hpp"
#include "comm/engine/mpi/load/table.h"

#include <string>
#include <vector>

namespace overlapack::comm::mpi {

/// An MPI library as the loader knows it: under which names it is found, and which plugin speaks to it.
struct Flavour {
  std::string name;                    ///< "Open MPI", "MPICH"
  std::vector<std::string> libraries;  ///< sonames, tried in this order
  std::string plugin;                  ///< file name of the plugin
  Launcher::Family launcher = Launcher::Family::unknown;
  /// How what MPI_Get_library_version says begins: a soname alone has belonged to several libraries.
  std::vector<std::string> versions = {};
};

/// Where the loader looks.
struct Positions {
  std::vector<Flavour> flavours;
  std::vector<std::string> plugin_folders;
};
/// The libraries known here; plugins beside the file that holds this code, in the lib/overlapack of its own installation, or where
/// this build put them.
Positions usual_positions();

/// A plugin and the MPI that it speaks to, both mapped for as long as the process lives.
struct LoadedMpi {
  const OverlapackMpiTable* table = nullptr;
  std::string flavour;
  std::string library;  ///< soname, or the path of the library where known
  std::string plugin;
};

/// Map MPI, then the plugin for it. The MPI is one that this process has mapped already (mpi4py's, the caller's; of several the one that
/// runs), else that of the launcher, else whichever is found; it must say itself that it is of that flavour.
/// Errors  BadPlan with what was looked for and where, if there is none, if a plugin may be somebody else's, or if plugin and core do
///         not fit
LoadedMpi load_mpi(const Positions& positions, const Launcher& launcher);

}  // namespace overlapack::comm::mpi
