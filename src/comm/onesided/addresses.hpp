#pragma once
#include "comm/onesided/signals.hpp"

#include <memory>

namespace overlapack::comm::onesided {

/// Where a matrix stands in its owner's window: offset and column stride, in bytes.
struct Address {
  std::uint64_t offset = 0, stride = 0;
};

/// Lends memory whose offset differs between ranks, for one use at a time. The owner puts the address into the borrower's window and
/// signals; the signal also says that the contents are final. The borrower reads the memory and gives it back by a signal.
/// Cost    a put and a signal to lend, a signal to give back: 2 synchronisations
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

  /// Lend `mine` to rank `to`, which must have given back the last loan.
  void lend(int to, const Address& mine);
  /// The address lent by `from`; blocks until it is lent. Simulated by shapes: a default address.
  Address borrow(int from);
  /// Signal to the owner that this rank has read the borrowed memory.
  void give_back(int to) { signals_.send(to); }
  /// Block until rank `from` gives back the memory lent to it.
  void wait_until_read(int from) { signals_.wait_for_next(from); }

 private:
  static std::size_t bytes_for(const Rank& rank) {
    return static_cast<std::size_t>(rank.size()) * sizeof(Address);
  }

  Rank& rank_;
  std::unique_ptr<Window> window_;  ///< by rank: the address that it lends to this one
  Signals signals_;
  std::vector<Address> lent_;  ///< by borrower: source of a put that may be under way
};

}  // namespace overlapack::comm::onesided
