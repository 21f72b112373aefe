#include "comm/collective/broadcast/broadcast.hpp"

#include "comm/collective/broadcast/pieces.hpp"

#include <algorithm>

namespace overlapack::comm::collective {

namespace {

/// How a kind of broadcast works: the route of a piece, and two variations of HPL. In the order of BroadcastKind.
struct Form {
  RouteOf* route;
  bool is_cut;  ///< the body is cut into one piece for each receiver
  /// HPL's "modified" forms: the rank after the root, which owns the next panel, gets the whole body first
  /// and forwards nothing.
  bool is_next_first;
};
constexpr Form forms[broadcast_kinds] = {
    {ring_route, false, false},        {ring_route, false, true},        {two_ring_route, false, false},
    {two_ring_route, false, true},     {spread_roll_route, true, false}, {spread_roll_route, true, true},
    {binary_tree_route, false, false}, {two_phase_route, true, false},   {direct_route, false, false}};

/// The group rotated so that the root is position 0.
Group rotated_to_root(const Group& group, int root) {
  Group turned = group;
  std::ranges::rotate(turned.ranks, turned.ranks.begin() + root);
  turned.me = (group.me - root + group.size()) % group.size();
  return turned;
}

/// The group without position 1, which must not be this rank.
Group without_next_rank(Group group) {
  group.ranks.erase(group.ranks.begin() + 1);
  group.me = std::max(group.me - 1, 0);
  return group;
}

std::vector<Route> routes_of_broadcast(const Form& form, const Group& group) {
  const int pieces = form.is_cut ? group.size() - 1 : 1;
  std::vector<Route> mine;
  for (int i = 0; i < pieces; ++i) mine.push_back(form.route(i, group.me, group.size()));
  return mine;
}

}  // namespace

std::unique_ptr<Broadcast> start_broadcast(Exchange& exchange, const Group& members, int root,
                                           BroadcastKind kind, const Key& key, std::size_t bytes, Body body) {
  const Form& form = forms[static_cast<std::size_t>(kind)];
  Group group = rotated_to_root(members, root);
  if (form.is_next_first && group.size() > 1) {
    constexpr int next = 1;
    if (group.me == next)
      return std::make_unique<Pieces>(exchange, group, std::vector<Route>{{.from = 0}}, key, bytes, Body());
    if (group.me == 0) exchange.send(group.ranks[next], key, body);
    group = without_next_rank(std::move(group));
  }
  return std::make_unique<Pieces>(exchange, group, routes_of_broadcast(form, group), key, bytes,
                                  std::move(body));
}

}  // namespace overlapack::comm::collective
