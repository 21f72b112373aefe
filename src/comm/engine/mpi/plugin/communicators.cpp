#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace overlapack::comm::mpi::plugin {

namespace {

/// The communicator that make(MPI_Comm*) gives, once there is room for it: no rank may be missing in that call.
template <class Make>
int new_comm(OverlapackComm* number, Make make) {
  MPI_Comm comm = MPI_COMM_NULL;
  int code = reserve(0, 1, 0);
  if (code == MPI_SUCCESS) code = make(&comm);
  return code != MPI_SUCCESS ? code : number_of(comm, number);
}

}  // namespace

int duplicate_user_comm(const void* address, OverlapackComm* comm) {
  const MPI_Comm from = address ? *static_cast<const MPI_Comm*>(address) : MPI_COMM_WORLD;
  int is_between_groups = 0;  // MPI itself would end the program, as its callers' errors do
  if (from != MPI_COMM_NULL)
    if (const int code = MPI_Comm_test_inter(from, &is_between_groups); code != MPI_SUCCESS) return code;
  if (from == MPI_COMM_NULL || is_between_groups) return overlapack_mpi_no_ranks;
  return new_comm(comm, [&](MPI_Comm* copy) { return MPI_Comm_dup(from, copy); });
}

int duplicate_fortran_comm(int handle, OverlapackComm* comm) {
  const MPI_Comm from = MPI_Comm_f2c(handle);
  return duplicate_user_comm(&from, comm);
}

int duplicate(OverlapackComm from, OverlapackComm* comm) {
  return duplicate_user_comm(&state().comms[from], comm);
}

int split(OverlapackComm from, int color, int key, OverlapackComm* comm) {
  return new_comm(comm,
                  [&](MPI_Comm* part) { return MPI_Comm_split(state().comms[from], color, key, part); });
}

int split_node(OverlapackComm from, OverlapackComm* comm) {
  return new_comm(comm, [&](MPI_Comm* part) {
    return MPI_Comm_split_type(state().comms[from], MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, part);
  });
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
  const auto translate = [&] {
    std::vector<int> places(static_cast<std::size_t>(*size));
    std::iota(places.begin(), places.end(), 0);
    const int code = MPI_Comm_group(MPI_COMM_WORLD, &world);
    return code != MPI_SUCCESS ? code : MPI_Group_translate_ranks(mine, *size, places.data(), world, ranks);
  };
  int code = MPI_Comm_group(MPI_Comm_f2c(handle), &mine);
  if (code == MPI_SUCCESS) code = MPI_Group_size(mine, size);
  if (code == MPI_SUCCESS && *size <= room) {
    code = guarded(translate);
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
