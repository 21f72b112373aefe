#include "comm/collective/broadcast/route.hpp"

namespace overlapack::comm::collective {

Route ring_route(int, int place, int size) {
  Route route{.from = place - 1};
  if (place + 1 < size) route.to = {place + 1};
  return route;
}

Route two_ring_route(int, int place, int size) {
  const int second = (size + 1) / 2;  // where the second ring begins
  if (place == 0) {
    Route route;
    if (size > 1) route.to.push_back(1);
    if (second > 1) route.to.push_back(second);
    return route;
  }
  const int next = place + 1;
  Route route{.from = place == second ? 0 : place - 1};
  if (next < size && next != second) route.to = {next};
  return route;
}

}  // namespace overlapack::comm::collective
