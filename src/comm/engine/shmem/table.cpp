/// The engine's table on OpenSHMEM. Linked with the engine into separate programs, as OpenSHMEM does not support being loaded at
/// run time.
#include "comm/engine/shmem/state.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace overlapack::comm::shmem {

State* state = nullptr;
std::thread::id main_thread;

namespace {

std::span<const std::byte> bytes_at(const void* data, std::int64_t bytes) {
  return {static_cast<const std::byte*>(data), static_cast<std::size_t>(bytes)};
}

}  // namespace

TaskPtr exchange(Comm& comm, const void* from, std::int64_t from_stride, std::int64_t bytes, void* to) {
  const int size = static_cast<int>(comm.pes.size()), tag = -1 - comm.collectives++;
  Messages& messages = state->messages;
  TaskPtr whole = messages.new_whole(2 * size);
  for (int i = 0; i < size; ++i) {
    messages.receive(
        {messages.part_of(whole), &comm, static_cast<std::byte*>(to) + i * bytes, bytes, i, tag});
    messages.send(comm, bytes_at(static_cast<const std::byte*>(from) + i * from_stride, bytes), {}, i, tag,
                  false, messages.part_of(whole));
  }
  return whole;
}

namespace {

/// New communicator of the positions `from` of `parent`, in this order; context: one that none of these PEs has used.
OverlapackComm new_comm(const Comm& parent, const std::vector<int>& from, std::int32_t context) {
  auto comm = std::make_unique<Comm>();
  for (const int position : from) {
    if (position == parent.here) comm->here = static_cast<int>(comm->pes.size());
    comm->pes.push_back(parent.pes[static_cast<std::size_t>(position)]);
  }
  comm->context = context;
  return append_numbered(std::move(comm), state->comms);
}

int split(OverlapackComm from, int color, int key, OverlapackComm* comm) {
  struct Wish {
    std::int32_t color, key, next;
  };
  Comm& parent = comm_of(from);
  const std::vector<Wish> all = gathered_from_all(parent, Wish{color, key, state->next_context});
  std::vector<int> members;
  for (std::size_t i = 0; i < all.size(); ++i) {
    state->next_context = std::max(state->next_context, all[i].next);
    if (all[i].color == color) members.push_back(static_cast<int>(i));
  }
  std::ranges::stable_sort(members, {}, [&](int i) { return all[static_cast<std::size_t>(i)].key; });
  *comm = new_comm(parent, members, state->next_context++);
  return Messages::fine;
}

/// The only communicator that a caller can give.
bool is_world(const OverlapackUserComm& comm) { return !comm.address && !comm.fortran_handle; }

int duplicate_user_comm(const OverlapackUserComm* from, OverlapackComm* comm) {
  return is_world(*from) ? split(0, 0, 0, comm) : Messages::no_such_communicator;
}

int set_comm_attribute(const OverlapackUserComm*, void* what, void (*)(void*)) {
  state->kept_with_world = what;
  return Messages::fine;
}

int get_comm_attribute(const OverlapackUserComm* comm, void** what) {
  *what = state->kept_with_world;
  return is_world(*comm) ? Messages::fine : Messages::no_such_communicator;
}

/// Split by host name.
int split_node(OverlapackComm from, OverlapackComm* comm) {
  std::array<char, 64> name{};
  gethostname(name.data(), name.size() - 1);
  const auto all = gathered_from_all(comm_of(from), name);
  return split(from, static_cast<int>(std::ranges::find(all, name) - all.begin()), 0, comm);
}

int free_comm(OverlapackComm comm) {
  state->comms[static_cast<std::size_t>(comm)] = nullptr;
  return Messages::fine;
}

int rank_and_size(OverlapackComm comm, int* rank, int* size) {
  *rank = comm_of(comm).here;
  *size = static_cast<int>(comm_of(comm).pes.size());
  return Messages::fine;
}

// The library

void end();

/// Funneled: threads of workers and of a BLAS never call OpenSHMEM; only the thread that opens the team does.
int initialise(int, int* started, int* level) {
  int given = SHMEM_THREAD_SINGLE;
  shmem_init_thread(SHMEM_THREAD_FUNNELED, &given);
  main_thread = std::this_thread::get_id();
  state = new State;
  auto world = std::make_unique<Comm>();
  for (int pe = 0; pe < shmem_n_pes(); ++pe) world->pes.push_back(pe);
  world->here = shmem_my_pe();
  append_numbered(std::move(world), state->comms);
  std::atexit([] { end(); });  // runs before OpenSHMEM's own handler, registered earlier
  *started = 0;                // end() finalises, not the engine
  *level = overlapack_mpi_funneled;
  if (!state->has_room()) return Messages::heap_too_small;
  return given >= SHMEM_THREAD_FUNNELED ? Messages::fine : Messages::no_threads;
}

int is_main_thread(int* is_main) {
  *is_main = std::this_thread::get_id() == main_thread;
  return Messages::fine;
}

int world_size(int* size) {
  *size = shmem_n_pes();
  return Messages::fine;
}

int finalise() { return Messages::fine; }

/// Never before the end of the process.
int has_ended(int* ended) {
  *ended = 0;
  return Messages::fine;
}

void end() {
  for (auto call = state->before_end.rbegin(); call != state->before_end.rend(); ++call)
    call->first(call->second);
  state->messages.make_progress_until([] { return state->messages.pipes().is_empty(); });
  shmem_finalize();
}

int call_before_end(void (*call)(void*), void* with) {
  state->before_end.emplace_back(call, with);
  return Messages::fine;
}

int library_version(char* text) {
  int major = 0, minor = 0;
  char name[SHMEM_MAX_NAME_LEN + 1] = "";
  shmem_info_get_version(&major, &minor);
  shmem_info_get_name(name);
  std::snprintf(text, overlapack_mpi_text_bytes, "%s, OpenSHMEM %d.%d", name, major, minor);
  return Messages::fine;
}

void error_text(int code, char* text) {
  const char* const texts[] = {
      "no error",
      "a message is longer than its receive",
      "OpenSHMEM has no communicators of callers; leave the communicator out",
      "the symmetric heap has no room for another window; give more in the environment, as "
      "SHMEM_SYMMETRIC_SIZE=2G (Open MPI 4: SHMEM_SYMMETRIC_HEAP_SIZE, older ones: SMA_SYMMETRIC_SIZE)",
      "memory outside the symmetric heap cannot be added to; make the window instead of attaching it",
      "this OpenSHMEM has no level SHMEM_THREAD_FUNNELED, which a process with other threads needs; use "
      "another one",
      "the symmetric heap is too small for this engine, which takes 64 MiB for windows and 256 KiB for each "
      "PE, but no more than 64 MiB; use fewer PEs, or give more in the environment, as "
      "SHMEM_SYMMETRIC_SIZE=2G (Open MPI 4: "
      "SHMEM_SYMMETRIC_HEAP_SIZE, older ones: SMA_SYMMETRIC_SIZE)"};
  std::snprintf(text, overlapack_mpi_text_bytes, "%s", texts[code]);
}

double clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Messages

int send(OverlapackComm comm, const void* first, std::int64_t first_bytes, const void* second,
         std::int64_t second_bytes, int to, int tag, int synchronous, OverlapackRequest* request) {
  const TaskPtr task = state->messages.new_task();
  *request = task->number;
  state->messages.send(comm_of(comm), bytes_at(first, first_bytes), bytes_at(second, second_bytes), to, tag,
                       synchronous != 0, task);
  return Messages::fine;
}

int receive(OverlapackComm comm, void* buffer, std::int64_t bytes, int from, int tag,
            OverlapackRequest* request) {
  const TaskPtr task = state->messages.new_task();
  *request = task->number;
  state->messages.receive({task, &comm_of(comm), static_cast<std::byte*>(buffer), bytes, from, tag});
  return Messages::fine;
}

int probe(OverlapackComm comm, int from, int tag, int* found, int* source) {
  state->messages.advance();
  const Comm& c = comm_of(comm);
  const Arrived* const message = state->messages.find(c, from, tag);
  *found = message != nullptr;
  if (message) *source = static_cast<int>(std::ranges::find(c.pes, message->pe) - c.pes.begin());
  return Messages::fine;
}

int cancel(OverlapackRequest request) {
  state->messages.cancel(request);
  return Messages::fine;
}

int started(const TaskPtr& whole, OverlapackRequest* request) {
  *request = whole->number;
  return Messages::fine;
}

int barrier(OverlapackComm comm, OverlapackRequest* request) {
  static std::byte nothing;
  return started(exchange(comm_of(comm), &nothing, 0, 0, &nothing), request);
}

int barrier_of_user_comm(const OverlapackUserComm* comm, OverlapackRequest* request) {
  return is_world(*comm) ? barrier(0, request) : Messages::no_such_communicator;
}

int allgather(OverlapackComm comm, const void* from, std::int64_t bytes, void* to,
              OverlapackRequest* request) {
  return started(exchange(comm_of(comm), from, 0, bytes, to), request);
}

int alltoall(OverlapackComm comm, const void* from, std::int64_t bytes, void* to,
             OverlapackRequest* request) {
  return started(exchange(comm_of(comm), from, bytes, bytes, to), request);
}

int broadcast(OverlapackComm number, void* data, std::int64_t bytes, int root, OverlapackRequest* request) {
  Comm& comm = comm_of(number);
  Messages& messages = state->messages;
  const int size = static_cast<int>(comm.pes.size()), tag = -1 - comm.collectives++;
  const bool is_root = comm.here == root;
  const TaskPtr whole = messages.new_whole(is_root ? size - 1 : 1);
  if (!is_root)
    messages.receive({messages.part_of(whole), &comm, static_cast<std::byte*>(data), bytes, root, tag});
  for (int i = 0; is_root && i < size; ++i)
    if (i != root) messages.send(comm, bytes_at(data, bytes), {}, i, tag, false, messages.part_of(whole));
  return started(whole, request);
}

int test_some(OverlapackCompletion* done, int capacity, int* count) {
  state->messages.advance();
  *count = state->messages.fetch(done, capacity);
  return Messages::fine;
}

int no_world_ranks(int, int, int*, int*) { return Messages::no_such_communicator; }
int largest_tag(int* tag) {
  *tag = 1 << 30;
  return Messages::fine;
}
/// Nothing to do: memory is allocated on demand.
int reserve(int, int, int) { return Messages::fine; }

const OverlapackMpiTable table{.version = overlapack_mpi_table_version,
                               .table_bytes = sizeof(OverlapackMpiTable),
                               .flavour = "OpenSHMEM",
                               .initialise = initialise,
                               .is_main_thread = is_main_thread,
                               .world_size = world_size,
                               .finalise = finalise,
                               .has_ended = has_ended,
                               .call_before_end = call_before_end,
                               .library_version = library_version,
                               .error_text = error_text,
                               .clock = clock,
                               .compute = nullptr,
                               .idle = nullptr,
                               .start_helper = nullptr,
                               .wait_for_helpers = nullptr,
                               .simulation = nullptr,
                               .duplicate_user_comm = duplicate_user_comm,
                               .barrier_of_user_comm = barrier_of_user_comm,
                               .set_comm_attribute = set_comm_attribute,
                               .get_comm_attribute = get_comm_attribute,
                               .split = split,
                               .split_node = split_node,
                               .free_comm = free_comm,
                               .rank_and_size = rank_and_size,
                               .world_ranks = no_world_ranks,
                               .largest_tag = largest_tag,
                               .reserve = reserve,
                               .send = send,
                               .receive = receive,
                               .probe = probe,
                               .cancel = cancel,
                               .barrier = barrier,
                               .allgather = allgather,
                               .alltoall = alltoall,
                               .broadcast = broadcast,
                               .test_some = test_some,
                               .wait_some = nullptr,
                               .allocate_window = allocate_window,
                               .attach_window = attach_window,
                               .free_window = free_window,
                               .shared_memory = shared_memory,
                               .put = put,
                               .get = get,
                               .flush = flush,
                               .fetch_add = fetch_add,
                               .store_words = store_words,
                               .load_words = nullptr,
                               .synchronise = synchronise,
                               .signal = nullptr,
                               .put_signal = put_signal,
                               .put_flag = put_flag};

}  // namespace
}  // namespace overlapack::comm::shmem

extern "C" const OverlapackMpiTable* overlapack_mpi_table() { return &overlapack::comm::shmem::table; }
