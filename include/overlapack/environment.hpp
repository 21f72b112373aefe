#pragma once
/// The environment of this process: the build of the library, the computer, the launcher, the simulator.
#include "overlapack/blas_info.hpp"
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace overlapack {

namespace api {
class Session;
}

/// "0.1.0"
OVERLAPACK_API const char* version();

/// An engine and whether this process could open it.
struct EngineInfo {
  std::string name;
  bool is_available = false;
  std::string note;  ///< which library, or why not
};

/// What this build of the library has: the contents of `overlapack info`.
struct BuildInfo {
  std::string version;
  std::string compiler;
  std::vector<EngineInfo> engines;
  BlasInfo blas;
  std::string small_kernels;
  std::vector<std::string> types;
  std::vector<std::string> orderings;
  int usable_processors = 1;
};
OVERLAPACK_API BuildInfo build_info();

/// The number of processors that this process may use, by its affinity mask and the quota of its control group; at least 1.
OVERLAPACK_API int usable_processors();

/// The bytes that can be allocated without swapping, within the control group's limit; infinity if not known.
OVERLAPACK_API double available_memory_bytes();

/// The name of the engine that options ask for. "auto" becomes mpi under a launcher of several processes or with a communicator, else
/// thread. If a launcher gives the process rank 0 but not the number of processes (prun), the call starts MPI to learn it.
OVERLAPACK_API std::string engine_name(const Options& options);

/// Whether a launcher of MPI (mpirun, srun) started this process as one of several. False for a process that is alone, such as a shell
/// that srun started. The call looks at environment variables only.
OVERLAPACK_API bool is_launched();

/// How many processes a launcher of MPI says that it started; 0 if it does not say. Looks at the environment only.
OVERLAPACK_API int launched_processes();

/// Whether this is the process that reads and prints: the first one under a launcher, or the only one.
OVERLAPACK_API bool is_first_process();

/// The simulated time in seconds; no value if time is real.
OVERLAPACK_API std::optional<double> simulated_time();

/// Whether the ranks of this process are simulated by shapes alone, so that matrices have no values.
OVERLAPACK_API bool is_phantom();

/// Call fn(), which checks this process's arguments of a coming collective call. If fn() throws on one process, that collective call
/// throws the error on all processes, instead of waiting for this one. If ranks are threads, this only calls fn().
/// Sync    collective over the processes of an MPI run if it throws, as the call is
OVERLAPACK_API void refuse_together(const Options& options, const std::function<void()>& fn);

/// Call fn() on the process of rank 0 and return its result on every process. An Error of fn() reaches all of them.
/// Sync    collective over the processes of an MPI run
OVERLAPACK_API std::int64_t from_first_process(const Options& options,
                                               const std::function<std::int64_t()>& fn);

/// The processes of an MPI run, for programs that compare the arguments of all processes before a collective call. If ranks are threads,
/// there is one process.
class OVERLAPACK_API Processes {
 public:
  /// Sync    collective over the processes of an MPI run
  /// Errors  BadPlan, CommFailure: as factorize with these options
  explicit Processes(const Options& options);
  Processes(Processes&&) noexcept;
  Processes& operator=(Processes&&) noexcept;
  ~Processes();

  int rank() const;
  int size() const;
  /// Exchange texts: each process gives its own and gets those of all, by rank. A text must not contain the character '\0'.
  /// Sync    collective
  std::vector<std::string> tell(const std::string& mine);

 private:
  std::unique_ptr<api::Session> session_;  ///< null if ranks are threads
};

}  // namespace overlapack
