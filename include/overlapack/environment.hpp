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

/// The contents of `overlapack info`.
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

/// Processors by the affinity mask, no more than the control group's quota; at least 1.
OVERLAPACK_API int usable_processors();

/// Bytes that can be allocated without swapping, within the control group's limit; infinity if not known.
OVERLAPACK_API double available_memory_bytes();

/// The engine that options ask for, with "auto" decided: mpi under a launcher of several processes or with a communicator, else
/// thread. If a launcher gives a process the rank 0 and no number of processes (prun), MPI is started and asked.
OVERLAPACK_API std::string engine_name(const Options& options);

/// Whether a launcher of MPI (mpirun, srun) started this process as one of several. False for one that is alone, such as a shell
/// that srun started. Looks at the environment only.
OVERLAPACK_API bool is_launched();

/// Whether this is the process that reads and prints: the first one under a launcher, or the only one.
OVERLAPACK_API bool is_first_process();

/// Seconds of simulated time; nothing if time is real.
OVERLAPACK_API std::optional<double> simulated_time();

/// Whether the ranks of this process are simulated by shapes alone.
OVERLAPACK_API bool is_phantom();

/// Run fn, which checks the arguments of this process, before a collective call. If it throws on one process, all throw in that
/// call, instead of waiting for this one. If ranks are threads: fn() alone.
/// Sync    collective over the processes of an MPI run if it throws, as the call is
OVERLAPACK_API void refuse_together(const Options& options, const std::function<void()>& fn);

/// The result of fn on the process of rank 0, on every process. An Error of fn reaches all of them.
/// Sync    collective over the processes of an MPI run
OVERLAPACK_API std::int64_t from_first_process(const Options& options,
                                               const std::function<std::int64_t()>& fn);

/// The processes of an MPI run that are about to make calls together, to compare their arguments. One process if ranks are
/// threads.
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
  /// The texts of all processes, by rank, on each of them; a text holds no zeros.
  /// Sync    collective
  std::vector<std::string> tell(const std::string& mine);

 private:
  std::unique_ptr<api::Session> session_;  ///< none where ranks are threads
};

}  // namespace overlapack
