/// The table over whatever MPI this file is compiled for. Not linked with it: the loader maps the MPI library first.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "comm/engine/mpi/of_process.hpp"
#include "comm/engine/mpi/table.h"

#include <climits>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#ifdef OVERLAPACK_SMPI
#include "comm/engine/mpi/simulated_machine.hpp"

#include <map>
#include <memory>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/exec.h>
#include <sys/mman.h>
#include <xbt/config.h>
#endif

namespace {

constexpr std::int64_t packed_bytes = 4096;  ///< messages up to here are joined in memory
constexpr std::int64_t part_bytes =
    1 << 30;  ///< one access to a window moves at most this (MPI counts are int)
using Numbers = std::priority_queue<int, std::vector<int>, std::greater<>>;

#ifdef OVERLAPACK_SMPI
/// Memory from which headers are sent with bytes behind them that are nowhere: the simulator copies only the first page, all
/// others are those of one file. Given back, it serves any rank of this process.
class PhantomMemory {
 public:
  struct Piece {
    char* memory;
    int size_class;
  };

  Piece take(std::int64_t bytes) {
    int size_class = 0;
    while (bytes_of(size_class) < bytes) ++size_class;
    auto& free = free_[size_class];
    if (free.empty()) return {allocate(bytes_of(size_class)), size_class};
    const Piece piece{free.back(), size_class};
    free.pop_back();
    return piece;
  }
  void give_back(const Piece& piece) { free_[piece.size_class].push_back(piece.memory); }

 private:
  static constexpr std::size_t page_bytes = 4096;
  static std::int64_t bytes_of(int size_class) { return std::int64_t{1} << (23 + size_class); }

  static char* allocate(std::int64_t bytes) {
    const std::size_t shared[2] = {page_bytes, static_cast<std::size_t>(bytes)};
    auto* memory = static_cast<char*>(SMPI_PARTIAL_SHARED_MALLOC(shared[1], shared, 1));
    madvise(memory + page_bytes, shared[1] - page_bytes, MADV_DONTNEED);  // nobody looks at it
    return memory;
  }

