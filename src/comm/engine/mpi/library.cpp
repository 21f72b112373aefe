#include "comm/engine/mpi/library.hpp"

#include "comm/engine/mpi/of_process.hpp"
#include "comm/engine/mpi/transfers.hpp"

namespace overlapack::comm::mpi {

Library::Library()
    : loaded_(load_mpi(usual_places(), find_launcher())), transfers_(std::make_unique<Transfers>(*this)) {}

Library& Library::start(const TeamOptions& options) {
  Library& library = of_process<Library>([] { return new Library(); });
  const std::lock_guard lock(library.mutex);
  if (!library.is_started_) {
    int ours = 0, serialized = 0;
    library.check(library.table().initialise(options.progress_thread, &ours, &serialized), "MPI_Init_thread");
    library.is_ours_ = ours != 0 && !library.is_simulated();  // the simulator is gone when the process ends
    library.is_serialized_ = serialized != 0;
    if (library.is_simulated()) library.table().simulation(&library.simulation_);
    library.is_started_ = true;
  }
  if (options.progress_thread && library.is_simulated())
    throw Error(ErrorKind::bad_plan, "mpi",
                "the simulator has no progress thread: its messages progress by themselves; "
                "leave progress_thread off");
  if (options.progress_thread && !library.is_serialized_)
    throw Error(
        ErrorKind::bad_plan, "mpi",
        "a progress thread needs an MPI started with MPI_THREAD_SERIALIZED or more; start MPI so, open the "
        "team with the progress thread first, or leave progress_thread off");
  return library;
}

Library::~Library() {
  if (is_ours_) table().finalise();
}

void Library::check(int code, const char* call) const {
  if (code == 0) return;
  char text[overlapack_mpi_text_bytes];
  table().error_text(code, text);
  throw Error(ErrorKind::comm_failure, "mpi",
              std::string(call) + " failed: " + text + "; look at the launcher's messages above this one");
}

}  // namespace overlapack::comm::mpi
