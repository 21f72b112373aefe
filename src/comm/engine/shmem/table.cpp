/// The engine's table on OpenSHMEM. Linked with the engine into programs of their own: OpenSHMEM does not like to be loaded
/// later on.
#include "comm/engine/shmem/messages.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <shmem.h>
#include <unistd.h>

namespace overlapack::comm::shmem {

namespace {

constexpr std::size_t arena_bytes = std::size_t{1} << 26;  ///< of all windows of a PE but large ones

struct Window {
  const Comm* comm = nullptr;
  /// by place: where it is there; in the arena, symmetric addresses of mine
  std::vector<std::byte*> memory = {};
  std::size_t bytes = 0;
  bool is_symmetric = true;
  bool is_of_arena = true;  ///< else it has a piece of the symmetric heap to itself
};

struct State {
  Messages messages;
  std::vector<std::unique_ptr<Comm>> comms;
  std::vector<std::unique_ptr<Window>> windows;
  std::int32_t next_context = 1;
  std::byte* arena = static_cast<std::byte*>(shmem_malloc(arena_bytes));
  std::map<std::size_t, std::size_t> used;  ///< of my arena: offset, bytes
  std::vector<std::pair<void (*)(void*), void*>> before_end;
};
State* state = nullptr;

template <class T, class List>
int numbered(std::unique_ptr<T> item, List& list) {
  auto free = std::find(list.begin(), list.end(), nullptr);
  if (free == list.end()) free = list.insert(free, nullptr);
  *free = std::move(item);
  return static_cast<int>(free - list.begin());
}

Comm& comm_of(OverlapackComm number) { return *state->comms[static_cast<std::size_t>(number)]; }
Window& window_of(OverlapackWindow number) { return *state->windows[static_cast<std::size_t>(number)]; }

std::span<const std::byte> bytes_at(const void* data, std::int64_t bytes) {
  return {static_cast<const std::byte*>(data), static_cast<std::size_t>(bytes)};
}

// Collectives: every pair exchanges a message with a tag that no other one has

/// Each to each: from + to * from_stride goes to `to`; what `from` sent comes to to + from * bytes.
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

/// The same, and wait.
template <class T>
std::vector<T> gathered_from_all(Comm& comm, const T& mine) {
  std::vector<T> all(comm.pes.size());
  const TaskPtr whole = exchange(comm, &mine, 0, sizeof(T), all.data());
  state->messages.serve_until([&] { return whole->parts == 0; });
  state->messages.forget(whole);
  return all;
}

/// The places `from` of a communicator, in this order, as a new one; `next` is a context that nobody there has used.
OverlapackComm new_comm(const Comm& parent, const std::vector<int>& from, std::int32_t context) {
  auto comm = std::make_unique<Comm>();
  for (const int place : from) {
    if (place == parent.here) comm->here = static_cast<int>(comm->pes.size());
    comm->pes.push_back(parent.pes[static_cast<std::size_t>(place)]);
  }
  comm->context = context;
  return numbered(std::move(comm), state->comms);
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

int duplicate(OverlapackComm from, OverlapackComm* comm) { return split(from, 0, 0, comm); }

int duplicate_user_comm(const void* address, OverlapackComm* comm) {
  return address ? Messages::no_such_communicator : duplicate(0, comm);
}

/// PEs on hosts of one name.
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

/// Workers and a BLAS have threads of their own, which never call OpenSHMEM: only the thread that opens the team does.
int initialise(int, int* started, int* serialized) {
  int level = SHMEM_THREAD_SINGLE;
  shmem_init_thread(SHMEM_THREAD_FUNNELED, &level);
  state = new State;
  auto world = std::make_unique<Comm>();
  for (int pe = 0; pe < shmem_n_pes(); ++pe) world->pes.push_back(pe);
  world->here = shmem_my_pe();
  numbered(std::move(world), state->comms);
  std::atexit([] { end(); });  // before OpenSHMEM's own, which was asked for earlier
  *started = 0;                // the end is ours
  *serialized = 0;
  return level >= SHMEM_THREAD_FUNNELED ? Messages::fine : Messages::no_threads;
}

int finalise() { return Messages::fine; }

void end() {
  for (auto call = state->before_end.rbegin(); call != state->before_end.rend(); ++call)
    call->first(call->second);
  state->messages.serve_until([] { return state->messages.pipes().is_empty(); });
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
      "SHMEM_SYMMETRIC_SIZE=2G",
      "memory outside the symmetric heap cannot be added to; make the window instead of attaching it",
      "this OpenSHMEM has no level SHMEM_THREAD_FUNNELED, which a process with other threads needs; use "
      "another one"};
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

// Windows

std::size_t place_of(const Comm& comm) {
  const auto same = [&](const auto& c) { return c.get() == &comm; };
  return static_cast<std::size_t>(std::ranges::find_if(state->comms, same) - state->comms.begin());
}

/// The first gap that is large enough; -1 if there is none.
std::int64_t claim(std::size_t bytes) {
  const std::size_t size = std::max<std::size_t>((bytes + 63) / 64 * 64, 64);
  std::size_t at = 0;
  for (const auto& [offset, length] : state->used) {
    if (offset - at >= size) break;
    at = offset + length;
  }
  if (at + size > arena_bytes) return -1;
  state->used.emplace(at, size);
  return static_cast<std::int64_t>(at);
}

/// Where the arena has no room on some PE: of the heap itself, if all PEs take part.
int allocate_apart(std::unique_ptr<Window> window, void** memory, OverlapackWindow* number) {
  const Comm& comm = *window->comm;
  if (comm.pes.size() != static_cast<std::size_t>(shmem_n_pes())) return Messages::heap_full;
  const std::size_t most = std::ranges::max(gathered_from_all(*state->comms[place_of(comm)], window->bytes));
  auto* const place = static_cast<std::byte*>(shmem_malloc(most));
  if (!place) return Messages::heap_full;
  std::memset(place, 0, window->bytes);
  window->memory.assign(comm.pes.size(), place);
  window->is_of_arena = false;
  shmem_barrier_all();  // zeros before anybody puts
  *memory = place;
  *number = numbered(std::move(window), state->windows);
  return Messages::fine;
}

int allocate_window(OverlapackComm comm, std::int64_t bytes, int, void** memory, OverlapackWindow* number) {
  const std::int64_t mine = claim(static_cast<std::size_t>(bytes));
  if (mine >= 0) std::memset(state->arena + mine, 0, static_cast<std::size_t>(bytes));
  auto window =
      std::make_unique<Window>(Window{.comm = &comm_of(comm), .bytes = static_cast<std::size_t>(bytes)});
  bool is_full = false;
  for (const std::int64_t offset : gathered_from_all(comm_of(comm), mine)) {
    is_full = is_full || offset < 0;
    window->memory.push_back(state->arena + std::max<std::int64_t>(offset, 0));
  }
  if (is_full) {
    if (mine >= 0) state->used.erase(static_cast<std::size_t>(mine));
    return allocate_apart(std::move(window), memory, number);
  }
  *memory = state->arena + mine;
  *number = numbered(std::move(window), state->windows);
  return Messages::fine;
}

int attach_window(OverlapackComm comm, void* memory, std::int64_t bytes, OverlapackWindow* number) {
  auto window = std::make_unique<Window>(
      Window{.comm = &comm_of(comm), .bytes = static_cast<std::size_t>(bytes), .is_symmetric = false});
  window->memory = gathered_from_all(comm_of(comm), static_cast<std::byte*>(memory));
  *number = numbered(std::move(window), state->windows);
  return Messages::fine;
}

int flush(OverlapackWindow, int) {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // what was copied through pointers, too
  shmem_quiet();
  state->messages.serve_until([] { return !state->messages.has_accesses(); });
  return Messages::fine;
}

int free_window(OverlapackWindow number) {
  flush(number, -1);
  Window& window = window_of(number);
  const Comm& comm = *window.comm;
  gathered_from_all(*state->comms[place_of(comm)], 0);  // nobody accesses it any more
  std::byte* const mine = window.memory[static_cast<std::size_t>(comm.here)];
  if (!window.is_of_arena)
    shmem_free(mine);
  else if (window.is_symmetric)
    state->used.erase(static_cast<std::size_t>(mine - state->arena));
  state->windows[static_cast<std::size_t>(number)] = nullptr;
  return Messages::fine;
}

int shared_memory(OverlapackWindow, int, void** memory) {
  *memory = nullptr;  // others' memory is reached by puts and gets only
  return Messages::fine;
}

std::byte* place_in(const Window& window, int target, std::int64_t offset) {
  return window.memory[static_cast<std::size_t>(target)] + offset;
}
int pe_of(const Window& window, int target) { return window.comm->pes[static_cast<std::size_t>(target)]; }

/// Numbers of 4, 8 and 16 bytes one by one, in one call; false for blocks of another size.
bool put_numbers(std::byte* there, const OverlapackStrides& at, const void* from, int pe) {
  const auto blocks = static_cast<std::size_t>(at.blocks);
  const auto stride = static_cast<std::ptrdiff_t>(at.stride_bytes / at.block_bytes);
  if (at.blocks < 2 || at.stride_bytes % at.block_bytes != 0) return false;
  if (at.block_bytes == 4)
    shmem_iput32(there, from, stride, 1, blocks, pe);
  else if (at.block_bytes == 8)
    shmem_iput64(there, from, stride, 1, blocks, pe);
  else if (at.block_bytes == 16)
    shmem_iput128(there, from, stride, 1, blocks, pe);
  else
    return false;
  return true;
}

bool get_numbers(const std::byte* there, const OverlapackStrides& at, void* to, int pe) {
  const auto blocks = static_cast<std::size_t>(at.blocks);
  const auto stride = static_cast<std::ptrdiff_t>(at.stride_bytes / at.block_bytes);
  if (at.blocks < 2 || at.stride_bytes % at.block_bytes != 0) return false;
  if (at.block_bytes == 4)
    shmem_iget32(to, there, 1, stride, blocks, pe);
  else if (at.block_bytes == 8)
    shmem_iget64(to, there, 1, stride, blocks, pe);
  else if (at.block_bytes == 16)
    shmem_iget128(to, there, 1, stride, blocks, pe);
  else
    return false;
  return true;
}

/// move(there, here, bytes) of each block, both as offsets.
template <class Move>
void for_each_block(const OverlapackStrides& at, Move move) {
  for (std::int64_t i = 0; i < at.blocks; ++i)
    move(i * at.stride_bytes, i * at.block_bytes, static_cast<std::size_t>(at.block_bytes));
}

/// By loads and stores where the target's memory is reached, as on one node: 1000 numbers of a row take a fiftieth of the time.
int put(OverlapackWindow number, int target, const OverlapackStrides* at, const void* from) {
  const Window& window = window_of(number);
  const int pe = pe_of(window, target);
  if (!window.is_symmetric) {
    state->messages.put_by_owner(pe, place_in(window, target, 0), *at, from);
    return Messages::fine;
  }
  if (at->block_bytes == 0) return Messages::fine;
  std::byte* const there = place_in(window, target, at->offset);
  const auto* const mine = static_cast<const std::byte*>(from);
  if (auto* const reached = static_cast<std::byte*>(shmem_ptr(there, pe)))
    for_each_block(*at, [&](std::int64_t to, std::int64_t here, std::size_t bytes) {
      std::memcpy(reached + to, mine + here, bytes);
    });
  else if (!put_numbers(there, *at, from, pe))
    for_each_block(*at, [&](std::int64_t to, std::int64_t here, std::size_t bytes) {
      shmem_putmem(there + to, mine + here, bytes, pe);
    });
  return Messages::fine;
}

int get(OverlapackWindow number, int target, const OverlapackStrides* at, void* to) {
  const Window& window = window_of(number);
  const int pe = pe_of(window, target);
  if (!window.is_symmetric) {
    state->messages.get_by_owner(pe, place_in(window, target, 0), *at, to);
    return Messages::fine;
  }
  if (at->block_bytes == 0) return Messages::fine;
  const std::byte* const there = place_in(window, target, at->offset);
  auto* const mine = static_cast<std::byte*>(to);
  if (const auto* const reached = static_cast<const std::byte*>(shmem_ptr(there, pe)))
    for_each_block(*at, [&](std::int64_t from, std::int64_t here, std::size_t bytes) {
      std::memcpy(mine + here, reached + from, bytes);
    });
  else if (!get_numbers(there, *at, to, pe))
    for_each_block(*at, [&](std::int64_t from, std::int64_t here, std::size_t bytes) {
      shmem_getmem(mine + here, there + from, bytes, pe);
    });
  return Messages::fine;
}

int fetch_add(OverlapackWindow number, int target, std::int64_t offset, const std::int64_t* add,
              std::int64_t* before) {
  const Window& window = window_of(number);
  if (!window.is_symmetric) return Messages::not_symmetric;
  *before = shmem_long_atomic_fetch_add(reinterpret_cast<long*>(place_in(window, target, offset)), *add,
                                        pe_of(window, target));
  return Messages::fine;
}

int store_words(OverlapackWindow number, int target, std::int64_t offset, std::int64_t words, int word_bytes,
                const void* from) {
  const Window& window = window_of(number);
  const int pe = pe_of(window, target);
  if (!window.is_symmetric) {  // the owner, which alone reads, writes them
    const std::int64_t bytes = words * word_bytes;
    const OverlapackStrides at{offset, bytes, bytes, 1};
    state->messages.put_by_owner(pe, place_in(window, target, 0), at, from);
    return Messages::fine;
  }
  std::byte* const place = place_in(window, target, offset);
  for (std::int64_t i = 0; i < words; ++i) {
    if (word_bytes == 8)
      shmem_ulong_atomic_set(reinterpret_cast<unsigned long*>(place) + i,
                             static_cast<const unsigned long*>(from)[i], pe);
    else
      shmem_uint_atomic_set(reinterpret_cast<unsigned*>(place) + i, static_cast<const unsigned*>(from)[i],
                            pe);
  }
  return Messages::fine;
}

int synchronise(OverlapackWindow) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return Messages::fine;
}

int no_fortran_comm(int, OverlapackComm*) { return Messages::no_such_communicator; }
int no_world_ranks(int, int, int*, int*) { return Messages::no_such_communicator; }
int largest_tag(int* tag) {
  *tag = 1 << 30;
  return Messages::fine;
}

const OverlapackMpiTable table{.version = overlapack_mpi_table_version,
                               .table_bytes = sizeof(OverlapackMpiTable),
                               .flavour = "OpenSHMEM",
                               .initialise = initialise,
                               .finalise = finalise,
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
                               .duplicate_fortran_comm = no_fortran_comm,
                               .duplicate = duplicate,
                               .split = split,
                               .split_node = split_node,
                               .free_comm = free_comm,
                               .rank_and_size = rank_and_size,
                               .world_ranks = no_world_ranks,
                               .largest_tag = largest_tag,
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
                               .synchronise = synchronise,
                               .signal = nullptr};

}  // namespace
}  // namespace overlapack::comm::shmem

extern "C" const OverlapackMpiTable* overlapack_mpi_table() { return &overlapack::comm::shmem::table; }
