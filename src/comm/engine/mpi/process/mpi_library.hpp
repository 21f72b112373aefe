#pragma once
#include "comm/engine/mpi/load/loader.hpp"
#include "comm/team.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace overlapack::comm::mpi {

class Site;
class Transfers;

/// Message size that MPI surely sends eagerly: MPI guarantees none; this is below the limits of all transports measured so far.
inline constexpr std::size_t surely_eager_bytes = 1024;

/// The MPI library of this process: loaded and started once, finalised at the end of the process if this library started it. A
/// process that ends within a run is left to the launcher, which ends the others.
class MpiLibrary {
 public:
  /// Load and start MPI.
  /// Errors  BadPlan as load_mpi_plugin, in a thread that may not call MPI, when a progress thread is asked of an MPI that does not allow
  ///         calls from more than one thread, and when eager_bytes is larger than can be set for this MPI
  static MpiLibrary& start(const TeamOptions& options);
  MpiLibrary(const MpiLibrary&) = delete;
  MpiLibrary& operator=(const MpiLibrary&) = delete;

  /// The requests of all teams of this process: progress for one team is progress for all. Guarded by mutex.
  Transfers& transfers() { return *transfers_; }
  /// Held around every use of MPI; only progress threads contend for it.
  std::recursive_mutex mutex;

  const OverlapackMpiTable& table() const { return *loaded_.table; }
  const LoadedMpi& loaded() const { return loaded_; }
  bool is_shmem() const { return loaded_.flavour == "OpenSHMEM"; }
  bool is_simulated() const { return table().compute != nullptr; }
  /// Settings of a simulated run; defaults where time is real.
  const OverlapackSimulation& simulation() const { return simulation_; }
  /// Throw unless code is 0: CommFailure with MPI's error text; bad_alloc where memory ran out before MPI was called; OutOfMemory
  /// where /dev/shm has no room for shared memory; BadPlan for an unusable communicator or window model.
  void check(int code, const char* call) const;
  /// Errors  BadPlan when workers are asked for beside an MPI that was started for a process without other threads
  void check_threads(const TeamOptions& options) const;
  /// Number of processes in MPI_COMM_WORLD.
  int world_size() const;
  /// Whether this process has started MPI and found one process in its world. Starts and loads nothing.
  static bool has_found_one_process();
  /// Whether the size of MPI's world can be trusted under a PMIx launcher. Open MPI always supports PMIx; another MPI that sees one
  /// process may not support the launcher's protocol.
  bool supports_pmix() const { return loaded_.flavour == "Open MPI"; }
  /// Held while a thread opens a team or runs on one, by one thread of the process at a time: collective calls of two threads, in
  /// different orders on different processes, would deadlock. Below MPI_THREAD_SERIALIZED it must be MPI's main thread.
  class Access {
   public:
    /// Errors  BadPlan when another thread holds it, in a thread that may not call MPI, after MPI_Finalize, and in a child of the
    ///         process that started MPI
    explicit Access(MpiLibrary& library);
    ~Access();
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

   private:
    MpiLibrary& library_;
  };
  /// Whether this is the process that started MPI, not a forked child.
  bool is_own_process() const;
  /// Whether MPI was finalised: then no MPI function may be called.
  bool has_ended() const;

  /// A rank is lost: do not finalise MPI at the end of the process, so that the launcher ends the other processes.
  void abandon() { is_ours_ = false; }

  /// Called in a long wait: looks for ended processes on the communicators of all sites.
  /// Errors  CommFailure as Departures::require_none
  void require_all_present();
  /// Register a site, which frees its MPI objects when MPI is finalised.
  void add_site(const std::shared_ptr<Site>& site);

 private:
  MpiLibrary();
  void initialise(const TeamOptions& options);
  bool wants_limit(const TeamOptions& options) const;
  void finalise();
  void require_not_ended() const;
  void free_sites();
  void require_allowed_thread() const;
  bool is_serialized() const { return level_ == overlapack_mpi_serialized; }

  LoadedMpi loaded_;
  std::unique_ptr<Transfers> transfers_;
  OverlapackSimulation simulation_{-1, -1, 1, 0, 0, 0, 1};
  std::vector<std::weak_ptr<Site>> sites_;  ///< in the order in which they were made
  bool is_started_ = false;
  pid_t process_ = 0;                  ///< the one that started MPI
  std::mutex turn_mutex_;              ///< guards the next two
  std::thread::id at_work_;            ///< the thread that holds Access, or held it last
  int entered_ = 0;                    ///< number of Access objects it holds
  std::size_t limit_bytes_ = 0;        ///< eager limit set for the library; 0: not set
  int level_ = overlapack_mpi_single;  ///< thread level, as in table.h
  bool is_ours_ = false;
};

}  // namespace overlapack::comm::mpi
