#pragma once
#include "comm/engine/mpi/load/table.h"
#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/mpi.hpp"

#include <array>
#include <functional>
#include <memory>
#include <new>
#include <queue>
#include <vector>

#ifdef OVERLAPACK_SMPI
#include "base/random.hpp"
#include "comm/engine/mpi/plugin/phantom_memory.hpp"

#include <list>
#include <map>
#include <simgrid/forward.h>
#endif

namespace overlapack::comm::mpi::plugin {

/// Numbers that are free, the smallest first.
class Numbers : public std::priority_queue<int, std::vector<int>, std::greater<>> {
 public:
  void reserve(std::size_t count) { c.reserve(count); }
  void clear() { c.clear(); }
};

#ifdef OVERLAPACK_SMPI
struct SimulatedWindow;
struct Window {
  std::shared_ptr<SimulatedWindow> all;  ///< null: its number is free
  int me = 0;                            ///< my position in it
};
#else
struct Window {
  MPI_Win win = MPI_WIN_NULL;
  bool shared = false;
  std::vector<unsigned char> begins = {};  ///< by rank: bytes of MPI's memory before the window's
  MPI_Aint begin_of(int rank) const { return begins[static_cast<std::size_t>(rank)]; }
};
#endif

/// A message to be sent: two pieces of memory as one message.
struct Outgoing {
  MPI_Comm comm;
  const void* first;
  std::int64_t first_bytes;
  const void* second;
  std::int64_t second_bytes;
  int to, tag, synchronous;
};

#ifdef OVERLAPACK_SMPI
/// Where a posted receive puts its message, and who the message that was announced to it is from (-1: none was).
struct Position {
  void* memory;
  OverlapackComm comm;
  int source = -1;
};
#endif

#ifdef OVERLAPACK_SMPI
/// SimGrid's, of the messages of a rank (simulated_records.cpp).
using Records = std::list<simgrid::kernel::activity::ActivityImplPtr>;
#endif

/// A number is used from the start of its request until it was handed out as done.
enum class RequestUse : char { none, send, other };

/// Everything this process has open at MPI. Requests are dense, so that one call tests them all.
struct State {
  std::vector<MPI_Comm> comms;
  std::vector<Window> windows;
  std::vector<MPI_Request> requests;
  std::vector<RequestUse> is_used;              ///< beside requests
  std::vector<std::unique_ptr<char[]>> packed;  ///< beside requests: the joined bytes of a small message
  Numbers free_requests;
  std::vector<OverlapackCompletion> finished;  ///< found by Testsome, not yet fetched; room for all requests
  std::vector<int> indices;
  std::vector<MPI_Status> statuses;
  std::vector<int> looked_at;        ///< in the present look at many
  std::vector<MPI_Request> handles;  ///< theirs
  std::size_t next_send = 0;         ///< whose turn was the last
#ifndef OVERLAPACK_SMPI
  int largest_comm = 1;                                  ///< its ranks
  std::vector<std::vector<unsigned char>> spare_begins;  ///< of windows to come
#endif
#ifdef OVERLAPACK_SMPI
  std::map<OverlapackRequest, OverlapackRequest> whole_of;       ///< messages that collectives are made of
  std::map<OverlapackRequest, int> parts_left;                   ///< of the collectives under way
  std::map<OverlapackRequest, std::function<int()>> next_stage;  ///< of these: what follows the present parts
  std::map<OverlapackComm, int> collectives;                     ///< begun on a communicator
  std::map<OverlapackRequest, std::shared_ptr<void>> kept_answers;  ///< on their way down
  std::map<OverlapackRequest, PhantomMemory::Piece> phantom_of;
  std::map<MPI_Comm, void*> kept;  ///< with communicators of the caller's
  int progress = overlapack_progress_always;
  MPI_Comm handshakes = MPI_COMM_NULL;  ///< where messages need calls: of their handshakes and bodies
  std::vector<int> comm_names;          ///< beside comms, progress sender: the same on all ranks of one
  std::map<OverlapackRequest, Outgoing> announced;  ///< sends that wait for their receiver's word
  std::map<OverlapackRequest, Position> positions;  ///< of the receives, where messages need calls
  OverlapackRequest signals = -1;                   ///< the receive of all signals to my windows
  int windows_made = 0;
  std::array<int, 4096>
      signalled{};  ///< what it brings: the name of a window, and what stands for the bytes of a put
  overlapack::Random noise{0};
  double slowness = 1;
  std::vector<sg_exec_t> helpers;  ///< work of other processors of the node for this rank
  double helpers_end_s = 0;        ///< the same, where they do not slow each other down
  double looked_in_vain_s = -1;    ///< when nothing was done, and nothing was started since
  double owed_s = 0;               ///< for looks in vain, not yet charged
  Records* records = nullptr;      ///< where SimGrid was seen to keep them
#endif
};
State& state();

/// A number for a communicator, for which there is room, and whose errors are returned from now on.
int number_of(MPI_Comm comm, OverlapackComm* number);

/// Start to send, under this number.
int begin(const Outgoing& message, OverlapackRequest number, MPI_Request* request);

/// What call() returns; no exception crosses the table.
template <class Call>
int guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return overlapack_mpi_no_memory;
  }
}

