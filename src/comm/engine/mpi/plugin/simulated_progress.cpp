#include "comm/engine/mpi/load/simulated_machine.hpp"
#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <utility>
#include <xbt/config.h>

namespace overlapack::comm::mpi::plugin {

void begin_simulation() {
  sg_cfg_set_double("smpi/test", 0);  // see test_some
  find_activity_records();
  const auto* machine = SimulatedMachine::of_this_run();
  if (!machine) return;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  state().progress = machine->settings().progress;
  if (state().progress != overlapack_progress_always) MPI_Comm_dup(MPI_COMM_WORLD, &state().handshakes);
  state().slowness = machine->slowness(rank);
  state().noise = Random(machine->seed() ^ (0xabcdefull << 20) * static_cast<std::uint64_t>(rank + 1));
}

/// Not MPI_Wtime, which advances the time and costs a step of the simulation.
double clock_s() { return simgrid_get_clock(); }

void idle(double seconds) { sg_actor_sleep_for(seconds); }

// Simulated cost of a test that finds nothing: look_s, charged for several tests together (smpi/test is 0: Testany would charge
// more from one to the next, without a bound). While no simulated time has passed nothing can have completed. Testany and Waitany
// are one simulation step for all requests, but a long one where many are done: so the requests behind a finished one, such as the
// other parts of a message, are tested singly.

namespace {

constexpr double look_s = 1e-7, most_owed_s = 1e-6;

void test_requests_behind(int index) {
  const int end = static_cast<int>(state().requests.size());
  for (++index; index < end && state().requests[index] != MPI_REQUEST_NULL; ++index) {
    test_one(index);
    if (state().requests[index] != MPI_REQUEST_NULL) break;
  }
}

int charge_failed_test() {
  state().looked_in_vain_s = clock_s();
  state().owed_s += look_s;
  if (state().owed_s >= most_owed_s) idle(std::exchange(state().owed_s, 0));
  return MPI_SUCCESS;
}

}  // namespace

int test_some(OverlapackCompletion* done, int capacity, int* count) {
  *count = 0;
  if (state().finished.empty() && state().looked_in_vain_s == clock_s()) return charge_failed_test();
  while (static_cast<int>(state().finished.size()) < capacity) {
    int index = MPI_UNDEFINED, found = 0;
    MPI_Status status;
    const int code = MPI_Testany(static_cast<int>(state().requests.size()), state().requests.data(), &index,
                                 &found, &status);
    if (code != MPI_SUCCESS) return code;
    if (!found || index == MPI_UNDEFINED) break;
    queue_finished_request(index, status, MPI_SUCCESS);
    test_requests_behind(index);
  }
  if (state().finished.empty()) return charge_failed_test();
  clear_activity_records();
  return take_completions(done, capacity, count);
}

int wait_some(OverlapackCompletion* done, int capacity, int* count) {
  if (state().finished.empty()) {
    int index = MPI_UNDEFINED;
    MPI_Status status;
    const int code =
        MPI_Waitany(static_cast<int>(state().requests.size()), state().requests.data(), &index, &status);
    if (code != MPI_SUCCESS) return code;
    if (index != MPI_UNDEFINED) {
      queue_finished_request(index, status, MPI_SUCCESS);
      test_requests_behind(index);
    }
    clear_activity_records();
  }
  return take_completions(done, capacity, count);
}

void simulation(OverlapackSimulation* asked) {
  const auto* machine = SimulatedMachine::of_this_run();
  *asked = machine ? machine->settings() : OverlapackSimulation{-1, -1, 1, 0, 0, 0, 1};
  MPI_Comm_rank(MPI_COMM_WORLD, &asked->rank);
}

}  // namespace overlapack::comm::mpi::plugin
