#pragma once
#include "dist/tree/load_board.hpp"
#include "sparse/multifrontal/factorize/front_kind.hpp"

namespace overlapack::sparse::multifrontal {

/// What masters and strips of one rank use.
template <class T>
struct StripContext : FrontContext<T> {
  dist::LoadBoard& loads;
  double largest;  ///< magnitude of the largest entry of B

  /// This rank's work has changed by `flops`. The bytes that it holds are announced with it.
  void add_load(double flops) const { loads.add_mine(flops, this->state.ledger.bytes_with_promised()); }

  bool waits_for_late_messages() const { return this->plan.fronts.walk.early == dist::EarlyMessages::wait; }

  /// A message came that needs another one, which `source` has sent already. If the other one has not come:
  /// with early = park this returns at once, and the message stays parked where the caller stored it; with
  /// early = wait the other one is received first.
  /// Source  paper 1, section 4.1, situation 2
  void park_or_receive_late(int source, comm::FunctionRef<bool()> has_arrived) const {
    if (has_arrived()) return;
    if (!waits_for_late_messages()) {
      ++this->state.stats.parked;
      return;
    }
    ++this->state.stats.late_receives;
    this->walk.receive_late_message(source, has_arrived);
  }
};

}  // namespace overlapack::sparse::multifrontal
