#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/simulated_windows.hpp"

#include <algorithm>
#include <cstring>

/// Signals are messages: the name of a window, maybe followed by the bytes of a put.
namespace overlapack::comm::mpi::plugin {

int expect_signal() {
  return start(&state().signals, [](MPI_Request* request) {
    return MPI_Irecv(state().signalled.data(), sizeof state().signalled, MPI_BYTE, MPI_ANY_SOURCE, 0,
                     MPI_COMM_WORLD, request);
  });
}

namespace {

/// Send the window's name followed by `more` bytes without content: a signal.
int send_name(OverlapackWindow window, int target, std::int64_t more) {
  std::vector<char> text(sizeof(int) + static_cast<std::size_t>(more));
  std::memcpy(text.data(), &state().windows[window].all->name, sizeof(int));
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_BYTE,
                             part_of(window, target).rank, 0, MPI_COMM_WORLD, &request);
  return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

}  // namespace

/// A message this short costs its sender as much as a put, and its receiver nothing (api/machine).
int signal(OverlapackWindow window, int target, OverlapackWindow after) {
  if (after >= 0) complete_all(after, target, false);
  return send_name(window, target, 0);
}

/// One message, with the costs of a message on both sides. Long ones are a put and a signal.
int put_signal(OverlapackWindow control, OverlapackWindow data, int target, std::int64_t offset,
               std::int64_t bytes, const void* from) {
  if (bytes > static_cast<std::int64_t>(sizeof state().signalled - sizeof(int))) {
    const OverlapackStrides at{offset, bytes, bytes, 1};
    const int code = put(data, target, &at, from);
    return code == MPI_SUCCESS ? signal(control, target, data) : code;
  }
  complete_all(data, target, false);
  if (char* const memory = part_of(data, target).memory; from && memory)
    std::memcpy(memory + offset, from, static_cast<std::size_t>(bytes));
  return send_name(control, target, bytes);
}

bool count_signal(OverlapackRequest number, const MPI_Status& status) {
  if (number != state().signals) return false;
  state().looked_in_vain_s = -1;
  for (const Window& window : state().windows)
    if (window.all && window.all->name == state().signalled.front()) {
      const auto sender =
          std::ranges::find(window.all->parts, status.MPI_SOURCE, &SimulatedWindow::Part::rank);
      auto* const counts = reinterpret_cast<std::int64_t*>(window.all->at(window.me).memory);
      ++counts[sender - window.all->parts.begin()];
    }
  MPI_Irecv(state().signalled.data(), sizeof state().signalled, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
            &state().requests[number]);
  return true;
}

}  // namespace overlapack::comm::mpi::plugin
