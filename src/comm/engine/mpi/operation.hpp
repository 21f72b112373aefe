#pragma once
#include "comm/rank.hpp"

#include <string>

namespace overlapack::comm::mpi {

/// A send, receive or expected signal of this engine. Only the rank's own thread sets `done`.
struct MpiOperation : Operation {
  std::string_view what = "send";
  int peer = any_rank;
  Lane lane = Lane::user;
  std::int32_t kind = 0;
  std::size_t bytes = 0;

  /// Look for oneself whether it is done; true for operations that no MPI request ends.
  virtual bool refresh() { return false; }
};

/// What a rank waits for, in the watchdog's words: "receive from rank 3 on lane bulk".
std::string describe(const MpiOperation& operation);
std::string describe(std::span<Request* const> requests, LaneSet probes);

}  // namespace overlapack::comm::mpi
