#pragma once
#include "comm/engine/mpi/plugin/state.hpp"

#include <cstdlib>
#include <simgrid/s4u/Comm.hpp>
#include <simgrid/s4u/Host.hpp>
#include <vector>

/// All simulated ranks share one memory: a put copies at the call, a get when it completes, and SimGrid transfers as many bytes
/// from host to host without the target's help. SMPI's own windows start a get's data at the target at once, without the request's
/// way there, and waiting for a signal would mean to test again and again.
namespace overlapack::comm::mpi::plugin {

struct SimulatedWindow {
  /// Words on their way: in the target's memory once they have arrived and somebody looks.
  struct Words {
    simgrid::s4u::CommPtr transfer;
    std::int64_t offset = 0;
    std::vector<char> bytes;
    bool is_there = false;
    // Of a put with a flag, which arrives after the earlier ones of its sender:
    int source = -1;
    std::int64_t flag = 0, value = 0;  ///< offset of the word that is set then, and what it is set to
  };
  struct Access {
    simgrid::s4u::CommPtr transfer;
    OverlapackStrides at{};
    bool is_get = false;
    void* to = nullptr;  ///< destination of a get; null otherwise, and for a get without content
    std::shared_ptr<Words> words = nullptr;  ///< of a store
  };
  struct Part {
    simgrid::s4u::Host* host = nullptr;
    int rank = 0;  ///< in MPI_COMM_WORLD
    char* memory = nullptr;
    bool is_mine = false;                        ///< allocated by the window, freed with it
    std::vector<std::vector<Access>> under_way;  ///< this rank's accesses, by target
    std::vector<std::shared_ptr<Words>> coming;  ///< stored by others
  };

  int name = 0;  ///< unique among all windows
  std::vector<Part> parts;

  SimulatedWindow(int number, int size) : name(number), parts(static_cast<std::size_t>(size)) {}
  SimulatedWindow(const SimulatedWindow&) = delete;
  SimulatedWindow& operator=(const SimulatedWindow&) = delete;
  ~SimulatedWindow() {
    for (const Part& part : parts)
      if (part.is_mine) std::free(part.memory);
  }

  Part& at(int position) { return parts[static_cast<std::size_t>(position)]; }
};

/// The part of the window that the rank at `position` has.
SimulatedWindow::Part& part_of(OverlapackWindow number, int position);
/// Wait for this rank's accesses to the target; if is_known, also for the acknowledgements of its puts.
void complete_all(OverlapackWindow number, int target, bool is_known);
/// Post the one receive for the signals of all windows of this rank.
int expect_signal();

}  // namespace overlapack::comm::mpi::plugin