/// Room for so many more.
void reserve_requests(std::size_t more);
MPI_Request* new_request(OverlapackRequest* number, RequestUse use);
void release_request(OverlapackRequest number);
/// Numbers above all that are in use.
void forget_trailing_requests();
/// To be handed out, unless it is a part of a simulated collective.
void note_finished(OverlapackRequest number, const MPI_Status& status, int error);
/// Completions, as far as there are; a number is free again only now.
int hand_out(OverlapackCompletion* done, int capacity, int* count);

#ifdef OVERLAPACK_SMPI
/// Memory for headers with bytes behind them that are nowhere; of all ranks.
PhantomMemory& phantom_memory();
/// One of the messages that a collective is made of has come to its end.
void finish_part(OverlapackRequest whole);
/// Testany does not see a small send, which is done at once.
int test_one(OverlapackRequest number);
/// What the machine that is simulated says of this rank.
void begin_simulation();
/// SimGrid's records of messages: where they are, and away with those of messages that ended.
void find_records();
void forget_records();

// Long messages that set out in calls (simulated_handshake.cpp)
bool moves_in_calls();
/// Progress sender: a communicator that is new gets the name by which all of its ranks know it.
/// Sync  collective over it
int name_comm(OverlapackComm number);
/// A message is sent, or a receive is posted or withdrawn; of a message: may it set out at once?
bool note_send(OverlapackComm comm, int to, int tag);
void note_receive(OverlapackComm comm, int from, int tag, OverlapackRequest number);
void note_cancel(OverlapackRequest number);
/// Announce the message to its receiver; *request ends with the receiver's word.
int ask_to_send(const Outgoing& message, OverlapackRequest number, MPI_Request* request);
/// A request has come to its end: was it the receive of signals? Then the signal has been counted.
bool take_signal(OverlapackRequest number, const MPI_Status& status);
/// A request has come to its end: was it a step of a handshake? Then its next step has begun under the same number. Of a
/// body, *source gets the sender in the communicator of its receive.
bool shake_hands(OverlapackRequest number, const MPI_Status& status, int* source);
#endif

/// Start one request with `call(MPI_Request*)`. `may_be_done`: it may come to its end at once.
template <class Call>
int start(OverlapackRequest* number, Call call, [[maybe_unused]] bool may_be_done = false,
          RequestUse use = RequestUse::other) {
  int code = guarded([] {
    reserve_requests(1);
    return MPI_SUCCESS;
  });
  if (code != MPI_SUCCESS) return code;
  MPI_Request* request = new_request(number, use);
  code = guarded([&] { return call(request); });
#ifdef OVERLAPACK_SMPI
  state().looked_in_vain_s = -1;
  if (code == MPI_SUCCESS && may_be_done) code = test_one(*number);
#endif
  if (code != MPI_SUCCESS) release_request(*number);
  return code;
}

}  // namespace overlapack::comm::mpi::plugin
