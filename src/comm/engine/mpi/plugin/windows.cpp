#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/parts.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

namespace overlapack::comm::mpi::plugin {

namespace {

constexpr std::int64_t line_bytes = 64;  // of a cache

/// Reserve memory for a window's data before the collective call that makes it: a rank that failed in between would block the
/// others.
int make_room(MPI_Comm comm, Window* window) {
  int size = 1;
  int code = reserve(0, 0, 1);
  if (code == MPI_SUCCESS) code = MPI_Comm_size(comm, &size);
  if (code != MPI_SUCCESS) return code;
  window->begins = std::move(state().spare_begins.back());
  state().spare_begins.pop_back();
  window->begins.resize(static_cast<std::size_t>(size));  // which is no more than the largest communicator's
  return MPI_SUCCESS;
}

/// Whether the window has the unified memory model: the owner then sees signals and words by plain loads.
int query_memory_model(MPI_Win win, bool* is_unified) {
  int* model = nullptr;
  int found = 0;
  const int code = MPI_Win_get_attr(win, MPI_WIN_MODEL, static_cast<void*>(&model), &found);
  *is_unified = code != MPI_SUCCESS || !found || *model != MPI_WIN_SEPARATE;
  return code;
}

constexpr unsigned char no_begin = line_bytes;  // marks a rank whose window has the separate model

/// Start the window's epoch and exchange the offsets; returns once all ranks have done so. begin: offset of this rank's bytes in
/// MPI's memory, already initialised.
int open_window(MPI_Comm comm, Window window, std::int64_t begin, OverlapackWindow* number) {
  bool is_unified = true;
  int code = MPI_Win_set_errhandler(window.win, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS) code = query_memory_model(window.win, &is_unified);
  if (code == MPI_SUCCESS) code = MPI_Win_lock_all(MPI_MODE_NOCHECK, window.win);
  if (code == MPI_SUCCESS) code = MPI_Win_sync(window.win);
  if (code != MPI_SUCCESS) return code;
  const unsigned char mine = is_unified ? static_cast<unsigned char>(begin) : no_begin;
  code = MPI_Allgather(&mine, 1, MPI_UNSIGNED_CHAR, window.begins.data(), 1, MPI_UNSIGNED_CHAR, comm);
  if (code != MPI_SUCCESS) return code;
  if (std::ranges::find(window.begins, no_begin) != window.begins.end()) {
    code = MPI_Win_unlock_all(window.win);
    if (code == MPI_SUCCESS) code = MPI_Win_free(&window.win);
    return code == MPI_SUCCESS ? overlapack_mpi_separate : code;
  }
  auto free = std::find_if(state().windows.begin(), state().windows.end(),
                           [](const Window& w) { return w.win == MPI_WIN_NULL; });
  *number = static_cast<OverlapackWindow>(free - state().windows.begin());
  if (free == state().windows.end()) free = state().windows.emplace(free);
  *free = std::move(window);
  return MPI_SUCCESS;
}

/// Whether this MPI makes its shared memory in /dev/shm: Open MPI (unless configured otherwise) and MPICH. MPIs derived from MPICH
/// may use other folders.
bool is_in_dev_shm() {
  char text[overlapack_mpi_text_bytes] = "";
  library_version(text);
  const std::string_view version = text;
  return version.starts_with("MPICH") ||
         (version.starts_with("Open MPI") && !std::getenv("OMPI_MCA_osc_sm_backing_directory"));
}

/// Whether /dev/shm certainly has less than `bytes` left; false where that is unknown or there is no limit.
bool is_too_small(std::int64_t bytes) {
  struct statvfs shm {};
  if (!is_in_dev_shm() || access("/dev/shm", W_OK) != 0 || statvfs("/dev/shm", &shm) != 0) return false;
  const double room = static_cast<double>(shm.f_bavail) * static_cast<double>(shm.f_frsize);
  return shm.f_blocks > 0 && static_cast<double>(bytes) > room;
}

/// Check for space before one rank makes the file for all: without space Open MPI's other ranks wait for ever, and MPICH's are
/// killed when they touch it. A single rank needs no file.
/// Sync  collective
int check_room(MPI_Comm comm, std::int64_t bytes) {
  constexpr std::int64_t page = 4096;  // added for each rank, for MPI's own data
  int rank = 0, size = 1, is_full = 0;
  int code = MPI_Comm_rank(comm, &rank);
  if (code == MPI_SUCCESS) code = MPI_Comm_size(comm, &size);
  if (code != MPI_SUCCESS || size == 1) return code;
  const std::int64_t mine = bytes + page;
  std::int64_t all = 0;
  code = MPI_Reduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, 0, comm);
  if (code != MPI_SUCCESS) return code;
  if (rank == 0) is_full = is_too_small(all);
  code = MPI_Bcast(&is_full, 1, MPI_INT, 0, comm);
  return code == MPI_SUCCESS && is_full ? overlapack_mpi_no_room : code;
}

}  // namespace

