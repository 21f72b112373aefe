#pragma once
#include "comm/engine/mpi/library.hpp"

#include <array>
#include <functional>
#include <vector>

namespace overlapack::comm::mpi {

/// Every MPI request of this process that is under way, and what happens when it is done.
class Transfers {
 public:
  using WhenDone = std::function<void(const OverlapackCompletion&)>;

  explicit Transfers(const Library& library) : library_(library) {}

  /// Call when_done once, from the advance or block that finds the request done.
  void expect(OverlapackRequest request, WhenDone when_done);
  /// Let MPI move bytes; true if something came to its end.
  bool advance() { return collect(library_.table().test_some, "MPI_Testsome"); }
  /// Simulated time only: until something comes to its end. To be preferred: SimGrid keeps a record of each message
  /// whose end is found by advance, and goes through all records at each end.
  bool block() { return collect(library_.table().wait_some, "MPI_Waitany"); }
  /// How many have come to their end so far.
  std::int64_t ended() const { return ended_; }
  bool can_block() const { return library_.table().wait_some != nullptr; }

 private:
  using Collect = int (*)(OverlapackCompletion*, int, int*);
  bool collect(Collect call, const char* name);

  const Library& library_;
  std::vector<WhenDone> when_done_;  ///< by request
  std::int64_t ended_ = 0;
};

}  // namespace overlapack::comm::mpi
