/// MPI that fails, or that waits for nobody: no rank may wait for ever. Started by broken_test.py, in a process for each way, since MPI is given up:
/// each rank prints the sentence with which its run ends.
#include "comm/collective/collective.hpp"
#include "comm/receive.hpp"
#include "comm/team.hpp"

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

int completions_until_failure = 0;  ///< of Testsome on this rank; 0: none fails

}  // namespace

extern "C" int MPI_Testsome(int count, MPI_Request requests[], int* found, int indices[],
                            MPI_Status statuses[]) {
  const int code = PMPI_Testsome(count, requests, found, indices, statuses);
  const bool has_found = code == MPI_SUCCESS && *found != MPI_UNDEFINED && *found > 0;
  if (!has_found || completions_until_failure == 0 || --completions_until_failure > 0) return code;
  for (int i = 0; i < *found; ++i) statuses[i].MPI_ERROR = MPI_SUCCESS;
  statuses[0].MPI_ERROR = MPI_ERR_OTHER;
  return MPI_ERR_IN_STATUS;
}

using namespace overlapack;
using namespace overlapack::comm;

namespace {

int rank_in_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void exchange(Rank& rank) {
  for (int i = 0; i < 200; ++i) {
    rank.start_send(Lane::bulk, (rank.rank() + 1) % rank.size(), {.kind = i}, Body::phantom(100));
    receive(rank, Lane::bulk);
    collective::barrier(rank);
  }
}

/// One transfer of rank 0 fails.
void fail_in_a_transfer(int at) {
  const auto team = open({.engine = "mpi", .ranks = 0, .watchdog_s = 2});
  if (rank_in_world() == 0) completions_until_failure = at;
  team->run(exchange);
}

/// Rank 0 opens, and nobody comes.
void open_alone() {
  if (rank_in_world() == 0) open({.engine = "mpi", .ranks = 0, .opening_s = 0.5});
  std::this_thread::sleep_for(std::chrono::seconds(2));
  throw Error(Status::internal, "another rank was not asked");
}

/// Rank 0 fails where the others open or run another team.
void fail_beside_another_call(bool opens) {
  const auto one = open({.engine = "mpi", .ranks = 0, .watchdog_s = 2}),
             other = open({.engine = "mpi", .ranks = 0, .watchdog_s = 2});
  one->run([&](Rank& rank) {
    if (rank.rank() == 0) throw Error(Status::singular, "rank 0 met a zero");
    if (opens) open({.engine = "mpi", .ranks = 0});
    other->run([](Rank&) {});
  });
}

/// Two teams, run in another order on each rank.
void run_different_teams() {
  const auto one = open({.engine = "mpi", .ranks = 0, .watchdog_s = 2}),
             other = open({.engine = "mpi", .ranks = 0, .watchdog_s = 2});
  (rank_in_world() == 0 ? one : other)->run([](Rank&) {});
}

}  // namespace

int main(int, char** argv) {
  const std::string way = argv[1];
  MPI_Init(nullptr, nullptr);
  std::string end = "nothing was thrown";
  try {
    if (way == "transfer") fail_in_a_transfer(std::atoi(argv[2]));
    if (way == "alone") open_alone();
    if (way == "different") run_different_teams();
    if (way == "opens" || way == "runs") fail_beside_another_call(way == "opens");
  } catch (const Error& e) {
    end = std::string(to_string(e.status())) + ": " + e.what();
    try {  // and the next one says the same, at once
      open({.engine = "mpi", .ranks = 0});
      end += "; opened again";
    } catch (const Error&) {
    }
  }
  std::printf("rank %d ends: %s\n", rank_in_world(), end.c_str());
  std::fflush(stdout);
  std::this_thread::sleep_for(std::chrono::seconds(1));  // the launcher ends all with the first
  _exit(0);
}
