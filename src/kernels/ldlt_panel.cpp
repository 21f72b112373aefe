#include "kernels/ldlt_panel.hpp"

#include "kernels/reference/ldlt_panel.hpp"

namespace overlapack::kernels {

template <class T>
LdltPanelResult ldlt_panel(MatrixView<T> P, bool hermitian, Real<Scalar<T>> u, std::span<std::int32_t> order,
                           std::span<Scalar<T>> d, std::span<Scalar<T>> d_off) {
  return reference::ldlt_panel(P, hermitian, u, order, d, d_off);
}

#define INSTANTIATE(T)                                                                          \
  template LdltPanelResult ldlt_panel<T>(MatrixView<T>, bool, Real<T>, std::span<std::int32_t>, \
                                         std::span<T>, std::span<T>);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::kernels