  std::map<int, std::vector<char*>> free_;
};
PhantomMemory phantom_memory;
#endif

struct Window {
  MPI_Win win = MPI_WIN_NULL;
  bool shared = false;
};

/// Everything this process has open at MPI. Requests are dense, so that one call tests them all.
struct State {
  std::vector<MPI_Comm> comms;
  std::vector<Window> windows;
  std::vector<MPI_Request> requests;
  std::vector<char> is_used;                    ///< beside requests: started and not yet handed out as done
  std::vector<std::unique_ptr<char[]>> packed;  ///< beside requests: the joined bytes of a small message
  Numbers free_requests;
  std::deque<OverlapackCompletion> finished;  ///< found by Testsome, not yet fetched
  std::vector<int> indices;
  std::vector<MPI_Status> statuses;
#ifdef OVERLAPACK_SMPI
  std::map<OverlapackRequest, OverlapackRequest> whole_of;       ///< messages that collectives are made of
  std::map<OverlapackRequest, int> parts_left;                   ///< of the collectives under way
  std::map<OverlapackRequest, std::function<int()>> next_stage;  ///< of these: what follows the present parts
  std::map<OverlapackComm, int> collectives;                     ///< begun on a communicator
  std::map<OverlapackRequest, std::shared_ptr<void>> kept_answers;  ///< on their way down
  std::map<OverlapackRequest, PhantomMemory::Piece> phantom_of;
  overlapack::Random noise{0};
  double slowness = 1;
  double looked_in_vain_s = -1;  ///< when nothing was done, and nothing was started since
  double owed_s = 0;             ///< for looks in vain, not yet charged
#endif
};
#ifdef OVERLAPACK_SMPI
State& state() { return overlapack::comm::mpi::of_process<State>(); }
#else
State one_state;  // older than whoever ends MPI at exit, and so still there
State& state() { return one_state; }
#endif

int number_of(MPI_Comm comm, OverlapackComm* number) {
  auto free = std::find(state().comms.begin(), state().comms.end(), MPI_COMM_NULL);
  *number = static_cast<OverlapackComm>(free - state().comms.begin());
  if (free == state().comms.end())
    state().comms.push_back(comm);
  else
    *free = comm;
  return MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

MPI_Request* new_request(OverlapackRequest* number) {
  while (!state().free_requests.empty() &&
         state().free_requests.top() >= static_cast<int>(state().requests.size()))
    state().free_requests = {};  // all others are larger still
  if (state().free_requests.empty()) {
    *number = static_cast<OverlapackRequest>(state().requests.size());
    state().requests.push_back(MPI_REQUEST_NULL);
    state().is_used.push_back(0);
    state().packed.emplace_back();
  } else {
    *number = state().free_requests.top();
    state().free_requests.pop();
  }
  state().is_used[*number] = 1;
  return &state().requests[*number];
}

void release_request(OverlapackRequest number) {
#ifdef OVERLAPACK_SMPI
  if (const auto phantom = state().phantom_of.find(number); phantom != state().phantom_of.end()) {
    phantom_memory.give_back(phantom->second);
    state().phantom_of.erase(phantom);
  }
#endif
  state().packed[number].reset();
  state().is_used[number] = 0;
  state().requests[number] = MPI_REQUEST_NULL;
  state().free_requests.push(number);
}

void forget_trailing_requests() {
  while (!state().requests.empty() && !state().is_used.back()) {
    state().requests.pop_back();
    state().is_used.pop_back();
    state().packed.pop_back();
  }
}

#ifdef OVERLAPACK_SMPI
void finish_part(OverlapackRequest whole) {
  if (--state().parts_left[whole] > 0) return;
  if (const auto stage = state().next_stage.find(whole); stage != state().next_stage.end()) {
    const auto start_next = std::move(stage->second);
    state().next_stage.erase(stage);
    ++state().parts_left[whole];  // until all parts are started
    start_next();
    return finish_part(whole);
  }
  state().parts_left.erase(whole);
  state().kept_answers.erase(whole);
  state().finished.push_back({whole, MPI_PROC_NULL, 0, 0, 0});
}
#endif

void note_finished(OverlapackRequest number, const MPI_Status& status, int error) {
#ifdef OVERLAPACK_SMPI
  if (const auto part = state().whole_of.find(number); part != state().whole_of.end()) {
    const OverlapackRequest whole = part->second;
    state().whole_of.erase(part);
    release_request(number);
    return finish_part(whole);
  }
#endif
  int bytes = 0, cancelled = 0;
  MPI_Test_cancelled(&status, &cancelled);
  if (!cancelled) MPI_Get_count(&status, MPI_BYTE, &bytes);
  state().finished.push_back({number, status.MPI_SOURCE, cancelled, error, bytes});
}

#ifdef OVERLAPACK_SMPI
/// Testany does not see a small send, which is done at once.
int test_one(OverlapackRequest number) {
  int done = 0;
  MPI_Status status;
  const int code = MPI_Test(&state().requests[number], &done, &status);
  if (code == MPI_SUCCESS && done) note_finished(number, status, MPI_SUCCESS);
  return code;
}
#endif

/// Start one request with `call(MPI_Request*)`. `may_be_done`: it may come to its end at once.
template <class Call>
int start(OverlapackRequest* number, Call call, [[maybe_unused]] bool may_be_done = false) {
  MPI_Request* request = new_request(number);
  int code = call(request);
#ifdef OVERLAPACK_SMPI
  state().looked_in_vain_s = -1;
  if (code == MPI_SUCCESS && may_be_done) code = test_one(*number);
#endif
  if (code != MPI_SUCCESS) release_request(*number);
  return code;
}

int source_or_any(int from) { return from < 0 ? MPI_ANY_SOURCE : from; }

// The library

int initialise(int want_serialized, int* started, int* serialized) {
  int running = 0, level = MPI_THREAD_SINGLE;
  int code = MPI_Initialized(&running);
  if (code == MPI_SUCCESS && !running)
    code = MPI_Init_thread(nullptr, nullptr, want_serialized ? MPI_THREAD_SERIALIZED : MPI_THREAD_FUNNELED,
                           &level);
  else if (code == MPI_SUCCESS)
    code = MPI_Query_thread(&level);
#ifdef OVERLAPACK_SMPI
  sg_cfg_set_double("smpi/test", 0);  // see test_some
  if (const auto* machine = overlapack::comm::mpi::SimulatedMachine::of_this_run()) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    state().slowness = machine->slowness(rank);
    state().noise =
        overlapack::Random(machine->seed() ^ (0xabcdefull << 20) * static_cast<std::uint64_t>(rank + 1));
  }
#endif
  *started = !running;
  *serialized = level >= MPI_THREAD_SERIALIZED;
  return code;
}

int finalise() {
  int over = 0;
  const int code = MPI_Finalized(&over);
  return code != MPI_SUCCESS || over ? code : MPI_Finalize();
}

struct LastCall {
  void (*call)(void*);
  void* with;
};

int make_last_call(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<LastCall> last(static_cast<LastCall*>(attribute));
  last->call(last->with);
  return MPI_SUCCESS;
}

/// MPI_Finalize begins by deleting the attributes of MPI_COMM_SELF, the newest first (MPI 2.2, section 8.7.1).
int call_before_end(void (*call)(void*), void* with) {
  int key = MPI_KEYVAL_INVALID;
  int code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, make_last_call, &key, nullptr);
  if (code != MPI_SUCCESS) return code;
  auto last = std::make_unique<LastCall>(LastCall{call, with});
  code = MPI_Comm_set_attr(MPI_COMM_SELF, key, last.get());
  if (code == MPI_SUCCESS) last.release();
  MPI_Comm_free_keyval(&key);
  return code;
}

