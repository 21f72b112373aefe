#pragma once
#include <cstddef>

/// The processes of an instance of MUMPS. Two sources have these functions: processes_mpi.cpp, and processes_one.cpp for MUMPS's
/// sequential library, whose MPI is a stub.
namespace overlapack::dropins::mumps {

struct Processes {
  int communicator = 0;  ///< its number in Fortran
  int rank = 0, size = 1;
  int here = 1;          ///< number of them on this computer
  bool is_alone = true;  ///< the program has one process
  bool is_host() const { return rank == 0; }
};

/// The processes for comm_fortran, as MUMPS's callers set it: a communicator, or -987654 for all processes.
Processes processes_of(int comm_fortran);
/// A communicator of this process alone, by its number in Fortran.
int communicator_alone();
/// Send from the host, process 0, to all.
void broadcast(const Processes& processes, void* data, std::size_t bytes);
/// The largest value over all processes.
int largest(const Processes& processes, int value);

}  // namespace overlapack::dropins::mumps
