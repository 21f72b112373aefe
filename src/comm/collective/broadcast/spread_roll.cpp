#include "comm/collective/broadcast/route.hpp"

namespace overlapack::comm::collective {

Route spread_roll_route(int piece, int place, int size) {
  const int owner = piece + 1;
  if (place == 0) return {.to = {owner}};
  const int before = place == 1 ? size - 1 : place - 1, behind = place == size - 1 ? 1 : place + 1;
  Route route{.from = place == owner ? 0 : before};
  if (behind != owner) route.to = {behind};  // else it has been all around
  return route;
}

}  // namespace overlapack::comm::collective