int library_version(char* text) {
  std::vector<char> whole(MPI_MAX_LIBRARY_VERSION_STRING + 1);
  int length = 0;
  const int code = MPI_Get_library_version(whole.data(), &length);
  std::strncpy(text, whole.data(), overlapack_mpi_text_bytes - 1);
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

#ifdef OVERLAPACK_SMPI
double clock_s() {
  return simgrid_get_clock();
}  // MPI_Wtime lets time pass, which costs a step of the simulation
#else
double clock_s() { return MPI_Wtime(); }
#endif

// Communicators

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

// Messages

int send_one(OverlapackComm comm, const void* data, std::int64_t bytes, int to, int tag, int synchronous,
             MPI_Request* request) {
  const auto call = synchronous ? MPI_Issend : MPI_Isend;
  return call(data, static_cast<int>(bytes), MPI_BYTE, to, tag, state().comms[comm], request);
}

/// One message from two places: a datatype of two blocks at absolute addresses.
int send_two(OverlapackComm comm, const void* first, std::int64_t first_bytes, const void* second,
             std::int64_t second_bytes, int to, int tag, int synchronous, MPI_Request* request) {
  MPI_Aint address[2];
  MPI_Get_address(const_cast<void*>(first), &address[0]);
  MPI_Get_address(const_cast<void*>(second), &address[1]);
  int length[2] = {static_cast<int>(first_bytes), static_cast<int>(second_bytes)};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int code = MPI_Type_create_hindexed(2, length, address, MPI_BYTE, &type);
  if (code == MPI_SUCCESS) code = MPI_Type_commit(&type);
  if (code != MPI_SUCCESS) return code;
  const auto call = synchronous ? MPI_Issend : MPI_Isend;
  code = call(MPI_BOTTOM, 1, type, to, tag, state().comms[comm], request);
  MPI_Type_free(&type);
  return code;
}

#ifdef OVERLAPACK_SMPI
/// A header with bytes behind it that are nowhere.
int send_phantom(OverlapackComm comm, const void* first, std::int64_t first_bytes, std::int64_t phantom_bytes,
                 int to, int tag, int synchronous, OverlapackRequest number, MPI_Request* request) {
  if (first_bytes + phantom_bytes > INT_MAX) return MPI_ERR_COUNT;
  const auto phantom = phantom_memory.take(first_bytes + phantom_bytes);
  state().phantom_of[number] = phantom;
  std::memcpy(phantom.memory, first, static_cast<std::size_t>(first_bytes));
  return send_one(comm, phantom.memory, first_bytes + phantom_bytes, to, tag, synchronous, request);
}
#endif

int send(OverlapackComm comm, const void* first, std::int64_t first_bytes, const void* second,
         std::int64_t second_bytes, int to, int tag, int synchronous, OverlapackRequest* number) {
  const auto call = [&](MPI_Request* request) {
#ifdef OVERLAPACK_SMPI
    if (!second && second_bytes > 0)
      return send_phantom(comm, first, first_bytes, second_bytes, to, tag, synchronous, *number, request);
#endif
    if (second_bytes == 0) return send_one(comm, first, first_bytes, to, tag, synchronous, request);
    if (first_bytes + second_bytes > packed_bytes)
      return send_two(comm, first, first_bytes, second, second_bytes, to, tag, synchronous, request);
    auto& joined = state().packed[*number];
    joined.reset(new char[static_cast<std::size_t>(first_bytes + second_bytes)]);
    std::memcpy(joined.get(), first, static_cast<std::size_t>(first_bytes));
    std::memcpy(joined.get() + first_bytes, second, static_cast<std::size_t>(second_bytes));
    return send_one(comm, joined.get(), first_bytes + second_bytes, to, tag, synchronous, request);
  };
  return start(number, call, !synchronous);
}

int receive(OverlapackComm comm, void* buffer, std::int64_t bytes, int from, int tag,
            OverlapackRequest* number) {
  const auto call = [&](MPI_Request* request) {
    return MPI_Irecv(buffer, static_cast<int>(bytes), MPI_BYTE, source_or_any(from), tag, state().comms[comm],
                     request);
  };
  return start(number, call, from >= 0);  // the parts of a message may be here before their receives
}

int probe(OverlapackComm comm, int from, int tag, int* found, int* source) {
  MPI_Status status;
  const int code = MPI_Iprobe(source_or_any(from), tag, state().comms[comm], found, &status);
  if (code == MPI_SUCCESS && *found) *source = status.MPI_SOURCE;
  return code;
}

int cancel(OverlapackRequest request) {
  int code = MPI_Cancel(&state().requests[request]);
#ifdef OVERLAPACK_SMPI
  // To be ended here, since Waitany fails on it.
  int index = 0, done = 0;
  MPI_Status status;
  if (code == MPI_SUCCESS) code = MPI_Testany(1, &state().requests[request], &index, &done, &status);
  if (code == MPI_SUCCESS && done) note_finished(request, status, MPI_SUCCESS);
#endif
  return code;
}

// Collectives that do not block

#ifndef OVERLAPACK_SMPI

int barrier(OverlapackComm comm, OverlapackRequest* number) {
  return start(number, [&](MPI_Request* request) { return MPI_Ibarrier(state().comms[comm], request); });
}

int allgather(OverlapackComm comm, const void* from, std::int64_t bytes, void* to,
              OverlapackRequest* number) {
  const int count = static_cast<int>(bytes);
  return start(number, [&](MPI_Request* request) {
    return MPI_Iallgather(from, count, MPI_BYTE, to, count, MPI_BYTE, state().comms[comm], request);
  });
}

int alltoall(OverlapackComm comm, const void* from, std::int64_t bytes, void* to, OverlapackRequest* number) {
  const int count = static_cast<int>(bytes);
  return start(number, [&](MPI_Request* request) {
    return MPI_Ialltoall(from, count, MPI_BYTE, to, count, MPI_BYTE, state().comms[comm], request);
  });
}

int broadcast(OverlapackComm comm, void* data, std::int64_t bytes, int root, OverlapackRequest* number) {
  return start(number, [&](MPI_Request* request) {
    return MPI_Ibcast(data, static_cast<int>(bytes), MPI_BYTE, root, state().comms[comm], request);
  });
}

#else

// SMPI's own are not seen by Testany, and Waitany lets nothing else end before them: an abort could not wake a rank
// that waits for the others in a collective. Here they are messages up a tree to rank 0 and back. They open and close teams and end
// runs; what algorithms do together is in comm/collective.

template <class Call>
int start_part(OverlapackRequest whole, Call call) {
  OverlapackRequest part = -1;
  const auto begin = [&](MPI_Request* request) {
    state().whole_of[part] = whole;
    ++state().parts_left[whole];
    return call(request);
  };
  return start(&part, begin, true);
}

int start_part_send(OverlapackRequest whole, OverlapackComm comm, const void* data, std::int64_t bytes,
                    int to, int tag) {
  return start_part(whole, [&](MPI_Request* request) {
    return MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, state().comms[comm], request);
  });
}

