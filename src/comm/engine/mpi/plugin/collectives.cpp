#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

namespace overlapack::comm::mpi::plugin {

int barrier(OverlapackComm comm, OverlapackRequest* number) {
  return start(number, [&](MPI_Request* request) { return MPI_Ibarrier(state().comms[comm], request); });
}

int allgather(OverlapackComm comm, const void* from, std::int64_t bytes, void* to,
              OverlapackRequest* number) {
  const int count = static_cast<int>(bytes);
  return start(number, [&](MPI_Request* request) {
    return MPI_Iallgather(from, count, MPI_BYTE, to, count, MPI_BYTE, state().comms[comm], request);
  });
}

int alltoall(OverlapackComm comm, const void* from, std::int64_t bytes, void* to, OverlapackRequest* number) {
  const int count = static_cast<int>(bytes);
  return start(number, [&](MPI_Request* request) {
    return MPI_Ialltoall(from, count, MPI_BYTE, to, count, MPI_BYTE, state().comms[comm], request);
  });
}

int broadcast(OverlapackComm comm, void* data, std::int64_t bytes, int root, OverlapackRequest* number) {
  return start(number, [&](MPI_Request* request) {
    return MPI_Ibcast(data, static_cast<int>(bytes), MPI_BYTE, root, state().comms[comm], request);
  });
}

}  // namespace overlapack::comm::mpi::plugin
