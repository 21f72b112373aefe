#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <cstring>
#include <memory>

namespace overlapack::comm::mpi::plugin {

int initialise(int want_serialized, int* started, int* level) {
  int running = 0, given = MPI_THREAD_SINGLE;
  int code = MPI_Initialized(&running);
  if (code == MPI_SUCCESS && !running)
    code = MPI_Init_thread(nullptr, nullptr, want_serialized ? MPI_THREAD_SERIALIZED : MPI_THREAD_FUNNELED,
                           &given);
  else if (code == MPI_SUCCESS)
    code = MPI_Query_thread(&given);
#ifdef OVERLAPACK_SMPI
  begin_simulation();
#endif
  *started = !running;
  *level = given >= MPI_THREAD_SERIALIZED ? overlapack_mpi_serialized
           : given >= MPI_THREAD_FUNNELED ? overlapack_mpi_funneled
                                          : overlapack_mpi_single;
  return code;
}

int is_main_thread(int* is_main) { return MPI_Is_thread_main(is_main); }

int world_size(int* size) { return MPI_Comm_size(MPI_COMM_WORLD, size); }

int finalise() {
  int over = 0;
  const int code = has_ended(&over);
  return code != MPI_SUCCESS || over ? code : MPI_Finalize();
}

int has_ended(int* ended) { return MPI_Finalized(ended); }

namespace {

struct LastCall {
  void (*call)(void*);
  void* with;
};

int call_before_finalise(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<LastCall> last(static_cast<LastCall*>(attribute));
  last->call(last->with);
  return MPI_SUCCESS;
}

}  // namespace

/// MPI_Finalize begins by deleting the attributes of MPI_COMM_SELF, the newest first (MPI 2.2, section 8.7.1).
int call_before_end(void (*call)(void*), void* with) {
  int key = MPI_KEYVAL_INVALID;
  int code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_before_finalise, &key, nullptr);
  if (code != MPI_SUCCESS) return code;
  code = guarded([&] {
    auto last = std::make_unique<LastCall>(LastCall{call, with});
    const int set = MPI_Comm_set_attr(MPI_COMM_SELF, key, last.get());
    if (set == MPI_SUCCESS) static_cast<void>(last.release());  // call_before_finalise owns it now
    return set;
  });
  MPI_Comm_free_keyval(&key);
  return code;
}

int library_version(char* text) {
  char whole[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0;
  const int code = MPI_Get_library_version(whole, &length);
  std::strncpy(text, whole, overlapack_mpi_text_bytes - 1);
  text[overlapack_mpi_text_bytes - 1] = 0;
  return code;
}

void error_text(int error, char* text) {
  char whole[MPI_MAX_ERROR_STRING + 1] = "unknown MPI error";
  int length = 0;
  MPI_Error_string(error, whole, &length);
  std::strncpy(text, whole, overlapack_mpi_text_bytes - 1);
  text[overlapack_mpi_text_bytes - 1] = 0;
}

}  // namespace overlapack::comm::mpi::plugin
