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

/// Priority queue of free numbers, the smallest first.
class Numbers : public std::priority_queue<int, std::vector<int>, std::greater<>> {
 public:
  void reserve(std::size_t count) { c.reserve(count); }
  void clear() { c.clear(); }
};

#ifdef OVERLAPACK_SMPI
struct SimulatedWindow;
struct Window {
  std::shared_ptr<SimulatedWindow> all;  ///< null: this slot is free
  int me = 0;                            ///< my position in it
};
#else
struct Window {
  MPI_Win win = MPI_WIN_NULL;
  bool shared = false;
  std::vector<unsigned char> begins = {};  ///< by rank: offset of the window's memory within MPI's
  MPI_Aint begin_of(int rank) const { return begins[static_cast<std::size_t>(rank)]; }
};
#endif

/// Arguments of a send: two buffers as one message.
struct Outgoing {
  MPI_Comm comm;
  const void* first;
  std::int64_t first_bytes;
  const void* second;
  std::int64_t second_bytes;
  int to, tag, synchronous;
};

#ifdef OVERLAPACK_SMPI
/// A posted receive: its buffer, its communicator, and the sender of the message announced to it (-1: none yet).
struct Position {
  void* memory;
  OverlapackComm comm;
  int source = -1;
};
#endif

#ifdef OVERLAPACK_SMPI
/// SimGrid's list of a rank's activities (simulated_records.cpp).
using Records = std::list<simgrid::kernel::activity::ActivityImplPtr>;
#endif

/// Use of a request number: from the start of the request until its completion was handed out.
enum class RequestUse : char { none, send, other };

/// All MPI objects that this process has open. Requests are stored densely, so that one call tests them all.
struct State {
  std::vector<MPI_Comm> comms;
  std::vector<Window> windows;
  std::vector<MPI_Request> requests;
  std::vector<RequestUse> is_used;              ///< by request
  std::vector<std::unique_ptr<char[]>> packed;  ///< by request: buffer of a small message's header and body
  Numbers free_requests;
  /// Found by Testsome, not yet handed out; has room for all requests
  std::vector<OverlapackCompletion> finished;
  std::vector<int> indices;
  std::vector<MPI_Status> statuses;
  std::vector<int> looked_at;        ///< requests in the present test_some_of_many
  std::vector<MPI_Request> handles;  ///< their MPI handles
  /// test_some_of_many() tests sends in turn: the number of the last one
  std::size_t next_send = 0;
#ifndef OVERLAPACK_SMPI
  int largest_comm = 1;                                  ///< ranks of the largest communicator
  std::vector<std::vector<unsigned char>> spare_begins;  ///< reserved for future windows
#endif
#ifdef OVERLAPACK_SMPI
  std::map<OverlapackRequest, OverlapackRequest> whole_of;  ///< the collective to which a message belongs
  std::map<OverlapackRequest, int> parts_left;  ///< of each collective under way: messages not completed
  std::map<OverlapackRequest, std::function<int()>> next_stage;  ///< of these: what to run next
  std::map<OverlapackComm, int> collectives;  ///< number of collectives begun on each communicator
  std::map<OverlapackRequest, std::shared_ptr<void>> kept_answers;  ///< buffers of sends down the tree
  std::map<OverlapackRequest, PhantomMemory::Piece> phantom_of;
  std::map<MPI_Comm, void*> kept;  ///< pointers kept with communicators of the caller's
  int progress = overlapack_progress_always;
  MPI_Comm handshakes = MPI_COMM_NULL;  ///< for handshakes and bodies; null where long messages need no calls
  std::vector<int> comm_names;  ///< by communicator, progress `sender` only: the same on all of its ranks
  std::map<OverlapackRequest, Outgoing> announced;  ///< sends that wait for the receiver's answer
  std::map<OverlapackRequest, Position> positions;  ///< posted receives, if handshakes is not null
  OverlapackRequest signals = -1;                   ///< the receive of all signals to this rank's windows
  int windows_made = 0;
  std::array<int, 4096> signalled{};  ///< its buffer: the name of a window, and room for the bytes of a put
  overlapack::Random noise{0};
  double slowness = 1;
  std::vector<sg_exec_t> helpers;  ///< work that other processors of the node do for this rank
  double helpers_end_s = 0;        ///< when the helpers end, where processors do not slow each other down
  /// Time of the last test that found nothing; -1: a request was started since
  double looked_in_vain_s = -1;
  double owed_s = 0;           ///< cost of tests that found nothing, not yet charged
  Records* records = nullptr;  ///< null where the list was not found
#endif
};
State& state();

/// Assign a number to a communicator (space must be reserved), and let MPI return its errors.
int number_of(MPI_Comm comm, OverlapackComm* number);

/// Start the send of `message` as request `number`.
int begin(const Outgoing& message, OverlapackRequest number, MPI_Request* request);

/// Returns call(), or overlapack_mpi_no_memory for bad_alloc: no exception may cross the table.
template <class Call>
int guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return overlapack_mpi_no_memory;
  }
}

/// Reserve memory for `more` further requests.
void reserve_requests(std::size_t more);
MPI_Request* new_request(OverlapackRequest* number, RequestUse use);
void release_request(OverlapackRequest number);
/// Drop the unused request numbers above the largest one in use.
void drop_trailing_requests();
/// Queue a finished request for take_completions, unless it belongs to a simulated collective, a handshake or the signals.
void queue_finished_request(OverlapackRequest number, const MPI_Status& status, int error);
/// Hand out up to `capacity` completions; only this frees their request numbers.
int take_completions(OverlapackCompletion* done, int capacity, int* count);

#ifdef OVERLAPACK_SMPI
/// Send buffers for messages without content; shared by all ranks.
PhantomMemory& phantom_memory();
/// Count a completed message of a collective: the last one starts the next stage or completes the collective.
void finish_part(OverlapackRequest whole);
/// Test one request: Testany does not see a small send, which is done at once.
int test_one(OverlapackRequest number);
/// Set this rank's speed, noise and progress from the description of the simulated machine.
void begin_simulation();
/// Find SimGrid's list of activities; clear it when it has grown (simulated_records.cpp).
void find_activity_records();
void clear_activity_records();

// Long messages that need MPI calls to progress (simulated_handshake.cpp)
bool progresses_in_calls();
/// Progress `sender`: give a new communicator a name, the same on all of its ranks.
/// Sync  collective over it
int name_comm(OverlapackComm number);
/// Note a send, a posted receive or a cancelled one. record_send returns whether the message may be sent at once.
bool record_send(OverlapackComm comm, int to, int tag);
/// is_seen: by the sender, who sends to it at once.
void record_receive(OverlapackComm comm, int from, int tag, OverlapackRequest number, bool is_seen);
void record_cancelled(OverlapackRequest number);
/// Announce the message to its receiver; *request completes with the receiver's answer.
int start_handshake(const Outgoing& message, OverlapackRequest number, MPI_Request* request);
/// For a completed request: if it is the receive of signals, count the signal, post it again and return true.
bool count_signal(OverlapackRequest number, const MPI_Status& status);
/// For a completed request: if it is a step of a handshake, start the next step under the same number and return true. Of a
/// received body, *source becomes the sender's rank in the receive's communicator.
bool advance_handshake(OverlapackRequest number, const MPI_Status& status, int* source);
#endif

/// Start one request with `call(MPI_Request*)`. may_be_done: it may complete at once.
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
