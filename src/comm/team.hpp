#pragma once
#include "comm/rank.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace overlapack::comm {

/// Options for opening an engine; one struct for all, each engine refuses unsupported ones (BadPlan).
struct TeamOptions {
  std::string engine = "thread";  ///< "thread" or "mpi"; "mpi" is "smpi" in the simulator's build
  int ranks = 1;                  ///< thread: how many; mpi: 0, or the communicator's size
  int workers = 0;  ///< helper threads that run slices: besides the ranks (thread), of each rank (mpi)
  /// Short protocol up to this size; a larger send waits for its posted receive. The default passes every body by pointer and
  /// copies nothing.
  /// mpi: above 1024 MPI's own limit must be set, which is possible only for an Open MPI that the team starts.
  std::size_t eager_bytes = ~std::size_t{0};
  std::size_t split_bytes = std::size_t{1} << 30;  ///< larger transfers are split into parts
  /// mpi: size of a posted receive buffer; a larger body is a message of its own, received directly into its final memory. Between
  /// processes of a node, that is copied once, a message with its header twice: above this size a second message is worth it.
  std::size_t head_bytes = std::size_t{1} << 14;
  double watchdog_s = 0;         ///< abort, with who waits for what, after this time without events; 0: never
  bool progress_thread = false;  ///< mpi: poll on a thread of its own
  const void* mpi_communicator = nullptr;  ///< address of an MPI_Comm; null: the world's
  /// mpi: the same by its Fortran handle, which is a number in every MPI; takes precedence over the address.
  std::optional<int> fortran_communicator = {};

  /// mpi: time limit for waiting for the other ranks to open the team, after which opening fails; 0: none.
  double opening_s = 0;
  /// mpi: refusal: why this rank cannot open the team; then none does. fingerprint, called_with: hash and text of options that must
  /// be equal on all ranks.
  std::shared_ptr<const Error> refusal = {};
  std::uint64_t fingerprint = 0;
  std::string called_with = {};

  bool operator==(const TeamOptions&) const = default;
  bool has_communicator() const { return mpi_communicator || fortran_communicator; }
};

/// p ranks that stay alive between runs. On the thread engine rank 0 is the caller's thread; on mpi every
/// process calls run and is one rank.
class Team {
 public:
  virtual ~Team() = default;
  virtual int size() const = 0;
  /// The ranks of this process: [first_local, first_local + local_count).
  virtual int first_local() const = 0;
  virtual int local_count() const = 0;
  /// False once its communicator was freed, or MPI was finalised or has failed: then a run throws.
  virtual bool is_usable() const { return true; }
  /// Run fn on every rank; returns when all local ranks have. The first Error of any rank is thrown to every caller.
  virtual void run(const std::function<void(Rank&)>& fn) = 0;
};

/// Open an engine. BadPlan when it is not built, not installed, or not started by a launcher that fits.
std::unique_ptr<Team> open(const TeamOptions& options);

/// Whether an MPI launcher (mpirun, srun) started this process as one of several, or of an unknown number. Reads the environment
/// only.
bool is_launched();

/// The number of processes that launcher says it started; 0: unknown. Reads the environment only.
int launched_processes();

/// is_launched, with certainty: under a launcher that gives a process rank 0 and no size, loads and initialises MPI as for these
/// options and asks it; a size of 1 is trusted only of an MPI that surely supports that launcher. True where MPI cannot be asked:
/// opening the engine "mpi" then reports the reason.
bool is_one_of_several(const TeamOptions& options);

/// Whether this process reads and prints: the first one under a launcher, or the only one.
bool is_first_process();

/// Seconds of simulated time; nullopt where time is real.
std::optional<double> simulated_time();

/// Whether the ranks of this process are simulated by shapes alone.
bool is_phantom();

/// For use inside a program that runs MPI itself: the world ranks of a communicator's processes, -1 for those not in the world.
/// Errors  BadPlan when MPI or its plugin is not found, CommFailure for an invalid Fortran handle
std::vector<int> world_ranks(int fortran_communicator);

/// One line that describes an engine: what it would use, or why it cannot be opened.
/// Errors  BadPlan when it cannot be
std::string describe(const std::string& engine);

/// open + run + close.
void run(const TeamOptions& options, const std::function<void(Rank&)>& fn);

}  // namespace overlapack::comm