int start_part_receive(OverlapackRequest whole, OverlapackComm comm, void* place, std::int64_t bytes,
                       int from, int tag) {
  return start_part(whole, [&](MPI_Request* request) {
    return MPI_Irecv(place, static_cast<int>(bytes), MPI_BYTE, from, tag, state().comms[comm], request);
  });
}

/// All ranks call the collectives of a communicator in the same order: its number tells their messages apart, and nobody
/// else uses the tags at the end.
int next_tag(OverlapackComm comm) {
  constexpr int most_under_way = 1024;
  int largest = 0;
  largest_tag(&largest);
  return largest - state().collectives[comm]++ % most_under_way;
}

/// A tree over ranks 0 to size - 1 in which those below a rank are the next ones behind it.
struct Tree {
  int rank, size;

  int parent() const { return rank & (rank - 1); }
  int below(int r) const { return r == 0 ? size : std::min(r & -r, size - r); }  ///< with r itself
  int below() const { return below(rank); }
  std::vector<int> children() const {
    std::vector<int> all;
    for (int step = 1; rank + step < size && (rank == 0 || step < (rank & -rank)); step *= 2)
      all.push_back(rank + step);
    return all;
  }
};

/// Up a tree to rank 0 and down again. All ranks share one memory: what they bring stays where it is, its addresses travel,
/// and each rank takes what it is to have.
using Bytes = std::vector<char>;
using Brought = std::vector<std::unique_ptr<Bytes>>;  ///< by rank
struct ThroughRoot {
  OverlapackComm comm;
  Tree tree;
  int tag;
  std::function<void(const Brought&)> take;
  OverlapackRequest whole;

