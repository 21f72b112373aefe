#include "comm/engine/mpi/process/mpi_library.hpp"

#include "comm/engine/mpi/load/of_process.hpp"
#include "comm/engine/mpi/process/site.hpp"
#include "comm/engine/mpi/process/transfers.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <unistd.h>

namespace overlapack::comm::mpi {
namespace {

/// Open MPI reads its parameters from the environment at MPI_Init. Messages within a node use vader (4.x) or sm (5.x), between
/// nodes tcp; limits of other transports are not set. Shared-memory segments are enlarged for some such messages.
void set_limit_of_open_mpi(std::size_t bytes) {
  constexpr std::size_t usual_segment = std::size_t{4} << 20, messages = 16;
  const auto set = [](const std::string& name, std::size_t value) {
    setenv(("OMPI_MCA_btl_" + name).c_str(), std::to_string(value).c_str(), 1);
  };
  const std::size_t limit = bytes + surely_eager_bytes;  // with the header
  for (const char* transport : {"vader", "sm", "tcp"}) {
    const std::string name(transport);
    set(name + "_eager_limit", limit);
    set(name + "_rndv_eager_limit", limit);
    set(name + "_max_send_size", std::max<std::size_t>(limit, std::size_t{1} << 17));
    if (name != "tcp") set(name + "_segment_size", std::max(usual_segment, messages * limit));
  }
}

std::atomic<bool> seen_no_other = false;

[[noreturn]] void refuse_limit(const std::string& why) {
  throw Error(Status::bad_plan, "eager_bytes is above " + std::to_string(surely_eager_bytes) +
                                    ", which takes setting MPI's own limit: " + why);
}

}  // namespace

/// Whether MPI's own eager limit must be set: if eager_bytes was given and is above what every MPI sends eagerly anyway. (No
/// setting is needed for messages above eager_bytes: the engine sends them synchronously, so that they wait for their receive.)
bool MpiLibrary::wants_limit(const TeamOptions& options) const {
  return !is_simulated() && !is_shmem() && options.eager_bytes > surely_eager_bytes &&
         options.eager_bytes != TeamOptions{}.eager_bytes;
}

void MpiLibrary::initialise(const TeamOptions& options) {
  require_not_ended();
  if (wants_limit(options)) {
    if (loaded_.flavour != "Open MPI")
      refuse_limit("this program knows no way to do so for " + loaded_.flavour +
                   "; leave eager_bytes out and set it by that library's own means");
    set_limit_of_open_mpi(options.eager_bytes);
  }
  int ours = 0;
  check(table().initialise(options.progress_thread, &ours, &level_), "MPI_Init_thread");
  is_ours_ = ours != 0 && !is_simulated();  // the simulator no longer exists at the end of the process
  if (is_ours_ && wants_limit(options)) limit_bytes_ = options.eager_bytes;
  if (is_simulated()) table().simulation(&simulation_);
  process_ = getpid();
  if (!is_simulated())
    check(
        table().call_before_end([](void* library) { static_cast<MpiLibrary*>(library)->free_sites(); }, this),
        "MPI_Comm_set_attr");
  is_started_ = true;
  seen_no_other = world_size() == 1;
}

void MpiLibrary::add_site(const std::shared_ptr<Site>& site) {
  std::erase_if(sites_, [](const auto& s) { return s.expired(); });
  sites_.push_back(site);
}

void MpiLibrary::require_all_present() {
  for (const auto& weak : sites_)
    if (const auto site = weak.lock(); site && !site->is_freed()) site->departures().require_none();
}

/// Called within MPI_Finalize. Announces the end of this process on all sites before it frees the first one, since freeing MPI
/// objects may wait for the other ranks. Sites are freed in the order of creation, which is consistent between processes.
void MpiLibrary::free_sites() {
  const std::lock_guard lock(mutex);
  for (const auto& weak : sites_)
    if (const auto site = weak.lock(); site && !site->is_freed() && is_own_process())
      site->departures().announce();
  for (const auto& weak : sites_)
    if (const auto site = weak.lock()) site->free_mpi_objects();
}

bool MpiLibrary::is_own_process() const { return is_simulated() || getpid() == process_; }

bool MpiLibrary::has_ended() const {
  int ended = 0;
  check(table().has_ended(&ended), "MPI_Finalized");
  return ended != 0;
}

void MpiLibrary::require_not_ended() const {
  if (has_ended())
    throw Error(Status::bad_plan,
                "MPI has ended in this process; solve before MPI_Finalize, or use the engine \"thread\"");
}

void MpiLibrary::require_allowed_thread() const {
  if (is_serialized() || is_simulated()) return;
  require_not_ended();  // MPI would end the process for the question
  int is_main = 0;
  check(table().is_main_thread(&is_main), "MPI_Is_thread_main");
  if (!is_main)
    throw Error(
        Status::bad_plan,
        "MPI takes calls only from the thread that started it here, and this is another thread; call from "
        "that thread, or give MPI_THREAD_SERIALIZED or more to MPI_Init_thread");
}

void MpiLibrary::check_threads(const TeamOptions& options) const {
  if (level_ == overlapack_mpi_single && !is_simulated() && options.workers > 0)
    throw Error(Status::bad_plan,
                "MPI was started for a process without other threads (MPI_THREAD_SINGLE, as by MPI_Init), "
                "and workers are threads; give MPI_THREAD_FUNNELED or more to MPI_Init_thread, or ask for "
                "no workers");
}

bool MpiLibrary::has_found_one_process() { return seen_no_other; }

int MpiLibrary::world_size() const {
  int size = 0;
  check(table().world_size(&size), "MPI_Comm_size");
  return size;
}

MpiLibrary::Access::Access(MpiLibrary& library) : library_(library) {
  if (library.is_simulated()) return;  // simulated ranks are not threads
  if (!library.is_own_process())
    throw Error(Status::bad_plan,
                "this process was forked from one that uses MPI, and MPI does not work after a fork; use the "
                "engine \"thread\" here");
  library.require_not_ended();
  library.require_allowed_thread();
  const std::lock_guard lock(library.turn_mutex_);
  const std::thread::id me = std::this_thread::get_id();
  const bool is_other = library.at_work_ != std::thread::id() && library.at_work_ != me;
  if (is_other && library.entered_ > 0)
    throw Error(
        Status::bad_plan,
        "another thread of this process runs on the engine \"mpi\"; let one thread use it at a time, or the "
        "engine \"thread\"");
  library.at_work_ = me;
  ++library.entered_;
}

MpiLibrary::Access::~Access() {
  if (library_.is_simulated()) return;
  const std::lock_guard lock(library_.turn_mutex_);
  --library_.entered_;
}

MpiLibrary::MpiLibrary()
    : loaded_(load_mpi_plugin(usual_paths(), find_launcher())),
      transfers_(std::make_unique<Transfers>(*this)) {}

MpiLibrary& MpiLibrary::start(const TeamOptions& options) {
  struct AtExit {
    MpiLibrary& library;
    ~AtExit() { library.finalise(); }
  };
  MpiLibrary& library = of_process<MpiLibrary>([] { return new MpiLibrary(); });
#ifndef OVERLAPACK_SMPI
  static const AtExit at_exit{library};
#endif
  const std::lock_guard lock(library.mutex);
  if (!library.is_started_) library.initialise(options);
  if (library.is_own_process()) library.require_allowed_thread();
  if (library.wants_limit(options) && options.eager_bytes != library.limit_bytes_)
    refuse_limit(
        "MPI runs already, with another one; open the first team with these eager_bytes, or leave them out");
  if (options.progress_thread && library.is_simulated())
    throw Error(Status::bad_plan,
                "the simulator has no progress thread: its messages progress by themselves; "
                "leave progress_thread off");
  if (options.progress_thread && !library.is_serialized())
    throw Error(
        Status::bad_plan,
        "a progress thread needs MPI_THREAD_SERIALIZED or more; give that to MPI_Init_thread, open the team "
        "with the progress thread first, or leave progress_thread off");
  return library;
}

/// Does nothing in a process that ends within a run, as by exit(): the other ranks wait in that run, and MPI_Finalize would wait
/// for them.
void MpiLibrary::finalise() {
  if (!is_ours_ || !is_own_process()) return;
  const std::lock_guard lock(turn_mutex_);
  if (entered_ == 0) table().finalise();
}

void MpiLibrary::check(int code, const char* call) const {
  if (code == 0) return;
  if (code == overlapack_mpi_no_memory) throw std::bad_alloc();
  if (code == overlapack_mpi_no_ranks)
    throw Error(Status::bad_plan,
                "the communicator is MPI_COMM_NULL, or one between two groups; give a communicator of the "
                "ranks that call this");
  if (code == overlapack_mpi_separate)
    throw Error(Status::bad_plan,
                "this MPI keeps windows apart from the memory of their owner (MPI_WIN_SEPARATE), where "
                "signals are not seen; use the "
                "discipline messages or supersteps, or another MPI");
  if (code == overlapack_mpi_no_room)
    throw Error(
        Status::out_of_memory,
        "/dev/shm has no room for the memory that the ranks of this node are to share; make it larger "
        "(docker run --shm-size=8g), or send messages instead (discipline messages)");
  char text[overlapack_mpi_text_bytes];
  table().error_text(code, text);
  throw Error(Status::comm_failure,
              std::string(call) + " failed: " + text + "; look at the launcher's messages above this one");
}

}  // namespace overlapack::comm::mpi
