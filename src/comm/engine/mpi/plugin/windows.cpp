#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <climits>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/statvfs.h>
#include <unistd.h>

namespace overlapack::comm::mpi::plugin {

namespace {

/// Open it once everybody has it.
int open_window(OverlapackComm comm, MPI_Win win, bool shared, OverlapackWindow* number) {
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  auto free = std::find_if(state().windows.begin(), state().windows.end(),
                           [](const Window& w) { return w.win == MPI_WIN_NULL; });
  *number = static_cast<OverlapackWindow>(free - state().windows.begin());
  if (free == state().windows.end()) free = state().windows.emplace(free);
  free->win = win;
  free->shared = shared;
  const int code = MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  return code != MPI_SUCCESS ? code : MPI_Barrier(state().comms[comm]);
}

/// Where Open MPI and MPICH make files of shared memory, unless told otherwise. MPIs that are built from MPICH may do it elsewhere.
bool is_in_dev_shm() {
  char text[overlapack_mpi_text_bytes] = "";
  library_version(text);
  const std::string_view version = text;
  return version.starts_with("MPICH") ||
         (version.starts_with("Open MPI") && !std::getenv("OMPI_MCA_osc_sm_backing_directory"));
}

/// Is there surely less than so much? Not where nobody tells, or it has no limit.
bool is_too_small(std::int64_t bytes) {
  struct statvfs place {};
  if (!is_in_dev_shm() || access("/dev/shm", W_OK) != 0 || statvfs("/dev/shm", &place) != 0) return false;
  const double room = static_cast<double>(place.f_bavail) * static_cast<double>(place.f_frsize);
  return place.f_blocks > 0 && static_cast<double>(bytes) > room;
}

/// One rank makes the file, and where it finds no room, Open MPI leaves the others waiting for it, while MPICH's are killed when
/// they touch it: so that rank looks first, for all. A single rank needs no file.
/// Sync  collective
int check_room(MPI_Comm comm, std::int64_t bytes) {
  constexpr std::int64_t page = 4096;  // of each rank, for what MPI adds
  int rank = 0, size = 1, is_full = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (size == 1) return MPI_SUCCESS;
  const std::int64_t mine = bytes + page;
  std::int64_t all = 0;
  int code = MPI_Reduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, 0, comm);
  if (code != MPI_SUCCESS) return code;
  if (rank == 0) is_full = is_too_small(all);
  code = MPI_Bcast(&is_full, 1, MPI_INT, 0, comm);
  return code == MPI_SUCCESS && is_full ? overlapack_mpi_no_room : code;
}

}  // namespace

int allocate_window(OverlapackComm comm, std::int64_t bytes, int shared, void** memory,
                    OverlapackWindow* number) {
  int code = reserve(0, 0, 1);
  if (code == MPI_SUCCESS && shared) code = check_room(state().comms[comm], bytes);
  if (code != MPI_SUCCESS) return code;
  MPI_Win win = MPI_WIN_NULL;
  const auto call = shared ? MPI_Win_allocate_shared : MPI_Win_allocate;
  code = call(bytes, 1, MPI_INFO_NULL, state().comms[comm], memory, &win);
  if (code != MPI_SUCCESS) return code;
  std::memset(*memory, 0, static_cast<std::size_t>(bytes));
  return open_window(comm, win, shared != 0, number);
}

int attach_window(OverlapackComm comm, void* memory, std::int64_t bytes, OverlapackWindow* number) {
  if (const int code = reserve(0, 0, 1); code != MPI_SUCCESS) return code;
  MPI_Win win = MPI_WIN_NULL;
  const int code = MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, state().comms[comm], &win);
  return code != MPI_SUCCESS ? code : open_window(comm, win, false, number);
}

int free_window(OverlapackWindow window) {
  const int code = MPI_Win_unlock_all(state().windows[window].win);
  return code != MPI_SUCCESS ? code : MPI_Win_free(&state().windows[window].win);
}

int shared_memory(OverlapackWindow window, int target, void** memory) {
  MPI_Aint bytes = 0;
  int unit = 0;
  *memory = nullptr;
  const Window& w = state().windows[window];
  return w.shared ? MPI_Win_shared_query(w.win, target, &bytes, &unit, memory) : MPI_SUCCESS;
}

