#include "processes.hpp"

#include <mpi.h>

namespace overlapack::dropins::mumps {

Processes processes_of(int comm_fortran) {
  constexpr int world = -987654;
  Processes result;
  result.communicator = comm_fortran == world ? MPI_Comm_c2f(MPI_COMM_WORLD) : comm_fortran;
  const MPI_Comm communicator = MPI_Comm_f2c(result.communicator);
  int all = 1;
  MPI_Comm_rank(communicator, &result.rank);
  MPI_Comm_size(communicator, &result.size);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  result.is_alone = all == 1;
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_size(here, &result.here);
  MPI_Comm_free(&here);
  return result;
}

int communicator_alone() { return MPI_Comm_c2f(MPI_COMM_SELF); }

void broadcast(const Processes& processes, void* data, std::size_t bytes) {
  MPI_Bcast(data, static_cast<int>(bytes), MPI_BYTE, 0, MPI_Comm_f2c(processes.communicator));
}

int largest(const Processes& processes, int value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_Comm_f2c(processes.communicator));
  return value;
}

}  // namespace overlapack::dropins::mumps
