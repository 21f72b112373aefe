/// What a guest of a program with MPI of its own needs: communicators by their Fortran handles. Under Open MPI, whose handle of MPI_COMM_WORLD is 0 (mpif.h).
#include "comm/collective/collective.hpp"
#include "comm/team.hpp"

#include <cstdio>
#include <memory>
#include <numeric>

using namespace overlapack;

namespace {

constexpr int world = 0;
int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::printf("FAILED: %s\n", what);
}

int sum_of_ranks(comm::Team& team) {
  int sum = 0;
  team.run([&](comm::Rank& rank) { sum = comm::collective::all_reduce(rank, rank.rank(), std::plus<>()); });
  return sum;
}

bool is_refused(const comm::TeamOptions& options) {
  try {
    comm::open(options);
  } catch (const Error& error) {
    return error.status() == Status::bad_plan;
  }
  return false;
}

}  // namespace

int main() {
  static std::unique_ptr<comm::Team> team;  // which MPI ends before

  const std::vector<int> processes = comm::world_ranks(world);
  std::vector<int> expected(processes.size());
  std::iota(expected.begin(), expected.end(), 0);
  expect(processes == expected, "ranks of the world");

  team = comm::open({.engine = "mpi", .ranks = 0, .fortran_communicator = world});
  const int p = team->size();
  expect(p == static_cast<int>(processes.size()), "size of the team");
  expect(sum_of_ranks(*team) == p * (p - 1) / 2, "a run of the team");
  const void* const never_set = nullptr;
  for (const int unknown : {12345, -7})
    expect(is_refused({.engine = "mpi", .ranks = 0, .fortran_communicator = unknown}),
           "a number that is no communicator's");
  expect(is_refused({.engine = "mpi", .ranks = 0, .mpi_communicator = &never_set}),
         "a variable that was never set");
  if (failures == 0) std::puts("handles are understood");
}
