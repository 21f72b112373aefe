#pragma once
#include "base/staircase_view.hpp"
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

#include <cstdint>

/// Assembly of a child's contribution block. Maps give the parent's local number of each child's row and
/// column; they need not ascend, but no number occurs twice. Runs of consecutive numbers are added as vectors.
/// Cost    extend_add_cost(entries of the child)
namespace overlapack::kernels {

/// parent(row_map[i], col_map[j]) += child(i, j).
template <class T>
void extend_add(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                MatrixView<T> parent);

/// The same into a block in panels, for i >= j where is_lower; entries must not fall above its diagonal.
template <class T>
void extend_add(ConstView<T> child, bool is_lower, const std::int32_t* row_map, const std::int32_t* col_map,
                StaircaseView<T> parent);

/// parent(col_map[j], row_map[i]) += child(i, j): into a block stored transposed, such as P of lu_panel.
template <class T>
void extend_add_transposed(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                           MatrixView<T> parent);

/// Lower triangles: for i >= j,  parent(map[i], map[j]) += child(i, j); where map[i] < map[j] the entry goes
/// to the mirror position (map[j], map[i]), conjugated if `hermitian`.
template <class T>
void extend_add_lower(ConstView<T> child, const std::int32_t* map, bool hermitian, MatrixView<T> parent);

/// The same of a child's columns first..last-1 whose map ascends, into a front or a block like the child.
template <class T>
void extend_add_lower(StaircaseView<const T> child, Index first, Index last, const std::int32_t* map,
                      MatrixView<T> parent);
template <class T>
void extend_add_lower(StaircaseView<const T> child, Index first, Index last, const std::int32_t* map,
                      StaircaseView<T> parent);

template <class T>
constexpr Cost extend_add_cost(double entries) {
  return {entries * multiply_add_flops<T> / 2, 3 * entries * sizeof(T)};
}

}  // namespace overlapack::kernels
