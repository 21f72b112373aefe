#include "program.hpp"

#include "overlapack/error.hpp"

#include <cstring>

namespace overlapack::scalapack {
namespace {

constexpr int comm_of_context = 10;  // BLACS_GET's WHAT for the communicator of a context

/// A function of the program: this library does not link BLACS.
template <class Routine>
Routine* find(const char* name) {
  return reinterpret_cast<Routine*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

Grid find_grid(int context) {
  using GridInfo = void(const int*, int*, int*, int*, int*);
  static GridInfo* const grid_info = find<GridInfo>("blacs_gridinfo_");
  Grid grid{.context = context};
  if (grid_info) grid_info(&context, &grid.rows, &grid.cols, &grid.row, &grid.col);
  return grid;
}

int communicator_of(const Grid& grid) {
  using Get = void(const int*, const int*, int*);
  static Get* const get = find<Get>("blacs_get_");
  if (!get)
    throw Error(Status::bad_plan,
                "the program has no blacs_get_; link a BLACS on MPI, as ScaLAPACK 2 has it inside");
  int handle = 0;
  get(&grid.context, &comm_of_context, &handle);
  return handle;
}

void report_illegal(int context, const char* routine, int info) {
  using Report = void(const int*, const char*, const int*, std::size_t);
  static Report* const report = find<Report>("pxerbla_");
  const int positive = -info;
  if (report) report(&context, routine, &positive, std::strlen(routine));
}

}  // namespace overlapack::scalapack
