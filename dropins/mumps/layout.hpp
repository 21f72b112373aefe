#pragma once
#include <string>

namespace overlapack::dropins::mumps {

/// A function of MUMPS's C interface: smumps_c and its like.
using EntryPoint = void (*)(void*);

/// The MUMPS that the program has loaded besides the drop-in, as programs linked with it do.
struct Beside {
  EntryPoint mumps = nullptr;  ///< its function; null: there is none
  int layout = 0;              ///< of its structs; 0: unknown
  std::string version = {};    ///< by its own report
};

/// The function `name` of a loaded library that is no drop-in of ours, and the layout of its structs. A struct does not show which
/// version its owner was compiled with: that MUMPS is asked, by job -1 with a struct of our own.
/// Cost    once a T
template <class T>
Beside beside(const char* name);

}  // namespace overlapack::dropins::mumps
