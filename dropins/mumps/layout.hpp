#pragma once
#include <string>

namespace overlapack::dropins::mumps {

/// A function of MUMPS's C interface: smumps_c and its like.
using EntryPoint = void (*)(void*);

/// What the program has beside the drop-in: MUMPS itself, as a rule, since programs are linked with it.
struct Beside {
  EntryPoint mumps = nullptr;  ///< its function; null: there is none
  int layout = 0;              ///< of its structs; 0: none that is known
  std::string version = {};    ///< that it tells
};

/// The function `name` of a loaded library that is no drop-in of ours, and the layout of its structs. A struct does not tell which version
/// its owner was compiled with: that MUMPS is asked, by job -1 with a struct of our own.
/// Cost    once a T
template <class T>
Beside beside(const char* name);

}  // namespace overlapack::dropins::mumps
