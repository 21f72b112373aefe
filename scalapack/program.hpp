#pragma once
#include <dlfcn.h>

namespace overlapack::scalapack {

/// A process grid of the program's BLACS, and the position of this process.
struct Grid {
  int context = -1;
  int rows = -1, cols = -1, row = -1, col = -1;
  bool holds_me() const { return rows > 0 && row >= 0; }
  int size() const { return rows * cols; }
};

/// BLACS_GRIDINFO; a grid without this process for an unknown context, or without BLACS.
Grid find_grid(int context);

/// The grid's communicator, as the handle that it has in Fortran.
/// Errors  BadPlan if the program has no blacs_get_
int communicator_of(const Grid& grid);

/// PXERBLA, which the program may have replaced: reports an illegal argument. No effect where there is none.
void report_illegal(int context, const char* routine, int info);

/// The routine of this name in the libraries loaded after this one, or null.
template <class Routine>
Routine* next_routine(const char* name) {
  return reinterpret_cast<Routine*>(dlsym(RTLD_NEXT, name));
}

}  // namespace overlapack::scalapack
