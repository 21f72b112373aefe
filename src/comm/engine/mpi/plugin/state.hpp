#pragma once
#include "comm/engine/mpi/plugin/mpi.hpp"
#include "comm/engine/mpi/table.h"

#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#ifdef OVERLAPACK_SMPI
#include "base/random.hpp"
#include "comm/engine/mpi/plugin/phantom_memory.hpp"

#include <map>
#endif

namespace overlapack::comm::mpi::plugin {

using Numbers = std::priority_queue<int, std::vector<int>, std::greater<>>;

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
State& state();

/// A number for a communicator, whose errors are returned from now on.
int number_of(MPI_Comm comm, OverlapackComm* number);

MPI_Request* new_request(OverlapackRequest* number);
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

}  // namespace overlapack::comm::mpi::plugin
