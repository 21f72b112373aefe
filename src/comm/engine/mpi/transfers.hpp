#pragma once
#include "comm/engine/mpi/library.hpp"

#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace overlapack::comm::mpi {

/// Every MPI request of this process that is under way, and what happens when it is done.
class Transfers {
 public:
  using WhenDone = std::function<void(const OverlapackCompletion&)>;

  explicit Transfers(const Library& library) : library_(library) {}

  /// Start a request with start(OverlapackRequest*), and call when_done once, from the advance or block that finds it done.
  /// Where this throws, nothing has begun.
  template <class Start>
  OverlapackRequest start(const char* call, WhenDone when_done, Start start) {
    make_room(1);
    OverlapackRequest request = -1;
    library_.check(start(&request), call);
    expect(request, std::move(when_done));
    return request;
  }
  /// Make room for so many requests, windows and communicators more: starting them then takes no memory.
  void reserve(int requests, int communicators = 0, int windows = 0);
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
  void make_room(std::size_t requests);
  void expect(OverlapackRequest request, WhenDone when_done);

  const Library& library_;
  std::vector<WhenDone> when_done_;  ///< by request
  std::size_t under_way_ = 0;
  std::int64_t ended_ = 0;
};

}  // namespace overlapack::comm::mpi
