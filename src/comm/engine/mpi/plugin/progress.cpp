#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

namespace overlapack::comm::mpi::plugin {

double clock_s() { return MPI_Wtime(); }

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

}  // namespace overlapack::comm::mpi::plugin
