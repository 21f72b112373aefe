#include "comm/collective/broadcast/route.hpp"
#include "comm/collective/collective.hpp"

namespace overlapack::comm::collective {

Route binary_tree_route(int, int place, int size) {
  const TreePlace tree = tree_place(place, size, 0);
  Route route{.from = tree.parent};
  for (const int child : {tree.left, tree.right})
    if (child >= 0) route.to.push_back(child);
  return route;
}

}  // namespace overlapack::comm::collective
