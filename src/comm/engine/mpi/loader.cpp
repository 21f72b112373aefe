#include "comm/engine/mpi/loader.hpp"

#include "overlapack/error.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#if defined(OVERLAPACK_SMPI) || defined(OVERLAPACK_SHMEM)
extern "C" const OverlapackMpiTable* overlapack_mpi_table();
#endif

namespace overlapack::comm::mpi {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_to_load(const std::string& message) {
  throw Error(ErrorKind::bad_plan, "mpi", message);
}

/// The folder of the shared library or executable that holds this code.
fs::path own_folder() {
  Dl_info info;
  std::error_code ignored;
  if (!dladdr(reinterpret_cast<const void*>(&usual_places), &info) || !info.dli_fname) return {};
  const fs::path name = info.dli_fname;
  if (!name.has_parent_path())  // a program found through PATH: the working directory may have another of that name
    return fs::read_symlink("/proc/self/exe", ignored).parent_path();
  return fs::canonical(name, ignored).parent_path();
}

/// The build tree's folder is known by its path alone: where this is installed, that may be somebody else's by now.
[[maybe_unused]] bool belongs_to_us_or_root(const char* folder) {
  struct stat facts {};
  return stat(folder, &facts) == 0 && (facts.st_uid == 0 || facts.st_uid == geteuid()) &&
         (facts.st_mode & S_IWOTH) == 0;
}

std::string path_of(void* library, const std::string& soname) {
  void* symbol = dlsym(library, "MPI_Initialized");
  Dl_info info;
  return symbol && dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : soname;
}

/// The library if this process has it; then its symbols are made visible to the plugin.
void* find_mapped(const Flavour& flavour, std::string& name) {
  for (const std::string& soname : flavour.libraries)
    if (void* library = dlopen(soname.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL)) {
      name = path_of(library, soname);
      return library;
    }
  return nullptr;
}

void* map(const Flavour& flavour, std::string& name) {
  for (const std::string& soname : flavour.libraries)
    if (void* library = dlopen(soname.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
      name = path_of(library, soname);
      return library;
    }
  return nullptr;
}

LoadedMpi load_plugin(const Places& places, const Flavour& flavour, const std::string& library) {
  std::string tried;
  for (const std::string& folder : places.plugin_folders) {
    const fs::path path = fs::path(folder) / flavour.plugin;
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
      tried += (tried.empty() ? "" : ", ") + folder;
      continue;
    }
    void* plugin = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!plugin)
      refuse_to_load("the mpi plugin cannot be loaded (" + std::string(dlerror()) +
                     "); rebuild it for this MPI");
    const auto get = reinterpret_cast<OverlapackMpiTableFunction>(dlsym(plugin, OVERLAPACK_MPI_TABLE_SYMBOL));
    const OverlapackMpiTable* table = get ? get() : nullptr;
    if (!table || table->version != overlapack_mpi_table_version ||
        table->table_bytes != sizeof(OverlapackMpiTable))
      refuse_to_load("the mpi plugin " + path.string() +
                     " belongs to another version of overlapack; rebuild it");
    return {table, flavour.name, library, path.string()};
  }
  refuse_to_load(flavour.name + " is there (" + library + "), but overlapack's plugin for it, " +
                 flavour.plugin + ", is in none of " + tried +
                 "; rebuild overlapack with this MPI's compiler found");
}

}  // namespace

Places usual_places() {
  using Family = Launcher::Family;
  Places places;
  places.flavours = {
      {"Open MPI", {"libmpi.so.40", "libmpi.so.80"}, "overlapack_openmpi.so", Family::open_mpi},
      {"MPICH", {"libmpi.so.12", "libmpich.so.12"}, "overlapack_mpich.so", Family::mpich}};
  const fs::path own = own_folder();
  // a program in bin, or a library in lib or lib/ARCHITECTURE
  for (const fs::path& folder : {own, own / "../lib/overlapack", own / "../lib", own / "../overlapack"})
    if (!own.empty()) places.plugin_folders.push_back(folder.string());
#ifdef OVERLAPACK_MPI_PLUGIN_FOLDER
  if (belongs_to_us_or_root(OVERLAPACK_MPI_PLUGIN_FOLDER))
    places.plugin_folders.push_back(OVERLAPACK_MPI_PLUGIN_FOLDER);
#endif
  return places;
}

LoadedMpi load_mpi([[maybe_unused]] const Places& places, [[maybe_unused]] const Launcher& launcher) {
#if defined(OVERLAPACK_SMPI)
  return {overlapack_mpi_table(), "SMPI", "libsimgrid", "built in"};
#elif defined(OVERLAPACK_SHMEM)
  return {overlapack_mpi_table(), "OpenSHMEM", "liboshmem", "built in"};
#else
  using Family = Launcher::Family;
  std::string library, looked_for;
  for (const Flavour& flavour : places.flavours)
    if (find_mapped(flavour, library)) return load_plugin(places, flavour, library);
  for (const Flavour& flavour : places.flavours) {
    const bool fits = launcher.family == Family::none || launcher.family == Family::unknown ||
                      launcher.family == flavour.launcher;
    if (fits && map(flavour, library)) return load_plugin(places, flavour, library);
    for (const std::string& soname : flavour.libraries)
      if (fits) looked_for += (looked_for.empty() ? "" : ", ") + soname;
  }
  refuse_to_load(
      "no MPI library is found (looked for " + looked_for +
      "); install Open MPI or MPICH, add its folder to LD_LIBRARY_PATH, or use the engine \"thread\"");
#endif
}

}  // namespace overlapack::comm::mpi