/// MPI allocates the memory of a node's ranks as one block without gaps: so each rank asks for whole cache lines and one more, and
/// its window begins at the first line boundary.
int allocate_window(OverlapackComm number, std::int64_t bytes, int shared, void** memory,
                    OverlapackWindow* window) {
  const MPI_Comm comm = state().comms[number];
  const std::int64_t wanted = (bytes + line_bytes - 1) / line_bytes * line_bytes + line_bytes;
  Window made{.shared = shared != 0};
  int code = make_room(comm, &made);
  if (code == MPI_SUCCESS && shared) code = check_room(comm, wanted);
  if (code != MPI_SUCCESS) return code;
  const auto call = shared ? MPI_Win_allocate_shared : MPI_Win_allocate;
  code = call(wanted, 1, MPI_INFO_NULL, comm, memory, &made.win);
  if (code != MPI_SUCCESS) return code;
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(*memory));
  const std::int64_t begin = (line_bytes - address % line_bytes) % line_bytes;
  *memory = static_cast<char*>(*memory) + begin;
  std::memset(*memory, 0, static_cast<std::size_t>(bytes));
  return open_window(comm, std::move(made), begin, window);
}

int attach_window(OverlapackComm number, void* memory, std::int64_t bytes, OverlapackWindow* window) {
  const MPI_Comm comm = state().comms[number];
  Window made;
  int code = make_room(comm, &made);
  if (code == MPI_SUCCESS) code = MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, comm, &made.win);
  return code != MPI_SUCCESS ? code : open_window(comm, std::move(made), 0, window);
}

int free_window(OverlapackWindow window) {
  state().windows[window].begins = {};
  const int code = MPI_Win_unlock_all(state().windows[window].win);
  return code != MPI_SUCCESS ? code : MPI_Win_free(&state().windows[window].win);
}

int shared_memory(OverlapackWindow window, int target, void** memory) {
  MPI_Aint bytes = 0;
  int unit = 0;
  *memory = nullptr;
  const Window& w = state().windows[window];
  if (!w.shared) return MPI_SUCCESS;
  const int code = MPI_Win_shared_query(w.win, target, &bytes, &unit, memory);
  *memory = static_cast<char*>(*memory) + w.begin_of(target);
  return code;
}

namespace {

/// Call call(window, displacement, count, type) for the blocks of `part` in the target's window.
template <class Call>
int access_blocks(OverlapackWindow window, int target, const OverlapackStrides& part, Call call) {
  const Window& w = state().windows[window];
  const MPI_Aint position = w.begin_of(target) + part.offset;
  const int bytes = static_cast<int>(part.block_bytes);
  if (part.blocks == 1) return call(w.win, position, bytes, MPI_BYTE);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int code =
      MPI_Type_create_hvector(static_cast<int>(part.blocks), bytes, part.stride_bytes, MPI_BYTE, &type);
  if (code != MPI_SUCCESS) return code;
  code = MPI_Type_commit(&type);
  if (code == MPI_SUCCESS) code = call(w.win, position, 1, type);
  const int freed = MPI_Type_free(&type);
  return code == MPI_SUCCESS ? freed : code;
}

int bytes_of(const OverlapackStrides& part) { return static_cast<int>(part.blocks * part.block_bytes); }

}  // namespace