  int start(const void* from, std::int64_t bytes) const {
    const auto addresses = std::make_shared<std::vector<Bytes*>>(static_cast<std::size_t>(tree.below()));
    const auto* first = static_cast<const char*>(from);
    addresses->front() = new Bytes(first, first + bytes);  // owned by rank 0, once it has all
    int code = MPI_SUCCESS;
    for (const int child : tree.children())
      if (code == MPI_SUCCESS)
        code = start_part_receive(whole, comm, addresses->data() + (child - tree.rank),
                                  tree.below(child) * bytes_of_address, child, tag);
    state().next_stage[whole] = [self = *this, addresses] {
      if (self.tree.rank > 0) return self.ask_parent(addresses);
      auto brought = std::make_shared<Brought>();
      for (Bytes* one : *addresses) brought->emplace_back(one);
      return self.hand_down(brought);
    };
    return code;
  }

 private:
  using Shared = std::shared_ptr<Brought>;
  static constexpr std::int64_t bytes_of_address = sizeof(void*);

  int ask_parent(const std::shared_ptr<std::vector<Bytes*>>& addresses) const {
    const auto answer = std::make_shared<Shared*>();
    state().next_stage[whole] = [self = *this, addresses, answer] {
      const std::unique_ptr<Shared> mine(*answer);
      return self.hand_down(*mine);
    };
    const int code = start_part_receive(whole, comm, answer.get(), bytes_of_address, tree.parent(), tag);
    return code != MPI_SUCCESS ? code
                               : start_part_send(whole, comm, addresses->data(),
                                                 tree.below() * bytes_of_address, tree.parent(), tag);
  }

  int hand_down(const Shared& brought) const {
    take(*brought);
    const auto answers = std::make_shared<std::vector<Shared*>>();
    for (std::size_t i = 0; i < tree.children().size(); ++i) answers->push_back(new Shared(brought));
    state().kept_answers[whole] = answers;
    int code = MPI_SUCCESS;
    for (std::size_t i = 0; i < answers->size() && code == MPI_SUCCESS; ++i)
      code = start_part_send(whole, comm, &(*answers)[i], bytes_of_address, tree.children()[i], tag);
    return code;
  }
};

int through_root(OverlapackComm comm, const void* from, std::int64_t bytes,
                 std::function<void(const Brought&)> take, OverlapackRequest* whole) {
  int rank = 0, size = 1;
  int code = rank_and_size(comm, &rank, &size);
  new_request(whole);
  state().parts_left[*whole] = 1;  // until all parts are started
  if (code == MPI_SUCCESS)
    code = ThroughRoot{comm, {rank, size}, next_tag(comm), std::move(take), *whole}.start(from, bytes);
  finish_part(*whole);
  return code;
}

int allgather(OverlapackComm comm, const void* from, std::int64_t bytes, void* to,
              OverlapackRequest* number) {
  const auto take = [=](const Brought& all) {
    auto* place = static_cast<char*>(to);
    for (const auto& one : all) place = std::copy(one->begin(), one->end(), place);
  };
  return through_root(comm, from, bytes, take, number);
}

int barrier(OverlapackComm comm, OverlapackRequest* number) {
  return allgather(comm, nullptr, 0, nullptr, number);
}

