#include "teams.hpp"

#include "overlapack/error.hpp"

#include <algorithm>
#include <vector>

namespace overlapack::scalapack {
namespace {

struct OpenTeam {
  std::vector<int> processes;  ///< ranks in MPI_COMM_WORLD
  std::unique_ptr<comm::Team> team;
};

/// Never destroyed: what a team depends on may be destroyed before it.
std::vector<OpenTeam>& open_teams() {
  static auto& teams = *new std::vector<OpenTeam>;
  return teams;
}

}  // namespace

comm::Team& team_of(const Grid& grid) {
  const int communicator = communicator_of(grid);
  std::vector<int> processes = comm::world_ranks(communicator);
  if (std::ranges::find(processes, -1) != processes.end())
    throw Error(Status::bad_plan,
                "the grid has processes that are not in MPI_COMM_WORLD; use grids of one world of processes");
  std::vector<OpenTeam>& teams = open_teams();
  std::erase_if(teams, [](const OpenTeam& t) { return !t.team->is_usable(); });  // of grids that ended
  const auto found = std::ranges::find(teams, processes, &OpenTeam::processes);
  if (found != teams.end()) return *found->team;
  constexpr double watchdog_s = 60;  // as the option watchdog has it
  std::unique_ptr<comm::Team> team = comm::open(
      {.engine = "mpi", .ranks = 0, .watchdog_s = watchdog_s, .fortran_communicator = communicator});
  teams.push_back({std::move(processes), std::move(team)});
  return *teams.back().team;
}

}  // namespace overlapack::scalapack
