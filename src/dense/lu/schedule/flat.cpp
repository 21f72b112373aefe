#include "base/instantiate.hpp"
#include "dense/lu/schedule/steps.hpp"

namespace overlapack::dense {

/// The plain right-looking order: each panel is factorised, sent and applied before the next one begins. The numbers are the tasks of
/// paper 2.
/// Source  paper 2, Table 1; partial pivoting joins tasks 1 and 6 (docs/decisions/0009)
template <class T>
void run_flat(Steps<T>& steps) {
  for (Index k = 0; k < steps.panels(); ++k) {
    steps.factor_panel(k);     // 1, 6   P_k A(k:m, k) = L_k U_kk
    steps.start_broadcast(k);  // 3, 7   along the process rows
    const Panel<T> L = steps.finish_broadcast(k);
    steps.exchange_before(L);
    RowPanel<T> U = steps.start_interchange(L, steps.columns_behind(k));
    steps.finish_rows(L, U);  // 4, 5   U = L11^-1 P_k A(k, k+1:n), down the process columns
    steps.update(L, U);       // 8      A(k+1:m, k+1:n) -= L21 U
  }
}

#define OVERLAPACK_INSTANTIATE(T) template void run_flat(Steps<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
