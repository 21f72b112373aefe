#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "comm/collective/broadcast/routes.hpp"

namespace overlapack::comm::collective {

/// Broadcast of a body in one or several pieces, each along its own route: an arriving piece is forwarded at once, even after
/// this handle was destroyed. A body in one piece is shared, never copied; several pieces are copied into one buffer, unless
/// they are adjacent in memory, as on the thread engine.
class Pieces final : public Broadcast {
 public:
  /// Sends all pieces on the root, and asks the exchange for them elsewhere.
  /// group: rotated so that the root is position 0; routes[i]: my route of piece i; body: on the root only
  Pieces(Exchange& exchange, const Group& group, std::span<const Route> routes, const Key& key,
         std::size_t bytes, Body body);

  bool is_done() const override;
  Body finish() override;

 private:
  struct Arrivals;
  struct Onward;
  void expect(int from, Onward onward, std::size_t bytes);

  Exchange& exchange_;
  std::shared_ptr<Arrivals> arrivals_;  ///< shared with the handlers of expected pieces
};

}  // namespace overlapack::comm::collective
