#pragma once
#include <dlfcn.h>

namespace overlapack::scalapack {

/// A process grid as the program's BLACS has it, and this process's place.
struct Grid {
  int context = -1;
  int rows = -1, cols = -1, row = -1, col = -1;
  bool holds_me() const { return rows > 0 && row >= 0; }
  int size() const { return rows * cols; }
};

/// BLACS_GRIDINFO; a grid that does not hold me for a context that there is not, or without BLACS.
Grid find_grid(int context);

/// The grid's communicator, as the handle that it has in Fortran.
/// Errors  BadPlan if the program's BLACS does not tell
int communicator_of(const Grid& grid);

/// PXERBLA, which the program may have replaced: tells people of an illegal argument. Nothing where there is none.
void report_illegal(int context, const char* routine, int info);

/// The routine of this name in the libraries behind this one, or null.
template <class Routine>
Routine* next_routine(const char* name) {
  return reinterpret_cast<Routine*>(dlsym(RTLD_NEXT, name));
}

}  // namespace overlapack::scalapack
