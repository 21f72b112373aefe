#include "comm/onesided/addresses.hpp"

#include "comm/values.hpp"

#include <cstring>

namespace overlapack::comm::onesided {

void Addresses::lend(int to, const Address& mine) {
  Address& lent = lent_[static_cast<std::size_t>(to)] = mine;
  window_->put(to, static_cast<std::size_t>(rank_.rank()) * sizeof(Address),
               std::as_bytes(std::span(&lent, 1)));
  signals_.send(to);
}

Address Addresses::borrow(int from) {
  signals_.wait_for_next(from);
  Address theirs;
  run_unless_phantom(rank_, [&] {
    std::memcpy(&theirs, window_->local().data() + static_cast<std::size_t>(from) * sizeof(Address),
                sizeof theirs);
  });
  return theirs;
}

}  // namespace overlapack::comm::onesided