int put(OverlapackWindow window, int target, const OverlapackStrides* at, const void* from) {
  return in_parts(*at, [&](const OverlapackStrides& part, std::int64_t here) {
    return access_blocks(window, target, part,
                         [&](MPI_Win win, MPI_Aint there, int count, MPI_Datatype type) {
                           return MPI_Put(static_cast<const char*>(from) + here, bytes_of(part), MPI_BYTE,
                                          target, there, count, type, win);
                         });
  });
}

int get(OverlapackWindow window, int target, const OverlapackStrides* at, void* to) {
  return in_parts(*at, [&](const OverlapackStrides& part, std::int64_t here) {
    return access_blocks(window, target, part,
                         [&](MPI_Win win, MPI_Aint there, int count, MPI_Datatype type) {
                           return MPI_Get(static_cast<char*>(to) + here, bytes_of(part), MPI_BYTE, target,
                                          there, count, type, win);
                         });
  });
}

int flush(OverlapackWindow window, int target) {
  const MPI_Win win = state().windows[window].win;
  return target < 0 ? MPI_Win_flush_all(win) : MPI_Win_flush(target, win);
}

int fetch_add(OverlapackWindow window, int target, std::int64_t offset, const std::int64_t* add,
              std::int64_t* before) {
  const Window& w = state().windows[window];
  return MPI_Fetch_and_op(add, before, MPI_INT64_T, target, w.begin_of(target) + offset, MPI_SUM, w.win);
}

namespace {

/// Call call(window, displacement, count, type, bytes before) for parts of these words.
template <class Call>
int access_words(OverlapackWindow window, int target, std::int64_t offset, std::int64_t words, int word_bytes,
                 Call call) {
  const MPI_Datatype type = word_bytes == 4 ? MPI_UINT32_T : MPI_UINT64_T;
  const OverlapackStrides at{offset, words * word_bytes, 0, 1};
  const Window& w = state().windows[window];
  return in_parts(at, [&](const OverlapackStrides& part, std::int64_t here) {
    return call(w.win, w.begin_of(target) + part.offset, static_cast<int>(part.block_bytes / word_bytes),
                type, here);
  });
}

}  // namespace

int store_words(OverlapackWindow window, int target, std::int64_t offset, std::int64_t words, int word_bytes,
                const void* from) {
  return access_words(window, target, offset, words, word_bytes,
                      [&](MPI_Win win, MPI_Aint there, int count, MPI_Datatype type, std::int64_t here) {
                        return MPI_Accumulate(static_cast<const char*>(from) + here, count, type, target,
                                              there, count, type, MPI_REPLACE, win);
                      });
}

/// Reads by an accumulate that changes nothing: the words are stored by accumulates, which are atomic only towards other
/// accumulates (MPI 3.1, section 11.7).
int load_words(OverlapackWindow window, int me, std::int64_t offset, std::int64_t words, int word_bytes,
               void* to) {
  const int code =
      access_words(window, me, offset, words, word_bytes,
                   [&](MPI_Win win, MPI_Aint there, int count, MPI_Datatype type, std::int64_t here) {
                     return MPI_Get_accumulate(nullptr, 0, type, static_cast<char*>(to) + here, count, type,
                                               me, there, count, type, MPI_NO_OP, win);
                   });
  return code == MPI_SUCCESS ? flush(window, me) : code;
}

int synchronise(OverlapackWindow window) { return MPI_Win_sync(state().windows[window].win); }

}  // namespace overlapack::comm::mpi::plugin
