#include "comm/collective/broadcast/route.hpp"

namespace overlapack::comm::collective {

Route two_phase_route(int piece, int place, int size) {
  const int owner = piece + 1;
  if (place == 0) return {.to = {owner}};
  if (place != owner) return {.from = owner};
  Route route{.from = 0};
  for (int to = place + 1; to < size; ++to) route.to.push_back(to);  // each owner begins with another one
  for (int to = 1; to < place; ++to) route.to.push_back(to);
  return route;
}

}  // namespace overlapack::comm::collective
