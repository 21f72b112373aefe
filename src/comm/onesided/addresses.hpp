#pragma once
#include "comm/onesided/signals.hpp"

#include <memory>

namespace overlapack::comm::onesided {

/// Where something stands in its owner's memory, and how far apart its columns are: bytes.
struct Address {
  std::uint64_t offset = 0, stride = 0;
};

/// Memory that is at another place on every rank, lent for one use at a time: the owner puts its address where the borrower
/// looks for it, and the signal behind it says as well that what stands there is final.
/// Cost    to lend: a put and a signal; to give back: a signal. 2 synchronisations
/// Source  paper 3, section 2: the pointer method
class Addresses {
 public:
  /// Sync    collective over the team
  explicit Addresses(Rank& rank)
      : rank_(rank),
        window_(rank.capabilities().is_phantom ? rank.make_phantom_window(bytes_for(rank))
                                               : rank.make_window(bytes_for(rank))),
        signals_(rank, *window_),
        lent_(static_cast<std::size_t>(rank.size())) {}

  /// Mine, to one that has given back what I lent it before.
  void lend(int to, const Address& mine);
  /// Theirs; blocks until it is lent. Simulated by shapes: an address that holds nothing.
  Address borrow(int from);
  /// I have read what I borrowed.
  void give_back(int to) { signals_.send(to); }
  /// Blocks until what I lent is given back.
  void wait_for_return(int from) { signals_.wait_for_next(from); }

 private:
  static std::size_t bytes_for(const Rank& rank) {
    return static_cast<std::size_t>(rank.size()) * sizeof(Address);
  }

  Rank& rank_;
  std::unique_ptr<Window> window_;  ///< an address from each rank
  Signals signals_;
  std::vector<Address> lent_;  ///< to each rank: puts may be under way
};

}  // namespace overlapack::comm::onesided
