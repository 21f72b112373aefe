#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace overlapack::comm::mpi::plugin {

int duplicate_user_comm(const void* address, OverlapackComm* comm) {
  const MPI_Comm from = address ? *static_cast<const MPI_Comm*>(address) : MPI_COMM_WORLD;
  MPI_Comm copy = MPI_COMM_NULL;
  const int code = MPI_Comm_dup(from, &copy);
  return code != MPI_SUCCESS ? code : number_of(copy, comm);
}

int duplicate_fortran_comm(int handle, OverlapackComm* comm) {
  const MPI_Comm from = MPI_Comm_f2c(handle);
  return duplicate_user_comm(&from, comm);
}

int duplicate(OverlapackComm from, OverlapackComm* comm) {
  return duplicate_user_comm(&state().comms[from], comm);
}

int split(OverlapackComm from, int color, int key, OverlapackComm* comm) {
  MPI_Comm part = MPI_COMM_NULL;
  const int code = MPI_Comm_split(state().comms[from], color, key, &part);
  return code != MPI_SUCCESS ? code : number_of(part, comm);
}

int split_node(OverlapackComm from, OverlapackComm* comm) {
  MPI_Comm part = MPI_COMM_NULL;
  const int code = MPI_Comm_split_type(state().comms[from], MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part);
  return code != MPI_SUCCESS ? code : number_of(part, comm);
}

int free_comm(OverlapackComm comm) {
#ifdef OVERLAPACK_SMPI
  state().collectives.erase(comm);
#endif
  return MPI_Comm_free(&state().comms[comm]);
}

int rank_and_size(OverlapackComm comm, int* rank, int* size) {
  const int code = MPI_Comm_rank(state().comms[comm], rank);
  return code != MPI_SUCCESS ? code : MPI_Comm_size(state().comms[comm], size);
}

int world_ranks(int handle, int room, int* size, int* ranks) {
  MPI_Group mine = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  int code = MPI_Comm_group(MPI_Comm_f2c(handle), &mine);
  if (code == MPI_SUCCESS) code = MPI_Group_size(mine, size);
  if (code == MPI_SUCCESS && *size <= room) {
    std::vector<int> places(static_cast<std::size_t>(*size));
    std::iota(places.begin(), places.end(), 0);
    code = MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (code == MPI_SUCCESS) code = MPI_Group_translate_ranks(mine, *size, places.data(), world, ranks);
    std::replace(ranks, ranks + *size, MPI_UNDEFINED, -1);
  }
  if (mine != MPI_GROUP_NULL) MPI_Group_free(&mine);
  if (world != MPI_GROUP_NULL) MPI_Group_free(&world);
  return code;
}

int largest_tag(int* tag) {
  void* value = nullptr;
  int found = 0;
  const int code = MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
  *tag = found ? *static_cast<int*>(value) : 32767;
  return code;
}

}  // namespace overlapack::comm::mpi::plugin
