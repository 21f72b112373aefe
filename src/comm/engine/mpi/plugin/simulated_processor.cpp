#include "comm/engine/mpi/load/simulated_machine.hpp"
#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <algorithm>
#include <simgrid/actor.h>
#include <simgrid/exec.h>
#include <utility>

namespace overlapack::comm::mpi::plugin {

// A processor does `unit` of work per second when it has the memory bandwidth for itself; processors of a node that compute at
// the same time may get less. If they do not slow each other down, or no other one can be busy, the rank sleeps for the time
// instead: that gives the same result in one step of the simulation.

namespace {

constexpr double unit = 1e9;

/// Seconds for `work` on this rank: with its slowness and fresh noise for each call.
double seconds_of(const OverlapackWork& work) {
  const auto& machine = *SimulatedMachine::of_this_run();
  const double disturbed = machine.noise() > 0 ? 1 + machine.noise() * half_normal(state().noise) : 1;
  return machine.seconds(work) * state().slowness * disturbed;
}

sg_exec_t start_execution(double seconds) {
  const sg_exec_t exec = sg_actor_exec_init(seconds * unit);
  sg_exec_set_bound(exec, unit);
  sg_exec_start(exec);
  return exec;
}

}  // namespace

/// Let the simulated time of `work` pass. Without a description of the machine: flops at the speed of the simulated host.
void compute(const OverlapackWork* work) {
  const auto* machine = SimulatedMachine::of_this_run();
  if (!machine) return smpi_execute_flops(work->flops);
  const double seconds = seconds_of(*work) + std::exchange(state().owed_s, 0);
  if (seconds <= 0) return;
  if (machine->ranks_share_processors() || !state().helpers.empty())
    sg_exec_wait(start_execution(seconds));
  else
    sg_actor_sleep_for(seconds);
}

void start_helper(const OverlapackWork* work, std::int64_t times) {
  double seconds = 0;
  for (std::int64_t i = 0; i < times; ++i) seconds += seconds_of(*work);
  if (seconds <= 0) return;
  if (SimulatedMachine::of_this_run()->slow_each_other_down())
    state().helpers.push_back(start_execution(seconds));
  else
    state().helpers_end_s = std::max(state().helpers_end_s, clock_s() + seconds);
}

void wait_for_helpers() {
  for (const sg_exec_t helper : std::exchange(state().helpers, {})) sg_exec_wait(helper);
  if (const double left_s = state().helpers_end_s - clock_s(); left_s > 0) sg_actor_sleep_for(left_s);
}

}  // namespace overlapack::comm::mpi::plugin
