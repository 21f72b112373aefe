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

/// The grid of a context, by BLACS_GRIDINFO. For an unknown context, or without BLACS, it is a grid without this process.
Grid find_grid(int context);

/// The grid's communicator, as its handle in Fortran.
/// Errors  BadPlan if the program has no blacs_get_
int communicator_of(const Grid& grid);

/// Report an illegal argument by PXERBLA, which the program may have replaced. Without a PXERBLA it has no effect.
void report_illegal(int context, const char* routine, int info);

/// The routine of this name in the libraries loaded after this one, or null.
template <class Routine>
Routine* next_routine(const char* name) {
  return reinterpret_cast<Routine*>(dlsym(RTLD_NEXT, name));
}

}  // namespace overlapack::scalapack
