#include "layout.hpp"

#include "processes.hpp"
#include "struc.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <memory>
#include <string>
#include <vector>

namespace overlapack::dropins::mumps {
namespace {

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* list) {
        if (info->dlpi_name && *info->dlpi_name)
          static_cast<std::vector<std::string>*>(list)->emplace_back(info->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

/// Find MUMPS's function of this name. It searches the loaded libraries one by one, since a Python module may have loaded MUMPS locally.
EntryPoint other_function(const char* name) {
  for (const std::string& library : loaded_libraries()) {
    void* handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) continue;
    const bool is_ours = dlsym(handle, "overlapack_mumps_message") != nullptr;
    const auto function = reinterpret_cast<EntryPoint>(dlsym(handle, name));
    dlclose(handle);  // the program still has it loaded
    if (function && !is_ours) return function;
  }
  return nullptr;
}

/// Set layout and version if the struct has a version of this layout in its member.
template <class T, int Layout>
void find_version(const void* struc, Beside& found) {
  const char* text = static_cast<const Struc<T, Layout>*>(struc)->version_number;
  const std::string version(text, strnlen(text, sizeof Struc<T, Layout>::version_number));
  if (layout_of(version) == Layout) found.layout = Layout, found.version = version;
}

/// Ask a MUMPS for its layout and version, by its job -1.
template <class T>
Beside query_layout(EntryPoint mumps) {
  struct Asked {
    Struc<T, 509> id;
    char room[32768];  // for an unknown layout
  };
  const auto room = std::make_unique<Asked>();
  auto& id = room->id;  // up to `n` all layouts are the same
  id.par = 1;
  id.comm_fortran = communicator_alone();
  id.job = -1;
  mumps(room.get());
  Beside found{mumps};
  find_version<T, 503>(room.get(), found);
  find_version<T, 507>(room.get(), found);
  find_version<T, 509>(room.get(), found);
  std::fill_n(id.icntl, 4, MUMPS_INT{0});  // no output
  id.job = -2;
  mumps(room.get());
  return found;
}

}  // namespace

template <class T>
Beside beside(const char* name) {
  static const Beside found = [&] {
    const EntryPoint other = other_function(name);
    return other ? query_layout<T>(other) : Beside{};
  }();
  return found;
}

template Beside beside<float>(const char*);
template Beside beside<double>(const char*);
template Beside beside<std::complex<float>>(const char*);
template Beside beside<std::complex<double>>(const char*);

}  // namespace overlapack::dropins::mumps
