#include "kernels/cholesky_panel.hpp"

#include "kernels/reference/cholesky_panel.hpp"

namespace overlapack::kernels {

template <class T>
Index cholesky_panel(MatrixView<T> P) {
  return reference::cholesky_panel(P);
}

#define INSTANTIATE(T) template Index cholesky_panel<T>(MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::kernels
