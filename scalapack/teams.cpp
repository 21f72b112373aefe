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

/// In the order of opening. Never destroyed: where the program does not end MPI, nobody could close a team together.
std::vector<OpenTeam>& open_teams() {
  static auto& teams = *new std::vector<OpenTeam>;
  return teams;
}

/// All processes close the teams that they share in the same order, the newest first.
void close_teams() {
  while (!open_teams().empty()) open_teams().pop_back();
}

}  // namespace

comm::Team& team_of(const Grid& grid) {
  const int communicator = communicator_of(grid);
  std::vector<int> processes = comm::world_ranks(communicator);
  if (std::ranges::find(processes, -1) != processes.end())
    throw Error(ErrorKind::bad_plan, "scalapack",
                "the grid has processes that are not in MPI_COMM_WORLD; use grids of one world of processes");
  std::vector<OpenTeam>& teams = open_teams();
  const auto found = std::ranges::find(teams, processes, &OpenTeam::processes);
  if (found != teams.end()) return *found->team;
  constexpr double watchdog_s = 60;  // as the option watchdog has it
  std::unique_ptr<comm::Team> team = comm::open(
      {.engine = "mpi", .ranks = 0, .watchdog_s = watchdog_s, .fortran_communicator = communicator});
  if (teams.empty()) comm::before_mpi_ends(close_teams);
  teams.push_back({std::move(processes), std::move(team)});
  return *teams.back().team;
}

}  // namespace overlapack::scalapack
