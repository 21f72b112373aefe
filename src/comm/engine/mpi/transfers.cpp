#include "comm/engine/mpi/transfers.hpp"

#include <utility>

namespace overlapack::comm::mpi {

void Transfers::expect(OverlapackRequest request, WhenDone when_done) {
  const auto place = static_cast<std::size_t>(request);
  if (place >= when_done_.size()) when_done_.resize(place + 1);
  when_done_[place] = std::move(when_done);
}

bool Transfers::collect(Collect call, const char* name) {
  std::array<OverlapackCompletion, 16> done;
  int count = 0;
  library_.check(call(done.data(), static_cast<int>(done.size()), &count), name);
  // The numbers of all of these are free again: take what to do before anything starts a new request.
  std::array<WhenDone, 16> then;
  ended_ += count;
  for (int i = 0; i < count; ++i)
    then[i] = std::exchange(when_done_[static_cast<std::size_t>(done[i].request)], {});
  for (int i = 0; i < count; ++i) {
    library_.check(done[i].error, "a transfer");
    then[i](done[i]);
  }
  return count > 0;
}

}  // namespace overlapack::comm::mpi
