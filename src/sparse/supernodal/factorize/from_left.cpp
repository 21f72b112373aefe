#include "base/instantiate.hpp"
#include "sparse/supernodal/factorize/left_update.hpp"
#include "sparse/supernodal/factorize/steps.hpp"

namespace overlapack::sparse::supernodal {

/// One process has all nodes, so that there are no messages, and a node is updated just before it is
/// eliminated. Updates for nodes above the subtrees go to the border.
template <class T>
void factorize_left_looking(Steps<T>& steps, LeftUpdate<T>& updates) {
  for (Index k = 0; k < steps.nodes(); ++k) {
    updates.update(k);       // A(I, K), A(K, I) -= updates of all earlier nodes, I >= K
    steps.factor_column(k);  // L(K:N, K)
    steps.factor_row(k);     // U(K, K+1:N)
    steps.report_progress(k);
    steps.count(&NodeFigures::subtree_nodes);
  }
  for (Index j = steps.nodes(); j < steps.nodes_with_border(); ++j) updates.update(j);
}

#define OVERLAPACK_INSTANTIATE(T) template void factorize_left_looking(Steps<T>&, LeftUpdate<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::supernodal
