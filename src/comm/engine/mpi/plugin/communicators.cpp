#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace overlapack::comm::mpi::plugin {

namespace {

/// Register the communicator that make(MPI_Comm*) creates. Reserves its slot first: a rank that failed before that collective call
/// would block the others.
template <class Make>
int new_comm(OverlapackComm* number, Make make) {
  MPI_Comm comm = MPI_COMM_NULL;
  int code = reserve(0, 1, 0);
  if (code == MPI_SUCCESS) code = make(&comm);
  return code != MPI_SUCCESS ? code : number_of(comm, number);
}

MPI_Comm of_user(const OverlapackUserComm& comm) {
  if (comm.fortran_handle) return MPI_Comm_f2c(*comm.fortran_handle);
  return comm.address ? *static_cast<const MPI_Comm*>(comm.address) : MPI_COMM_WORLD;
}

/// Reject null and inter-communicators here: MPI's own error handler would end the program. A number of Fortran that Open MPI does
/// not know, and a variable that was never set but to zero, are MPI_Comm{}.
int check_user_comm(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || comm == MPI_Comm{}) return overlapack_mpi_no_ranks;
  int is_between_groups = 0;
  const int code = MPI_Comm_test_inter(comm, &is_between_groups);
  return code == MPI_SUCCESS && is_between_groups ? overlapack_mpi_no_ranks : code;
}

}  // namespace

int duplicate_user_comm(const OverlapackUserComm* from, OverlapackComm* comm) {
  const int code = check_user_comm(of_user(*from));
  return code != MPI_SUCCESS
             ? code
             : new_comm(comm, [&](MPI_Comm* copy) { return MPI_Comm_dup(of_user(*from), copy); });
}

int barrier_of_user_comm(const OverlapackUserComm* comm, OverlapackRequest* number) {
  const int code = check_user_comm(of_user(*comm));
  if (code != MPI_SUCCESS) return code;
  return start(number, [&](MPI_Request* request) { return MPI_Ibarrier(of_user(*comm), request); });
}

#ifdef OVERLAPACK_SMPI

// All simulated ranks share the communicators, and so their attributes: kept in each rank's State instead.

int set_comm_attribute(const OverlapackUserComm* comm, void* what, void (*)(void*)) {
  return guarded([&] {
    state().kept[of_user(*comm)] = what;
    return MPI_SUCCESS;
  });
}

int get_comm_attribute(const OverlapackUserComm* comm, void** what) {
  const auto kept = state().kept.find(of_user(*comm));
  *what = kept == state().kept.end() ? nullptr : kept->second;
  return MPI_SUCCESS;
}

#else

namespace {

struct Kept {
  void* what;
  void (*forget)(void*);
};

int free_kept_attribute(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<Kept> kept(static_cast<Kept*>(attribute));
  kept->forget(kept->what);
  return MPI_SUCCESS;
}

/// Attribute key for kept pointers, made at first use.
int key_of_kept(int* key) {
  static int made = MPI_KEYVAL_INVALID;
  int code = MPI_SUCCESS;
  if (made == MPI_KEYVAL_INVALID)
    code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_kept_attribute, &made, nullptr);
  *key = made;
  return code;
}

}  // namespace

int set_comm_attribute(const OverlapackUserComm* comm, void* what, void (*forget)(void*)) {
  int key = MPI_KEYVAL_INVALID;
  const int code = key_of_kept(&key);
  return code != MPI_SUCCESS ? code : guarded([&] {
    auto kept = std::make_unique<Kept>(Kept{what, forget});
    const int set = MPI_Comm_set_attr(of_user(*comm), key, kept.get());
    if (set == MPI_SUCCESS) static_cast<void>(kept.release());  // free_kept_attribute owns it now
    return set;
  });
}

int get_comm_attribute(const OverlapackUserComm* comm, void** what) {
  *what = nullptr;
  int key = MPI_KEYVAL_INVALID, found = 0;
  void* attribute = nullptr;
  int code = check_user_comm(of_user(*comm));
  if (code == MPI_SUCCESS) code = key_of_kept(&key);
  if (code == MPI_SUCCESS) code = MPI_Comm_get_attr(of_user(*comm), key, &attribute, &found);
  if (found) *what = static_cast<Kept*>(attribute)->what;
  return code;
}

#endif

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
    std::vector<int> positions(static_cast<std::size_t>(*size));
    std::iota(positions.begin(), positions.end(), 0);
    const int code = MPI_Comm_group(MPI_COMM_WORLD, &world);
    return code != MPI_SUCCESS ? code
                               : MPI_Group_translate_ranks(mine, *size, positions.data(), world, ranks);
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
