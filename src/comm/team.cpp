#include "comm/team.hpp"

#include "comm/engine/mpi/rank/open_mpi.hpp"
#include "comm/engine/thread/open_thread.hpp"

namespace overlapack::comm {

namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(Status::bad_plan, message); }

std::unique_ptr<Team> open_mpi_engine(const TeamOptions& options) {
  if (!has_engine(options.engine))
    refuse(options.engine == "shmem"
               ? "the engine \"shmem\" is a program of its own: run overlapack dense, overlapack jacobi, or "
                 "overlapack solve --method jacobi or multisplitting, with --engine shmem; here use "
                 "\"thread\" or \"mpi\""
               : "this program is linked with OpenSHMEM; use the engine \"shmem\" or \"thread\"");
  return open_mpi(options);
}

}  // namespace

std::unique_ptr<Team> open(const TeamOptions& options) {
  if (options.engine == "thread") return open_thread(options);
  if (options.engine == "mpi" || options.engine == "smpi" || options.engine == "shmem")
    return open_mpi_engine(options);
  refuse("there is no engine \"" + options.engine + "\"; the engines are \"thread\" and \"mpi\"");
}

std::string describe(const std::string& engine) {
  if (engine == "mpi") return describe_mpi();
  open({.engine = engine, .ranks = 1});
  return "ranks are threads of this process";
}

void run(const TeamOptions& options, const std::function<void(Rank&)>& fn) { open(options)->run(fn); }

}  // namespace overlapack::comm
