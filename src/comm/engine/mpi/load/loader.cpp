#include "comm/engine/mpi/load/loader.hpp"

#include "base/own_file.hpp"
#include "comm/engine/mpi/load/plugin_file.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <set>
#include <vector>

#if defined(OVERLAPACK_SMPI) || defined(OVERLAPACK_SHMEM)
extern "C" const OverlapackMpiTable* overlapack_mpi_table();
#endif

namespace overlapack::comm::mpi {

#if defined(OVERLAPACK_SMPI) || defined(OVERLAPACK_SHMEM)
SearchPaths usual_paths() { return {}; }

LoadedMpi load_mpi_plugin(const SearchPaths&, const Launcher&) {
#ifdef OVERLAPACK_SMPI
  return {overlapack_mpi_table(), "SMPI", "libsimgrid", "built in"};
#else
  return {overlapack_mpi_table(), "OpenSHMEM", "liboshmem", "built in"};
#endif
}
#else

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_to_load(const std::string& message) { throw Error(Status::bad_plan, message); }

std::string path_of(void* library, const std::string& soname) {
  void* symbol = dlsym(library, "MPI_Initialized");
  Dl_info info;
  return symbol && dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : soname;
}

/// Text of the library's MPI_Get_library_version, which any MPI-3 has and allows before MPI_Init; empty where it is missing.
std::string version_of(void* library) {
  const auto ask = reinterpret_cast<int (*)(char*, int*)>(dlsym(library, "MPI_Get_library_version"));
  if (!ask) return {};
  constexpr std::size_t longest = 8192;  // largest MPI_MAX_LIBRARY_VERSION_STRING of the known MPIs
  std::vector<char> text(longest + 1);
  int length = 0;
  return ask(text.data(), &length) == 0 ? text.data() : "";
}

bool can_be_called(void* library) {
  const auto ask = reinterpret_cast<int (*)(int*)>(dlsym(library, "MPI_Initialized"));
  int running = 0;
  return ask && ask(&running) == 0 && running != 0;
}

/// Opens MPI libraries, and lists those whose version text does not match their name.
class Search {
 public:
  /// Open the library `name`, with `flags` added to RTLD_NOW; null unless it is of this flavour. Only then its symbols become
  /// global.
  void* open(const Flavour& flavour, const std::string& name, int flags) {
    void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | flags);
    if (!library) return nullptr;
    const std::string version = version_of(library);
    const auto begins = [&](const std::string& known) { return version.starts_with(known); };
    if (std::ranges::any_of(flavour.versions, begins))
      return dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    const std::string first = version.substr(0, version.find_first_of(",\n"));
    strangers_.insert(path_of(library, name) + " is no " + flavour.name + " but says " +
                      (first.empty() ? "nothing of itself" : "\"" + first + "\""));
    dlclose(library);
    return nullptr;
  }
  std::string describe_foreign_libraries() const {
    std::string text;
    for (const std::string& stranger : strangers_) text += "; " + stranger;
    return text;
  }

 private:
  std::set<std::string> strangers_;
};

struct Found {
  const Flavour* flavour = nullptr;
  std::string library;
};

/// Of the libraries mapped in this process: the first one that is initialised, else the first.
Found find_mapped(const SearchPaths& paths, Search& search) {
  Found found;
  for (const Flavour& flavour : paths.flavours)
    for (const std::string& soname : flavour.libraries) {
      void* const library = search.open(flavour, soname, RTLD_NOLOAD);
      if (!library || (found.flavour && !can_be_called(library))) continue;
      found = {&flavour, path_of(library, soname)};
      if (can_be_called(library)) return found;
    }
  return found;
}

/// Whether the flavour may be used: a single process may use any MPI, one of several only the launcher's.
bool can_run_under_launcher(const Flavour& flavour, const Launcher& launcher) {
  using Family = Launcher::Family;
  return launcher.family == Family::unknown || launcher.family == flavour.launcher ||
         !launcher.may_have_others();
}

LoadedMpi load_plugin(const SearchPaths& paths, const Flavour& flavour, const std::string& library) {
  std::string tried, refused;
  for (const std::string& folder : paths.plugin_folders) {
    const MappedPlugin plugin = map_plugin(folder, flavour.plugin);
    const std::string path = (fs::path(folder) / flavour.plugin).string();
    if (!plugin.handle) {
      tried += (tried.empty() ? "" : ", ") + folder;
      if (!plugin.refusal.empty()) refused += "; " + path + " is not run: " + plugin.refusal;
      continue;
    }
    const auto get =
        reinterpret_cast<OverlapackMpiTableFunction>(dlsym(plugin.handle, OVERLAPACK_MPI_TABLE_SYMBOL));
    const OverlapackMpiTable* table = get ? get() : nullptr;
    if (!table || table->version != overlapack_mpi_table_version ||
        table->table_bytes != sizeof(OverlapackMpiTable))
      refuse_to_load("the mpi plugin " + path + " belongs to another version of overlapack; rebuild it");
    return {table, flavour.name, library, path};
  }
  refuse_to_load(flavour.name + " is there (" + library + "), but a plugin for it that may be run, " +
                 flavour.plugin + ", is in none of " + tried + refused +
                 "; rebuild overlapack with this MPI's compiler found");
}

}  // namespace

SearchPaths usual_paths() {
  using Family = Launcher::Family;
  SearchPaths paths{{{"Open MPI",
                      {"libmpi.so.40", "libmpi.so.80"},
                      "overlapack_openmpi.so",
                      Family::open_mpi,
                      {"Open MPI"}},
                     {"MPICH",  // and those of its binary interface
                      {"libmpi.so.12", "libmpich.so.12"},
                      "overlapack_mpich.so",
                      Family::mpich,
                      {"MPICH", "Intel(R) MPI", "MVAPICH", "MPI VERSION    : CRAY MPICH"}}},
                    {}};
  for (const fs::path& folder :
       {own_binary_path().parent_path(), folder_of_installation(), fs::path(OVERLAPACK_MPI_PLUGIN_FOLDER)})
    if (!folder.empty()) paths.plugin_folders.push_back(folder.string());
  return paths;
}

LoadedMpi load_mpi_plugin(const SearchPaths& paths, const Launcher& launcher) {
  Search search;
  if (const Found found = find_mapped(paths, search); found.flavour)
    return load_plugin(paths, *found.flavour, found.library);
  std::string looked_for;
  for (const Flavour& flavour : paths.flavours)
    for (const std::string& soname : flavour.libraries) {
      if (!can_run_under_launcher(flavour, launcher)) continue;
      if (void* const library = search.open(flavour, soname, 0))
        return load_plugin(paths, flavour, path_of(library, soname));
      looked_for += (looked_for.empty() ? "" : ", ") + soname;
    }
  refuse_to_load(
      "no MPI library is found (looked for " + looked_for + search.describe_foreign_libraries() +
      "); install Open MPI or MPICH, add its folder to LD_LIBRARY_PATH, or use the engine \"thread\"");
}
#endif

}  // namespace overlapack::comm::mpi
