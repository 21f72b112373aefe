#include "comm/collective/broadcast/routes.hpp"

#include "comm/collective/collective.hpp"

namespace overlapack::comm::collective {

Route ring_route(int, int position, int size) {
  Route route{.from = position - 1};
  if (position + 1 < size) route.to = {position + 1};
  return route;
}

Route two_ring_route(int, int position, int size) {
  const int second = (size + 1) / 2;  // first position of the second ring
  if (position == 0) {
    Route route;
    if (size > 1) route.to.push_back(1);
    if (second > 1) route.to.push_back(second);
    return route;
  }
  const int next = position + 1;
  Route route{.from = position == second ? 0 : position - 1};
  if (next < size && next != second) route.to = {next};
  return route;
}

Route binary_tree_route(int, int position, int size) {
  const TreePosition tree = tree_position(position, size, 0);
  Route route{.from = tree.parent};
  for (const int child : {tree.left, tree.right})
    if (child >= 0) route.to.push_back(child);
  return route;
}

Route spread_roll_route(int piece, int position, int size) {
  const int owner = piece + 1;
  if (position == 0) return {.to = {owner}};
  const int before = position == 1 ? size - 1 : position - 1,
            behind = position == size - 1 ? 1 : position + 1;
  Route route{.from = position == owner ? 0 : before};
  if (behind != owner) route.to = {behind};  // else the ring is complete
  return route;
}

Route two_phase_route(int piece, int position, int size) {
  const int owner = piece + 1;
  if (position == 0) return {.to = {owner}};
  if (position != owner) return {.from = owner};
  Route route{.from = 0};
  for (int to = position + 1; to < size; ++to) route.to.push_back(to);  // owners start with different targets
  for (int to = 1; to < position; ++to) route.to.push_back(to);
  return route;
}

Route direct_route(int, int position, int size) {
  if (position > 0) return {.from = 0};
  Route route;
  for (int to = 1; to < size; ++to) route.to.push_back(to);
  return route;
}

}  // namespace overlapack::comm::collective