namespace {

constexpr std::int64_t part_bytes = 1 << 30;  ///< one access moves at most this (MPI counts are int)

/// Call access(target's displacement, local offset, bytes or blocks) for parts that MPI's int counts can name:
/// whole blocks while they are small, pieces of a block when one is large.
template <class Access>
int in_parts(const OverlapackStrides& at, Access access) {
  const std::int64_t piece = std::min(at.block_bytes, part_bytes);
  for (std::int64_t block = 0; block < at.blocks; ++block)
    for (std::int64_t done = 0; done < at.block_bytes; done += piece) {
      const std::int64_t bytes = std::min(piece, at.block_bytes - done);
      const int code =
          access(at.offset + block * at.stride_bytes + done, block * at.block_bytes + done, bytes);
      if (code != MPI_SUCCESS) return code;
    }
  return MPI_SUCCESS;
}

bool is_one_access(const OverlapackStrides& at) {
  return at.blocks > 1 && at.blocks <= INT_MAX && at.block_bytes * at.blocks <= part_bytes;
}

MPI_Datatype strided_type(const OverlapackStrides& at) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(static_cast<int>(at.blocks), static_cast<int>(at.block_bytes), at.stride_bytes,
                          MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

}  // namespace

int put(OverlapackWindow window, int target, const OverlapackStrides* at, const void* from) {
  const MPI_Win win = state().windows[window].win;
  if (is_one_access(*at)) {
    MPI_Datatype type = strided_type(*at);
    const int code = MPI_Put(from, static_cast<int>(at->block_bytes * at->blocks), MPI_BYTE, target,
                             at->offset, 1, type, win);
    MPI_Type_free(&type);
    return code;
  }
  return in_parts(*at, [&](std::int64_t there, std::int64_t here, std::int64_t bytes) {
    return MPI_Put(static_cast<const char*>(from) + here, static_cast<int>(bytes), MPI_BYTE, target, there,
                   static_cast<int>(bytes), MPI_BYTE, win);
  });
}

int get(OverlapackWindow window, int target, const OverlapackStrides* at, void* to) {
  const MPI_Win win = state().windows[window].win;
  if (is_one_access(*at)) {
    MPI_Datatype type = strided_type(*at);
    const int code = MPI_Get(to, static_cast<int>(at->block_bytes * at->blocks), MPI_BYTE, target, at->offset,
                             1, type, win);
    MPI_Type_free(&type);
    return code;
  }
  return in_parts(*at, [&](std::int64_t there, std::int64_t here, std::int64_t bytes) {
    return MPI_Get(static_cast<char*>(to) + here, static_cast<int>(bytes), MPI_BYTE, target, there,
                   static_cast<int>(bytes), MPI_BYTE, win);
  });
}

int flush(OverlapackWindow window, int target) {
  const MPI_Win win = state().windows[window].win;
  return target < 0 ? MPI_Win_flush_all(win) : MPI_Win_flush(target, win);
}

int fetch_add(OverlapackWindow window, int target, std::int64_t offset, const std::int64_t* add,
              std::int64_t* before) {
  return MPI_Fetch_and_op(add, before, MPI_INT64_T, target, offset, MPI_SUM, state().windows[window].win);
}

int store_words(OverlapackWindow window, int target, std::int64_t offset, std::int64_t words, int word_bytes,
                const void* from) {
  const MPI_Datatype type = word_bytes == 4 ? MPI_UINT32_T : MPI_UINT64_T;
  const OverlapackStrides at{offset, words * word_bytes, 0, 1};
  const MPI_Win win = state().windows[window].win;
  return in_parts(at, [&](std::int64_t there, std::int64_t here, std::int64_t bytes) {
    const int count = static_cast<int>(bytes / word_bytes);
    return MPI_Accumulate(static_cast<const char*>(from) + here, count, type, target, there, count, type,
                          MPI_REPLACE, win);
  });
}

int synchronise(OverlapackWindow window) { return MPI_Win_sync(state().windows[window].win); }

}  // namespace overlapack::comm::mpi::plugin