int alltoall(OverlapackComm comm, const void* from, std::int64_t bytes, void* to, OverlapackRequest* number) {
  int rank = 0, size = 1;
  const int code = rank_and_size(comm, &rank, &size);
  if (code != MPI_SUCCESS) return code;
  const auto take = [=](const Brought& all) {
    auto* place = static_cast<char*>(to);
    for (const auto& one : all) place = std::copy_n(one->begin() + rank * bytes, bytes, place);
  };
  return through_root(comm, from, size * bytes, take, number);
}

int broadcast(OverlapackComm comm, void* data, std::int64_t bytes, int root, OverlapackRequest* whole) {
  int rank = 0, size = 1;
  int code = rank_and_size(comm, &rank, &size);
  const int tag = next_tag(comm);
  new_request(whole);
  state().parts_left[*whole] = 1;  // until all parts are started
  if (code == MPI_SUCCESS && rank != root) code = start_part_receive(*whole, comm, data, bytes, root, tag);
  for (int r = 0; rank == root && r < size && code == MPI_SUCCESS; ++r)
    if (r != root) code = start_part_send(*whole, comm, data, bytes, r, tag);
  finish_part(*whole);
  return code;
}

#endif

// Progress

/// A number is free again only when its completion is handed out.
int hand_out(OverlapackCompletion* done, int capacity, int* count) {
  for (*count = 0; *count < capacity && !state().finished.empty(); state().finished.pop_front()) {
    done[*count] = state().finished.front();
    release_request(done[(*count)++].request);
  }
  forget_trailing_requests();
  return MPI_SUCCESS;
}

#ifndef OVERLAPACK_SMPI

int test_some(OverlapackCompletion* done, int capacity, int* count) {
  if (state().finished.empty()) {
    state().indices.resize(state().requests.size());
    state().statuses.resize(state().requests.size());
    int found = 0;
    const int code = MPI_Testsome(static_cast<int>(state().requests.size()), state().requests.data(), &found,
                                  state().indices.data(), state().statuses.data());
    if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) return code;
    for (int i = 0; found != MPI_UNDEFINED && i < found; ++i) {
      const MPI_Status& status = state().statuses[i];
      note_finished(state().indices[i], status, code == MPI_ERR_IN_STATUS ? status.MPI_ERROR : MPI_SUCCESS);
    }
  }
  return hand_out(done, capacity, count);
}

constexpr auto wait_some = nullptr;
constexpr auto compute = nullptr;
constexpr auto idle = nullptr;
constexpr auto simulation = nullptr;

#else

void idle(double seconds) { sg_actor_sleep_for(seconds); }

// A look in vain costs what is charged here: Testany would charge more from one to the next, without a bound. Several are
// charged at once, and while no time has passed nothing can be new. Testany and Waitany are one step of the simulation for
// all requests, but a long one where many are done: what comes behind a request that is done, as the parts of a message do,
// is tested by itself.

constexpr double look_s = 1e-7, most_owed_s = 1e-6;

void test_behind(int index) {
  const int end = static_cast<int>(state().requests.size());
  while (++index < end && state().requests[index] != MPI_REQUEST_NULL) {
    test_one(index);
    if (state().requests[index] != MPI_REQUEST_NULL) break;
  }
}

int look_in_vain() {
  state().looked_in_vain_s = clock_s();
  state().owed_s += look_s;
  if (state().owed_s >= most_owed_s) idle(std::exchange(state().owed_s, 0));
  return MPI_SUCCESS;
}

int test_some(OverlapackCompletion* done, int capacity, int* count) {
  *count = 0;
  if (state().finished.empty() && state().looked_in_vain_s == clock_s()) return look_in_vain();
  while (static_cast<int>(state().finished.size()) < capacity) {
    int index = MPI_UNDEFINED, found = 0;
    MPI_Status status;
    const int code = MPI_Testany(static_cast<int>(state().requests.size()), state().requests.data(), &index,
                                 &found, &status);
    if (code != MPI_SUCCESS) return code;
    if (!found || index == MPI_UNDEFINED) break;
    note_finished(index, status, MPI_SUCCESS);
    test_behind(index);
  }
  if (state().finished.empty()) return look_in_vain();
  return hand_out(done, capacity, count);
}

int wait_some(OverlapackCompletion* done, int capacity, int* count) {
  if (state().finished.empty()) {
    int index = MPI_UNDEFINED;
    MPI_Status status;
    const int code =
        MPI_Waitany(static_cast<int>(state().requests.size()), state().requests.data(), &index, &status);
    if (code != MPI_SUCCESS) return code;
    if (index != MPI_UNDEFINED) {
      note_finished(index, status, MPI_SUCCESS);
      test_behind(index);
    }
  }
  return hand_out(done, capacity, count);
}

