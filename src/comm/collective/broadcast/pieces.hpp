#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "comm/collective/broadcast/routes.hpp"

namespace overlapack::comm::collective {

/// A body of `bytes` bytes on its way in one or several pieces, each along its own route: what arrives is passed on at
/// once, also after this handle was dropped. A body in one piece is shared, never copied; several pieces are put
/// together by copying unless they still lie side by side, as on the thread engine.
class Pieces final : public Broadcast {
 public:
  /// `group` begins with the root; routes[i] is my route of piece i. On the root `body` sets out.
  Pieces(Exchange& exchange, const Group& group, std::span<const Route> routes, const Key& key,
         std::size_t bytes, Body body);

  bool is_done() const override;
  Body finish() override;

 private:
  struct Arrivals;
  struct Onward;
  void expect(int from, Onward onward, std::size_t bytes);

  Exchange& exchange_;
  std::shared_ptr<Arrivals> arrivals_;  ///< shared with those who wait for a piece
};

}  // namespace overlapack::comm::collective
