#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <climits>

#include <cstring>

namespace overlapack::comm::mpi::plugin {

namespace {

constexpr std::int64_t packed_bytes = 4096;  ///< up to this size header and body are copied into one buffer

int source_or_any(int from) { return from < 0 ? MPI_ANY_SOURCE : from; }

int send_one(MPI_Comm comm, const void* data, std::int64_t bytes, int to, int tag, int synchronous,
             MPI_Request* request) {
  const auto call = synchronous ? MPI_Issend : MPI_Isend;
  return call(data, static_cast<int>(bytes), MPI_BYTE, to, tag, comm, request);
}

/// Send two buffers as one message: a datatype of two blocks at absolute addresses.
int send_two(MPI_Comm comm, const void* first, std::int64_t first_bytes, const void* second,
             std::int64_t second_bytes, int to, int tag, int synchronous, MPI_Request* request) {
  MPI_Aint address[2];
  int code = MPI_Get_address(const_cast<void*>(first), &address[0]);
  if (code == MPI_SUCCESS) code = MPI_Get_address(const_cast<void*>(second), &address[1]);
  if (code != MPI_SUCCESS) return code;
  int length[2] = {static_cast<int>(first_bytes), static_cast<int>(second_bytes)};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  code = MPI_Type_create_hindexed(2, length, address, MPI_BYTE, &type);
  if (code != MPI_SUCCESS) return code;
  code = MPI_Type_commit(&type);
  const auto call = synchronous ? MPI_Issend : MPI_Isend;
  if (code == MPI_SUCCESS) code = call(MPI_BOTTOM, 1, type, to, tag, comm, request);
  MPI_Type_free(&type);  // does not affect a send that has begun
  return code;
}

#ifdef OVERLAPACK_SMPI
/// Send a header followed by a body without content.
int send_phantom(const Outgoing& message, OverlapackRequest number, MPI_Request* request) {
  const std::int64_t bytes = message.first_bytes + message.second_bytes;
  if (bytes > INT_MAX) return MPI_ERR_COUNT;
  const auto phantom = phantom_memory().take(bytes);
  state().phantom_of[number] = phantom;
  std::memcpy(phantom.memory, message.first, static_cast<std::size_t>(message.first_bytes));
  return send_one(message.comm, phantom.memory, bytes, message.to, message.tag, message.synchronous, request);
}
#endif

}  // namespace

int begin(const Outgoing& o, OverlapackRequest number, MPI_Request* request) {
#ifdef OVERLAPACK_SMPI
  if (!o.second && o.second_bytes > 0) return send_phantom(o, number, request);
#endif
  if (o.second_bytes == 0)
    return send_one(o.comm, o.first, o.first_bytes, o.to, o.tag, o.synchronous, request);
  if (o.first_bytes + o.second_bytes > packed_bytes)
    return send_two(o.comm, o.first, o.first_bytes, o.second, o.second_bytes, o.to, o.tag, o.synchronous,
                    request);
  auto& joined = state().packed[number];
  joined.reset(new char[static_cast<std::size_t>(o.first_bytes + o.second_bytes)]);
  std::memcpy(joined.get(), o.first, static_cast<std::size_t>(o.first_bytes));
  std::memcpy(joined.get() + o.first_bytes, o.second, static_cast<std::size_t>(o.second_bytes));
  return send_one(o.comm, joined.get(), o.first_bytes + o.second_bytes, o.to, o.tag, o.synchronous, request);
}

int send(OverlapackComm comm, const void* first, std::int64_t first_bytes, const void* second,
         std::int64_t second_bytes, int to, int tag, int synchronous, OverlapackRequest* number) {
  const Outgoing message{state().comms[comm], first, first_bytes, second, second_bytes, to, tag, synchronous};
  const auto call = [&](MPI_Request* request) {
#ifdef OVERLAPACK_SMPI
    const bool sets_out = !progresses_in_calls() || record_send(comm, to, tag) || !synchronous;
    if (!sets_out) return start_handshake(message, *number, request);
#endif
    return begin(message, *number, request);
  };
  return start(number, call, !synchronous, RequestUse::send);
}

namespace {

int start_receive(OverlapackComm comm, void* buffer, std::int64_t bytes, int from, int tag,
                  OverlapackRequest* number, [[maybe_unused]] bool is_seen) {
  const auto call = [&](MPI_Request* request) {
#ifdef OVERLAPACK_SMPI
    if (progresses_in_calls()) {
      state().positions[*number] = {buffer, comm};
      record_receive(comm, from, tag, *number, is_seen);
    }
#endif
    return MPI_Irecv(buffer, static_cast<int>(bytes), MPI_BYTE, source_or_any(from), tag, state().comms[comm],
                     request);
  };
  return start(number, call, from >= 0);  // parts may arrive before their receives are posted
}

}  // namespace

int receive(OverlapackComm comm, void* buffer, std::int64_t bytes, int from, int tag,
            OverlapackRequest* number) {
  return start_receive(comm, buffer, bytes, from, tag, number, true);
}

#ifdef OVERLAPACK_SMPI
int stand(OverlapackComm comm, void* buffer, std::int64_t bytes, int from, int tag,
          OverlapackRequest* number) {
  return start_receive(comm, buffer, bytes, from, tag, number, false);
}
#endif

int probe(OverlapackComm comm, int from, int tag, int* found, int* source) {
  MPI_Status status;
  const int code = MPI_Iprobe(source_or_any(from), tag, state().comms[comm], found, &status);
  if (code == MPI_SUCCESS && *found) *source = status.MPI_SOURCE;
  return code;
}

int cancel(OverlapackRequest request) {
  int code = MPI_Cancel(&state().requests[request]);
#ifdef OVERLAPACK_SMPI
  record_cancelled(request);
  // Complete the request here, since Waitany fails on a cancelled one.
  int index = 0, done = 0;
  MPI_Status status;
  if (code == MPI_SUCCESS) code = MPI_Testany(1, &state().requests[request], &index, &done, &status);
  if (code == MPI_SUCCESS && done) queue_finished_request(request, status, MPI_SUCCESS);
#endif
  return code;
}

}  // namespace overlapack::comm::mpi::plugin
