#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "comm/rank.hpp"

#include <bit>

namespace overlapack::dist {

/// All-reduce by recursive doubling, in a group of any size. In the first round, each position beyond the largest power of two
/// sends its body to a partner below, from which it gets the result in the last round. In between, partners are at distance 1, 2,
/// 4, ... The caller supplies the transport.
/// Source  recursive doubling: Thakur, Rabenseifner, Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)
class Butterfly {
 public:
  explicit Butterfly(int size)
      : doubling_(static_cast<int>(std::bit_floor(static_cast<unsigned>(size)))), extra_(size - doubling_) {}

  int rounds() const { return std::bit_width(static_cast<unsigned>(doubling_)) - 1 + (extra_ > 0 ? 2 : 0); }

  /// exchange(round, to, from, body): sends body to position `to` and returns the body received from position `from`; -1: none.
  /// merge(earlier, later): combines two bodies, given in the order of positions.
  template <class Exchange>
  comm::Body run(int me, comm::Body mine,
                 comm::FunctionRef<comm::Body(const comm::Body&, const comm::Body&)> merge,
                 Exchange&& exchange) const {
    int round = 0;
    const bool is_extra = me >= doubling_, has_extra = me < extra_;
    if (extra_ > 0) {
      const comm::Body theirs =
          exchange(round++, is_extra ? me - doubling_ : -1, has_extra ? me + doubling_ : -1, mine);
      if (has_extra) mine = merge(mine, theirs);
    }
    for (int distance = 1; distance < doubling_; distance *= 2) {
      const int partner = is_extra ? -1 : me ^ distance;
      const comm::Body theirs = exchange(round++, partner, partner, mine);
      if (!is_extra) mine = me < partner ? merge(mine, theirs) : merge(theirs, mine);
    }
    if (extra_ > 0) {
      const comm::Body result =
          exchange(round++, has_extra ? me + doubling_ : -1, is_extra ? me - doubling_ : -1, mine);
      if (is_extra) mine = result;
    }
    return mine;
  }

 private:
  int doubling_, extra_;
};

}  // namespace overlapack::dist
