#pragma once
#include "comm/engine/mpi/load/table.h"

#include <cstdint>

/// The functions of the table (table.h says what each does), over whatever MPI they are compiled for.
namespace overlapack::comm::mpi::plugin {

// The library
int initialise(int want_serialized, int* started, int* level);
int is_main_thread(int* is_main);
int world_size(int* size);
int finalise();
int has_ended(int* ended);
int call_before_end(void (*call)(void*), void* with);
int library_version(char* text);
void error_text(int error, char* text);
double clock_s();

// Communicators
int duplicate_user_comm(const OverlapackUserComm* from, OverlapackComm* comm);
int barrier_of_user_comm(const OverlapackUserComm* comm, OverlapackRequest* number);
int set_comm_attribute(const OverlapackUserComm* comm, void* what, void (*forget)(void*));
int get_comm_attribute(const OverlapackUserComm* comm, void** what);
int split(OverlapackComm from, int color, int key, OverlapackComm* comm);
int split_node(OverlapackComm from, OverlapackComm* comm);
int free_comm(OverlapackComm comm);
int rank_and_size(OverlapackComm comm, int* rank, int* size);
int world_ranks(int handle, int room, int* size, int* ranks);
int largest_tag(int* tag);
int reserve(int requests, int communicators, int windows);

// Messages
int send(OverlapackComm comm, const void* first, std::int64_t first_bytes, const void* second,
         std::int64_t second_bytes, int to, int tag, int synchronous, OverlapackRequest* number);
int receive(OverlapackComm comm, void* buffer, std::int64_t bytes, int from, int tag,
            OverlapackRequest* number);
int probe(OverlapackComm comm, int from, int tag, int* found, int* source);
#ifdef OVERLAPACK_SMPI
int stand(OverlapackComm comm, void* buffer, std::int64_t bytes, int from, int tag,
          OverlapackRequest* request);
#else
constexpr decltype(&receive) stand = nullptr;
#endif
int cancel(OverlapackRequest request);

// Collectives that do not block
int barrier(OverlapackComm comm, OverlapackRequest* number);
int allgather(OverlapackComm comm, const void* from, std::int64_t bytes, void* to, OverlapackRequest* number);
int alltoall(OverlapackComm comm, const void* from, std::int64_t bytes, void* to, OverlapackRequest* number);
int broadcast(OverlapackComm comm, void* data, std::int64_t bytes, int root, OverlapackRequest* number);

// Progress
int test_some(OverlapackCompletion* done, int capacity, int* count);

#ifdef OVERLAPACK_SMPI
// Entries that only the simulator has
int wait_some(OverlapackCompletion* done, int capacity, int* count);
void compute(const OverlapackWork* work);
void idle(double seconds);
void start_helper(const OverlapackWork* work, std::int64_t times);
void wait_for_helpers();
void simulation(OverlapackSimulation* asked);
int signal(OverlapackWindow window, int target, OverlapackWindow after);
int put_signal(OverlapackWindow control, OverlapackWindow data, int target, std::int64_t offset,
               std::int64_t bytes, const void* from);
int put_flag(OverlapackWindow window, int target, std::int64_t offset, std::int64_t bytes, const void* from,
             std::int64_t flag, std::int64_t value);
#endif

// Windows
int allocate_window(OverlapackComm comm, std::int64_t bytes, int shared, void** memory,
                    OverlapackWindow* number);
int attach_window(OverlapackComm comm, void* memory, std::int64_t bytes, OverlapackWindow* number);
int free_window(OverlapackWindow window);
int shared_memory(OverlapackWindow window, int target, void** memory);
int put(OverlapackWindow window, int target, const OverlapackStrides* at, const void* from);
int get(OverlapackWindow window, int target, const OverlapackStrides* at, void* to);
int flush(OverlapackWindow window, int target);
int fetch_add(OverlapackWindow window, int target, std::int64_t offset, const std::int64_t* add,
              std::int64_t* before);
int store_words(OverlapackWindow window, int target, std::int64_t offset, std::int64_t words, int word_bytes,
                const void* from);
int load_words(OverlapackWindow window, int me, std::int64_t offset, std::int64_t words, int word_bytes,
               void* to);
int synchronise(OverlapackWindow window);

}  // namespace overlapack::comm::mpi::plugin
