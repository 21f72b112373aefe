#include "base/instantiate.hpp"
#include "sparse/supernodal/factorize/steps.hpp"

namespace overlapack::sparse::supernodal {

template <class T>
void run_flat(Steps<T>& steps) {
  for (Index k = 0; k < steps.nodes(); ++k) {
    steps.factor_column(k);  // (1) L(K:N, K), by PROC_c(K)
    steps.send_column(k);
    steps.receive_column(k);
    steps.factor_row(k);  // (2) U(K, K+1:N), by PROC_r(K)
    steps.send_row(k);
    steps.receive_row(k);
    steps.update(k);  // (3) A(I, J) -= L(I, K) U(K, J), I, J > K
    steps.report_progress(k);
  }
}

#define OVERLAPACK_INSTANTIATE(T) template void run_flat(Steps<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::supernodal
