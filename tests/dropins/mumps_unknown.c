/* A program of a MUMPS whose structs the drop-in does not know, which it has to leave to that MUMPS. */
#include <mpi.h>

#include <dlfcn.h>
#include <dmumps_c.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  static DMUMPS_STRUC_C id;
  const char* (*message)(void) = (const char* (*)(void))dlsym(RTLD_DEFAULT, "overlapack_mumps_message");
  MPI_Init(&argc, &argv);
  id.job = -1;
  id.par = 1;
  id.comm_fortran = -987654;
  dmumps_c(&id);
  int is_right = message && id.infog[0] == 0 && strcmp(id.version_number, MUMPS_VERSION) == 0;
  id.job = 6;
  dmumps_c(&id);
  is_right = is_right && id.infog[0] == -99 && strstr(message(), "MUMPS itself solves");
  puts(is_right ? "left to MUMPS" : "FAILED");
  MPI_Finalize();
  return !is_right;
}
