#include "kernels/lu_panel.hpp"

#include "kernels/reference/lu_panel.hpp"

namespace overlapack::kernels {

template <class T>
LuPanelResult lu_panel(MatrixView<T> P, Real<Scalar<T>> u, std::span<std::int32_t> row_order,
                       std::span<std::int32_t> column_order) {
  return reference::lu_panel(P, u, row_order, column_order);
}

#define INSTANTIATE(T)                                                                \
  template LuPanelResult lu_panel<T>(MatrixView<T>, Real<T>, std::span<std::int32_t>, \
                                     std::span<std::int32_t>);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::kernels
