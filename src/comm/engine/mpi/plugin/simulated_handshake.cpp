#include "comm/engine/mpi/load/simulated_machine.hpp"
#include "comm/engine/mpi/plugin/posted_receives.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <cstring>

namespace overlapack::comm::mpi::plugin {

// The rendezvous protocol of most MPIs for long messages. The sender announces the message (ready to send); the receiver finds the
// announcement in an MPI call, once it has posted its receive, and answers (clear to send); the sender finds the answer in an MPI
// call and only then sends the body. The network card moves the body without calls; its completion is found in a call.

namespace {

/// Ready to send. The first message of every receive is checked for it: no other has this length and begins with these words.
struct Announcement {
  std::uint64_t words[2] = {0x6f7665726c617061, 0x636b2072656e6476};
  std::int64_t bytes = 0;   ///< of the body
  std::int32_t sender = 0;  ///< rank in MPI_COMM_WORLD
  std::int32_t number = 0;  ///< of the sender's request
};

int body_tag(OverlapackRequest of_sender) { return 2 * of_sender; }
int answer_tag(OverlapackRequest of_sender) { return 2 * of_sender + 1; }

/// Send a small message: SMPI copies it, so that it completes at once.
int send_small(const void* data, std::size_t bytes, int to, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, comm, &request);
  return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

/// After the next step of a handshake was started with result `code`: on failure finish the request with that error.
bool finish_if_failed(OverlapackRequest number, int code) {
  state().looked_in_vain_s = -1;
  if (code != MPI_SUCCESS) state().finished.push_back({number, MPI_PROC_NULL, 0, code, 0});
  return true;
}

/// Shared by all simulated ranks.
PostedReceives& posted_receives() {
  static PostedReceives receives;
  return receives;
}

PostedReceives::Position position_of_me(OverlapackComm comm) {
  PostedReceives::Position position{state().comm_names[comm]};
  MPI_Comm_rank(state().comms[comm], &position.rank);
  return position;
}

bool is_announcement(const MPI_Status& status, const void* memory) {
  const Announcement usual;
  int bytes = 0, cancelled = 0;
  MPI_Test_cancelled(&status, &cancelled);
  if (cancelled) return false;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes == sizeof usual && std::memcmp(memory, usual.words, sizeof usual.words) == 0;
}

int answer(const Announcement& announced, void* memory, MPI_Request* request) {
  const int code = MPI_Irecv(memory, static_cast<int>(announced.bytes), MPI_BYTE, announced.sender,
                             body_tag(announced.number), state().handshakes, request);
  if (code != MPI_SUCCESS) return code;
  return send_small(nullptr, 0, announced.sender, answer_tag(announced.number), state().handshakes);
}

}  // namespace

bool progresses_in_calls() { return state().handshakes != MPI_COMM_NULL; }

// Progress `sender`: the protocol of a Cray T3E for long messages. The sender can write to the receiver's memory without its help
// once the address is known: a message whose receive is already posted is sent at once, and for all others "the sender now
// transmits" in its first call after the receiver's answer (paper 1, section 3).

bool record_send(OverlapackComm comm, int to, int tag) {
  if (state().progress != overlapack_progress_sender) return false;
  int me = 0;
  MPI_Comm_rank(state().comms[comm], &me);
  return posted_receives().send({state().comm_names[comm], to}, me, tag);
}

void record_receive(OverlapackComm comm, int from, int tag, OverlapackRequest number, bool is_seen) {
  if (state().progress != overlapack_progress_sender) return;
  posted_receives().post(position_of_me(comm), from, tag, number, is_seen);
}

void record_cancelled(OverlapackRequest number) {
  const auto position = state().positions.find(number);
  if (state().progress == overlapack_progress_sender && position != state().positions.end())
    posted_receives().withdraw(position_of_me(position->second.comm), number);
}

int name_comm(OverlapackComm number) {
  if (state().progress != overlapack_progress_sender) return MPI_SUCCESS;
  static int names = 0;  // of all ranks
  const MPI_Comm comm = state().comms[number];
  int me = 0;
  MPI_Comm_rank(comm, &me);
  int name = me == 0 ? ++names : 0;
  const int code = MPI_Bcast(&name, 1, MPI_INT, 0, comm);
  state().comm_names.resize(state().comms.size());
  state().comm_names[number] = name;
  return code;
}

int start_handshake(const Outgoing& message, OverlapackRequest number, MPI_Request* request) {
  Announcement announcement{.bytes = message.first_bytes + message.second_bytes, .number = number};
  MPI_Comm_rank(MPI_COMM_WORLD, &announcement.sender);
  MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  MPI_Comm_group(message.comm, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int receiver = 0;
  MPI_Group_translate_ranks(group, 1, &message.to, world, &receiver);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  Outgoing body = message;
  body.comm = state().handshakes, body.to = receiver, body.tag = body_tag(number);
  state().announced[number] = body;
  const int code = MPI_Irecv(nullptr, 0, MPI_BYTE, receiver, answer_tag(number), state().handshakes, request);
  if (code != MPI_SUCCESS) return code;
  return send_small(&announcement, sizeof announcement, message.to, message.tag, message.comm);
}

bool advance_handshake(OverlapackRequest number, const MPI_Status& status, int* source) {
  if (!progresses_in_calls()) return false;
  if (const auto cleared = state().announced.find(number); cleared != state().announced.end()) {
    const Outgoing body = cleared->second;
    state().announced.erase(cleared);
    return finish_if_failed(number, begin(body, number, &state().requests[number]));
  }
  const auto position = state().positions.find(number);
  if (position == state().positions.end()) return false;
  if (position->second.source < 0 && is_announcement(status, position->second.memory)) {
    Announcement announced;
    std::memcpy(&announced, position->second.memory, sizeof announced);
    position->second.source = status.MPI_SOURCE;
    return finish_if_failed(number, answer(announced, position->second.memory, &state().requests[number]));
  }
  if (position->second.source >= 0) *source = position->second.source;
  state().positions.erase(position);
  return false;
}

}  // namespace overlapack::comm::mpi::plugin
