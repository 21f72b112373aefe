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

/// In the libraries one by one, since MUMPS may be in the hands of a module of Python's alone.
EntryPoint other_function(const char* name) {
  for (const std::string& library : loaded_libraries()) {
    void* handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) continue;
    const bool is_ours = dlsym(handle, "overlapack_mumps_message") != nullptr;
    const auto function = reinterpret_cast<EntryPoint>(dlsym(handle, name));
    dlclose(handle);  // the program has it loaded still
    if (function && !is_ours) return function;
  }
  return nullptr;
}

/// Is a version of this layout written where the layout has it?
template <class T, int Layout>
bool is_of_layout(const void* struc) {
  const char* text = static_cast<const Struc<T, Layout>*>(struc)->version_number;
  return layout_of({text, strnlen(text, sizeof Struc<T, Layout>::version_number)}) == Layout;
}

template <class T>
int layout_that_writes(EntryPoint mumps) {
  struct Asked {
    Struc<T, 509> id;
    char room[32768];  // of a layout that is not known
  };
  const auto asked = std::make_unique<Asked>();
  auto& id = asked->id;  // up to `n` all layouts are alike
  id.par = 1;
  id.comm_fortran = communicator_alone();
  id.job = -1;
  mumps(asked.get());
  int layout = 0;
  if (is_of_layout<T, 503>(asked.get())) layout = 503;
  if (is_of_layout<T, 507>(asked.get())) layout = 507;
  if (is_of_layout<T, 509>(asked.get())) layout = 509;
  std::fill_n(id.icntl, 4, MUMPS_INT{0});  // it prints nothing
  id.job = -2;
  mumps(asked.get());
  return layout;
}

}  // namespace

template <class T>
Beside beside(const char* name) {
  static const Beside found = [&] {
    Beside other{other_function(name)};
    if (other.mumps) other.layout = layout_that_writes<T>(other.mumps);
    return other;
  }();
  return found;
}

template Beside beside<float>(const char*);
template Beside beside<double>(const char*);
template Beside beside<std::complex<float>>(const char*);
template Beside beside<std::complex<double>>(const char*);

}  // namespace overlapack::dropins::mumps
