#pragma once
#include "comm/rank.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace overlapack::comm {

/// How an engine is opened; one struct for all, each engine refuses what it cannot do (BadPlan).
struct TeamOptions {
  std::string engine = "thread";  ///< "thread" or "mpi"; "mpi" is "smpi" in the simulator's build
  int ranks = 1;                  ///< thread: how many; mpi: 0, or the communicator's size
  int workers = 0;  ///< helper threads that take slices: beyond the ranks (thread), of each rank (mpi)
  /// Short protocol up to here; above, a send waits for its posted receive. The default hands every body over
  /// by pointer and copies nothing.
  /// mpi: above 1024 the library's own limit is set, which only an Open MPI that the team starts allows.
  std::size_t eager_bytes = ~std::size_t{0};
  std::size_t split_bytes = std::size_t{1} << 30;  ///< transfers above travel in parts
  /// mpi: size of a posted receive buffer; the body of a larger message goes straight to its position. Between processes of a node a
  /// message with its header is copied twice, a body alone once: above this that is worth a second message.
  std::size_t head_bytes = std::size_t{1} << 14;
  double watchdog_s = 0;         ///< the run ends with who waits for what after this silence; 0: never
  bool progress_thread = false;  ///< mpi: poll on a thread of its own
  const void* mpi_communicator = nullptr;  ///< address of MPI's handle of it; null: the world's
  /// mpi: the same by its Fortran handle, a number in every MPI; overrules the address.
  std::optional<int> fortran_communicator = {};

  /// mpi: the ranks that are here wait so long for the others to open the team, then refuse it; 0: for ever.
  double opening_s = 0;
  /// mpi: why this rank cannot go on; then none does. What all must have been called with alike: as a number, and in words.
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
  /// The ranks that live in this process: [first_local, first_local + local_count).
  virtual int first_local() const = 0;
  virtual int local_count() const = 0;
  /// False once its communicator was freed, or MPI has ended or failed: then a run throws.
  virtual bool is_usable() const { return true; }
  /// Run fn on every rank; returns when all local ranks have. The first Error of any rank is thrown to every caller.
  virtual void run(const std::function<void(Rank&)>& fn) = 0;
};

/// Open an engine. BadPlan when it is not built, not installed, or not started by a launcher that fits.
std::unique_ptr<Team> open(const TeamOptions& options);

/// Was this process started by a launcher of MPI (mpirun, srun) as one of several, or of nobody knows how many? Looks at the
/// environment only.
bool is_launched();

/// The same where it is known: with a launcher that tells a process its rank 0 and no number, MPI is loaded, started as for these
/// options, and asked; that the process is alone is believed of an MPI that surely hears that launcher. Where it cannot be asked the
/// answer is yes, and opening the engine "mpi" says why.
bool is_one_of_several(const TeamOptions& options);

/// Is this the process that reads and prints: the first one under a launcher, or the only one?
bool is_first_process();

/// Seconds of simulated time; nothing where time is real.
std::optional<double> simulated_time();

/// Are the ranks of this process simulated by shapes alone?
bool is_phantom();

/// For guests of a program that runs MPI itself. The ranks in the world of a communicator's processes, -1 for those that
/// are not in it; the communicator by its Fortran handle.
/// Errors  BadPlan when MPI or its plugin is not there, CommFailure for a handle of none
std::vector<int> world_ranks(int fortran_communicator);

/// One line on an engine for people: what it would use, or why it cannot be opened.
/// Errors  BadPlan when it cannot be
std::string describe(const std::string& engine);

/// open + run + close.
void run(const TeamOptions& options, const std::function<void(Rank&)>& fn);

}  // namespace overlapack::comm
