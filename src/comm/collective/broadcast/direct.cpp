#include "comm/collective/broadcast/route.hpp"

namespace overlapack::comm::collective {

Route direct_route(int, int place, int size) {
  if (place > 0) return {.from = 0};
  Route route;
  for (int to = 1; to < size; ++to) route.to.push_back(to);
  return route;
}

}  // namespace overlapack::comm::collective
