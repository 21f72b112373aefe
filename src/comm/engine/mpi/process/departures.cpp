#include "comm/engine/mpi/process/departures.hpp"

#include "comm/engine/mpi/process/transfers.hpp"

#include <string>

namespace overlapack::comm::mpi {

/// Never completes the send, as the next rank need not receive it.
void Departures::announce() noexcept {
  if (!are_told()) return;
  OverlapackRequest request = -1;
  library_.table().send(comm_, &completed_, sizeof completed_, nullptr, 0, neighbour(1), tag_, 0, &request);
}

/// A rank that ended after it had completed all calls that this rank has begun is not missed: it only left the last one earlier.
void Departures::require_none() {
  if (!are_told()) return;
  const int before = neighbour(-1);
  Transfers& transfers = library_.transfers();
  if (!is_posted_) {
    int found = 0, source = -1;
    library_.check(library_.table().probe(comm_, before, tag_, &found, &source), "MPI_Iprobe");
    if (!found) return;
    transfers.start(
        "MPI_Irecv", [this](const OverlapackCompletion&) { has_arrived_ = true; },
        [&](OverlapackRequest* r) {
          return library_.table().receive(comm_, &completed_before_, sizeof completed_before_, before, tag_,
                                          r);
        });
    is_posted_ = true;
  }
  if (!has_arrived_ || completed_before_ >= begun_) return;
  transfers.mark_over(
      Error(Status::comm_failure,
            "process " + std::to_string(before) +
                " has ended, and this one waits for it; look at what it wrote before its end"));
  throw transfers.breakdown();
}

}  // namespace overlapack::comm::mpi
