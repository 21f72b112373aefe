#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <climits>
#include <cstring>

namespace overlapack::comm::mpi::plugin {

namespace {

constexpr std::int64_t packed_bytes = 4096;  ///< messages up to here are joined in memory

int source_or_any(int from) { return from < 0 ? MPI_ANY_SOURCE : from; }

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
  const auto phantom = phantom_memory().take(first_bytes + phantom_bytes);
  state().phantom_of[number] = phantom;
  std::memcpy(phantom.memory, first, static_cast<std::size_t>(first_bytes));
  return send_one(comm, phantom.memory, first_bytes + phantom_bytes, to, tag, synchronous, request);
}
#endif

}  // namespace

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

}  // namespace overlapack::comm::mpi::plugin
