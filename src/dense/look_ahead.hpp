#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace overlapack::dense {

/// The order of work of a right-looking factorisation by panels with look-ahead: panel k + depth is factorised, and its broadcast
/// started, before panel k is applied to the columns behind panel k + depth. With depth 0, one panel follows the other. Steps: the
/// tasks of LU (lu/schedule/steps.hpp) or of QR (qr/qr.cpp).
/// Source  HPL's pdgesvK2 (DEPTH)
template <class Steps>
void look_ahead(Steps& steps, Index depth) {
  using Panel = decltype(steps.finish_broadcast(0));
  const Index panels = steps.panels();
  std::map<Index, Panel> arrived;
  const auto panel = [&](Index i) -> const Panel& {
    if (!arrived.contains(i)) arrived.emplace(i, steps.finish_broadcast(i));
    return arrived.at(i);
  };
  const auto make = [&](Index j, Index k) {
    // LU: A(i+1:m, j) -= L_i U_ij                  QR: A(i:m, j) <- Q_i^H A(i:m, j)
    for (Index i = k; i < j; ++i) steps.apply(panel(i), steps.block(j));
    // LU: P_j A(j:m, j) = L_j U_jj                 QR: A(j:m, j) = Q_j R_jj
    steps.factor_panel(j);
    steps.start_broadcast(j);
    if (j > k) ++steps.result().panels_ahead;
  };

  for (Index j = 0; j < std::min(depth, panels); ++j) make(j, 0);
  for (Index k = 0; k < panels; ++k) {
    if (k + depth < panels) make(k + depth, k);
    // LU: A(k+1:m, k+d+1:n) -= L_k U               QR: A(k:m, k+d+1:n) <- Q_k^H A(k:m, k+d+1:n)
    steps.apply(panel(k), steps.columns_behind(std::min(k + depth, panels - 1)));
    arrived.erase(k);
  }
}

}  // namespace overlapack::dense
