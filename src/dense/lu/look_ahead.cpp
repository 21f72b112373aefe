#include "base/instantiate.hpp"
#include "dense/lu/steps.hpp"

#include <algorithm>
#include <complex>
#include <map>

namespace overlapack::dense {

/// Depth d: panel k + d is factorised and sets out before panel k updates the trailing matrix.
/// Source  HPL's pdgesvK2 (DEPTH)
template <class T>
void look_ahead(Steps<T>& steps) {
  const Index depth = steps.plan().depth, panels = steps.panels();
  std::map<Index, Panel<T>> arrived;
  const auto panel = [&](Index i) -> const Panel<T>& {
    if (!arrived.contains(i)) arrived.emplace(i, steps.finish_broadcast(i));
    return arrived.at(i);
  };
  const auto make = [&](Index j, Index k) {
    for (Index i = k; i < j; ++i) steps.apply(panel(i), steps.block(j));  // A(i+1:m, j) -= L_i U_ij
    steps.factor(j);                                                      // P_j A(j:m, j) = L_j U_jj
    steps.start_broadcast(j);
    if (j > k) ++steps.result().panels_ahead;
  };

  for (Index j = 0; j < std::min(depth, panels); ++j) make(j, 0);
  for (Index k = 0; k < panels; ++k) {
    if (k + depth < panels) make(k + depth, k);
    steps.apply(panel(k), steps.behind(std::min(k + depth, panels - 1)));  // A(k+1:m, k+d+1:n) -= L_k U
    arrived.erase(k);
  }
}

#define OVERLAPACK_INSTANTIATE(T) template void look_ahead(Steps<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
