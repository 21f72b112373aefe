#include "base/instantiate.hpp"
#include "sparse/supernodal/factorize/steps.hpp"

namespace overlapack::sparse::supernodal {

/// PROC_c(K+1) makes L(:, K+1) as soon as step K has updated block column K+1. Its sends wait for receivers that are still
/// updating; no receive is posted before it is needed.
template <class T>
void run_pipelined(Steps<T>& steps) {
  const Index last = steps.nodes() - 1;
  if (last >= 0) {
    steps.factor_column(0);  // F(L(:, 1))
    steps.send_column(0);    // S(L(:, 1))
  }
  for (Index k = 0; k <= last; ++k) {
    steps.receive_column(k);  // R(L(:, K))
    steps.factor_row(k);      // F(U(K, :))
    steps.send_row(k);        // S(U(K, :))
    steps.receive_row(k);     // R(U(K, :))
    if (k < last) {
      steps.update_column(k, k + 1);  // U(A(:, K+1))
      steps.factor_column(k + 1);     // F(L(:, K+1))
      steps.send_column(k + 1);       // S(L(:, K+1)), on the critical path
      steps.count(&NodeFigures::columns_ahead);
    }
    steps.update(k);  // U(A(K+1:N, K+2:N))
    steps.report_progress(k);
  }
}

#define OVERLAPACK_INSTANTIATE(T) template void run_pipelined(Steps<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::supernodal
