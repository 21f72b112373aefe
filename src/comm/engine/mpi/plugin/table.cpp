/// The table over whatever MPI these files are compiled for. Not linked with it: the loader maps the MPI library first.
#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/mpi.hpp"

namespace {

using namespace overlapack::comm::mpi::plugin;

#ifdef OVERLAPACK_SMPI
constexpr const char* flavour = "SMPI";
#else
#ifdef OPEN_MPI
constexpr const char* flavour = "Open MPI";
#else
constexpr const char* flavour = "MPICH";
#endif
constexpr auto wait_some = nullptr;
constexpr auto compute = nullptr;
constexpr auto idle = nullptr;
constexpr auto start_helper = nullptr;
constexpr auto wait_for_helpers = nullptr;
constexpr auto simulation = nullptr;
constexpr auto signal = nullptr;
constexpr auto put_signal = nullptr;
constexpr auto put_flag = nullptr;
#endif

const OverlapackMpiTable table = {overlapack_mpi_table_version,
                                  sizeof(OverlapackMpiTable),
                                  flavour,
                                  initialise,
                                  is_main_thread,
                                  world_size,
                                  finalise,
                                  has_ended,
                                  call_before_end,
                                  library_version,
                                  error_text,
                                  clock_s,
                                  compute,
                                  idle,
                                  start_helper,
                                  wait_for_helpers,
                                  simulation,
                                  duplicate_user_comm,
                                  barrier_of_user_comm,
                                  set_comm_attribute,
                                  get_comm_attribute,
                                  split,
                                  split_node,
                                  free_comm,
                                  rank_and_size,
                                  world_ranks,
                                  largest_tag,
                                  reserve,
                                  send,
                                  receive,
                                  stand,
                                  probe,
                                  cancel,
                                  barrier,
                                  allgather,
                                  alltoall,
                                  broadcast,
                                  test_some,
                                  wait_some,
                                  allocate_window,
                                  attach_window,
                                  free_window,
                                  shared_memory,
                                  put,
                                  get,
                                  flush,
                                  fetch_add,
                                  store_words,
                                  load_words,
                                  synchronise,
                                  signal,
                                  put_signal,
                                  put_flag};

}  // namespace

extern "C" __attribute__((visibility("default"))) const OverlapackMpiTable* overlapack_mpi_table() {
  return &table;
}