/// Without a description of the machine: flops at the speed of the simulated host. With one, processors do `unit` of work
/// a second when they have the memory for themselves; ranks of a node that compute at once may share less than that.
void compute(const OverlapackWork* work) {
  constexpr double unit = 1e9;
  const auto* machine = overlapack::comm::mpi::SimulatedMachine::of_this_run();
  if (!machine) return smpi_execute_flops(work->flops);
  const double disturbed =
      machine->noise() > 0 ? 1 + machine->noise() * overlapack::comm::mpi::half_normal(state().noise) : 1;
  const double seconds =
      machine->seconds(*work) * state().slowness * disturbed + std::exchange(state().owed_s, 0);
  if (seconds <= 0) return;
  if (!machine->shares_processors())
    return sg_actor_sleep_for(seconds);  // the same, in one step of the simulation
  const sg_exec_t exec = sg_actor_exec_init(seconds * unit);
  sg_exec_set_bound(exec, unit);
  sg_exec_start(exec);
  sg_exec_wait(exec);
}

void simulation(OverlapackSimulation* asked) {
  const auto* machine = overlapack::comm::mpi::SimulatedMachine::of_this_run();
  *asked = machine ? machine->settings() : OverlapackSimulation{-1, -1, 1, 0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &asked->rank);
}

#endif

// Windows

/// Open it for everybody once everybody has it.
int open_window(OverlapackComm comm, MPI_Win win, bool shared, OverlapackWindow* number) {
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  auto free = std::find_if(state().windows.begin(), state().windows.end(),
                           [](const Window& w) { return w.win == MPI_WIN_NULL; });
  *number = static_cast<OverlapackWindow>(free - state().windows.begin());
  if (free == state().windows.end())
    state().windows.push_back({win, shared});
  else
    *free = {win, shared};
  const int code = MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  return code != MPI_SUCCESS ? code : MPI_Barrier(state().comms[comm]);
}

int allocate_window(OverlapackComm comm, std::int64_t bytes, int shared, void** memory,
                    OverlapackWindow* number) {
  MPI_Win win = MPI_WIN_NULL;
  const auto call = shared ? MPI_Win_allocate_shared : MPI_Win_allocate;
  const int code = call(bytes, 1, MPI_INFO_NULL, state().comms[comm], memory, &win);
  if (code != MPI_SUCCESS) return code;
  std::memset(*memory, 0, static_cast<std::size_t>(bytes));
  return open_window(comm, win, shared != 0, number);
}

int attach_window(OverlapackComm comm, void* memory, std::int64_t bytes, OverlapackWindow* number) {
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
  return in_parts(at, [&](std::int64_t there, std::int64_t here, std::int64_t bytes) {
    const int count = static_cast<int>(bytes / word_bytes);
    return MPI_Accumulate(static_cast<const char*>(from) + here, count, type, target, there, count, type,
                          MPI_REPLACE, state().windows[window].win);
  });
}

#ifdef OVERLAPACK_SMPI
int synchronise(OverlapackWindow) {
  return MPI_SUCCESS;
}  // all ranks share one memory, and only one runs at a time
#else
int synchronise(OverlapackWindow window) { return MPI_Win_sync(state().windows[window].win); }
#endif

#if defined(OVERLAPACK_SMPI)
constexpr const char* flavour = "SMPI";
#elif defined(OPEN_MPI)
constexpr const char* flavour = "Open MPI";
#else
constexpr const char* flavour = "MPICH";
#endif

const OverlapackMpiTable table = {overlapack_mpi_table_version,
                                  sizeof(OverlapackMpiTable),
                                  flavour,
                                  initialise,
                                  finalise,
                                  call_before_end,
                                  library_version,
                                  error_text,
                                  clock_s,
                                  compute,
                                  idle,
                                  simulation,
                                  duplicate_user_comm,
                                  duplicate_fortran_comm,
                                  duplicate,
                                  split,
                                  split_node,
                                  free_comm,
                                  rank_and_size,
                                  world_ranks,
                                  largest_tag,
                                  send,
                                  receive,
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
                                  synchronise};

}  // namespace

extern "C" __attribute__((visibility("default"))) const OverlapackMpiTable* overlapack_mpi_table() {
  return &table;
}
