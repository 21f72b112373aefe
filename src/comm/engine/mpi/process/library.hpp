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

/// MPI promises no size up to which it buffers; this is below the limits of all transports measured so far.
inline constexpr std::size_t surely_eager_bytes = 1024;

/// MPI as this process has it: loaded and started once, ended when the process ends if we started it.
class Library {
 public:
  /// Load and start MPI.
  /// Errors  BadPlan as load_mpi, in a thread that may not call MPI, when a progress thread is asked of an MPI that does not allow
  ///         calls from more than one thread, and when the short protocol is to go further than this MPI lets us say
  static Library& start(const TeamOptions& options);
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Of all teams of this process: whoever lets MPI move bytes lets it move everybody's. Guarded by mutex.
  Transfers& transfers() { return *transfers_; }
  /// Held around every use of MPI; only progress threads contend for it.
  std::recursive_mutex mutex;

  const OverlapackMpiTable& table() const { return *loaded_.table; }
  const LoadedMpi& loaded() const { return loaded_; }
  bool is_shmem() const { return loaded_.flavour == "OpenSHMEM"; }
  bool is_simulated() const { return table().compute != nullptr; }
  /// What a simulated run asks for; nothing where time is real.
  const OverlapackSimulation& simulation() const { return simulation_; }
  /// Unless the code is 0, throw CommFailure with MPI's own words; bad_alloc where memory ran out before MPI was called,
  /// OutOfMemory where the node has no room for memory that is shared.
  void check(int code, const char* call) const;
  /// Errors  BadPlan when workers are asked for beside an MPI that was started for a process without other threads
  void check_threads(const TeamOptions& options) const;
  /// How many processes MPI_COMM_WORLD has.
  int world_size() const;
  /// Has this process started MPI and found itself alone in it? Starts and loads nothing.
  static bool has_seen_no_other();
  /// Is the number of processes in MPI's world the launcher's own? Open MPI speaks PMIx wherever it was built; another MPI that sees
  /// one process may be deaf to a launcher that speaks nothing else.
  bool hears_pmix() const { return loaded_.flavour == "Open MPI"; }
  /// One thread of this process at a time opens a team or runs on one: collective calls of two threads would wait for each other,
  /// each in another order on another process. Below MPI_THREAD_SERIALIZED it is MPI's main thread.
  class Access {
   public:
    /// Errors  BadPlan when another thread is at work, in a thread that may not call MPI, after MPI's end, and in a child of the process that started it
    explicit Access(Library& library);
    ~Access();
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

   private:
    Library& library_;
  };
  /// Is this the process that started MPI, and no child of it?
  bool is_own_process() const;
  /// Has the program ended MPI? Then nothing of it may be called.
  bool has_ended() const;

  /// A rank is lost: leave MPI as it is when the process ends, so that its launcher ends the others.
  void abandon() { is_ours_ = false; }

  /// When MPI ends, it gives back what it has there.
  void add_site(const std::shared_ptr<Site>& site);

 private:
  Library();
  void initialise(const TeamOptions& options);
  bool wants_limit(const TeamOptions& options) const;
  void finalise();
  void refuse_after_end() const;
  void leave_sites();
  void refuse_other_threads() const;
  bool is_serialized() const { return level_ == overlapack_mpi_serialized; }

  LoadedMpi loaded_;
  std::unique_ptr<Transfers> transfers_;
  OverlapackSimulation simulation_{-1, -1, 1, 0, 0, 0, 1};
  std::vector<std::weak_ptr<Site>> sites_;  ///< in the order in which they were made
  bool is_started_ = false;
  pid_t process_ = 0;                  ///< that started it
  std::mutex turn_mutex_;              ///< guards the next two
  std::thread::id at_work_;            ///< whose turn it is, or was
  int entered_ = 0;                    ///< that it has entered and not left
  std::size_t limit_bytes_ = 0;        ///< of the library's short protocol, where we have set it
  int level_ = overlapack_mpi_single;  ///< of threads, as in table.h
  bool is_ours_ = false;
};

}  // namespace overlapack::comm::mpi
