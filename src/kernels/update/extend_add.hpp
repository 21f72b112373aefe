#pragma once
#include "base/staircase_view.hpp"
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

#include <cstdint>

/// Extend-add, the assembly of a child's contribution block into its parent. Maps give, for each row and column of the child, its
/// local number in the parent; they need not ascend, but no number occurs twice. Runs of consecutive numbers are added as vectors.
/// Cost    extend_add_cost(entries of the child)
namespace overlapack::kernels {

/// parent(row_map[i], col_map[j]) += child(i, j).
template <class T>
void extend_add(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                MatrixView<T> parent);

/// extend_add into a block stored in panels (StaircaseView); with is_lower only for i >= j. No entry may fall above the block's
/// diagonal.
template <class T>
void extend_add(ConstView<T> child, bool is_lower, const std::int32_t* row_map, const std::int32_t* col_map,
                StaircaseView<T> parent);

/// parent(col_map[j], row_map[i]) += child(i, j): into a block stored transposed, such as P of lu_panel.
template <class T>
void extend_add_transposed(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                           MatrixView<T> parent);

/// Lower triangles: for i >= j,  parent(map[i], map[j]) += child(i, j). If map[i] < map[j], the entry goes to the mirrored position
/// (map[j], map[i]), conjugated if `hermitian`.
template <class T>
void extend_add_lower(ConstView<T> child, const std::int32_t* map, bool hermitian, MatrixView<T> parent);

/// extend_add_lower of the child's columns first..last-1, with a map that ascends, into a front or into a block in panels.
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
