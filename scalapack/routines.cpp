#include "routines.hpp"

#include "base/instantiate.hpp"
#include "call_parts.hpp"
#include "dense/lu/lu.hpp"
#include "dense/lu/solve/solve.hpp"

#include <algorithm>

namespace overlapack::scalapack {
namespace {

using kernels::Op;

template <class T>
int factor(const Position& position, const Submatrix& A, T* local, int* ipiv) {
  std::vector<Index> pivots(static_cast<std::size_t>(std::min(A.rows, A.cols)));
  const dense::FactorResult result = dense::lu_factor<T>(
      position.rank, view(A, local, position.grid, position.me, 0, A.cols), pivots, position.plan);
  count(result);
  put_pivots(A, position.grid, position.me, pivots, ipiv);
  return static_cast<int>(result.info);
}

template <class T>
void solve(const Position& position, Op op, const Submatrix& A, T* local_a, const int* ipiv,
           const Submatrix& B, T* local_b) {
  const std::vector<Index> pivots = collect_pivots(position.rank, A, position.grid, position.me, ipiv);
  const auto factors = view(A, local_a, position.grid, position.me, 0, A.cols);
  for_columns(position, B, local_b, [&](const dist::DistributedMatrix<T>& columns) {
    dense::lu_solve<T>(position.rank, op, factors, pivots, columns, position.plan);
  });
}

}  // namespace

template <class T>
int getrf(int m, int n, T* local, int ia, int ja, dist::DescriptorView descriptor, int* ipiv) {
  const Submatrix A{m, 1, n, 2, ia, ja, descriptor, 6};
  const Grid grid = grid_of(A);
  if (!grid.holds_me()) return no_grid(A);
  ArgumentCheck check(grid);
  check.require_matrix(A);
  require_square_blocks(check, A);
  return run(grid, check,
             [&](const Position& position) { return A.is_empty() ? 0 : factor(position, A, local, ipiv); });
}

template <class T>
int getrs(char trans, int n, int nrhs, T* local_a, int ia, int ja, dist::DescriptorView descriptor_a,
          int* ipiv, T* local_b, int ib, int jb, dist::DescriptorView descriptor_b) {
  const Submatrix A{n, 2, n, 2, ia, ja, descriptor_a, 7}, B{n, 2, nrhs, 3, ib, jb, descriptor_b, 12};
  const Grid grid = grid_of(A);
  if (!grid.holds_me()) return no_grid(A);
  constexpr std::string_view names = "NTCntc";
  const std::size_t which = names.find(trans);
  const bool is_known = which != names.npos;
  const Op op = std::array{Op::none, Op::trans, Op::conj_trans}[is_known ? which % 3 : 0];
  ArgumentCheck check(grid);
  check.require_matrix(A);
  check.require_matrix(B);
  check.require_same(static_cast<int>(op), 1);
  if (check.has_passed()) check.require({{!is_known, 1}});
  require_square_blocks(check, A);
  require_rows_beside(check, grid, A, B);
  return run(grid, check, [&](const Position& position) {
    if (!A.is_empty() && !B.is_empty()) solve(position, op, A, local_a, ipiv, B, local_b);
    return 0;
  });
}

template <class T>
int gesv(int n, int nrhs, T* local_a, int ia, int ja, dist::DescriptorView descriptor_a, int* ipiv,
         T* local_b, int ib, int jb, dist::DescriptorView descriptor_b) {
  const Submatrix A{n, 1, n, 1, ia, ja, descriptor_a, 6}, B{n, 1, nrhs, 2, ib, jb, descriptor_b, 11};
  const Grid grid = grid_of(A);
  if (!grid.holds_me()) return no_grid(A);
  ArgumentCheck check(grid);
  check.require_matrix(A);
  check.require_matrix(B);
  require_square_blocks(check, A);
  require_rows_beside(check, grid, A, B);
  return run(grid, check, [&](const Position& position) {
    const int info = A.is_empty() ? 0 : factor(position, A, local_a, ipiv);
    if (info == 0 && !B.is_empty()) solve(position, Op::none, A, local_a, ipiv, B, local_b);
    return info;
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                            \
  template int getrf(int, int, T*, int, int, dist::DescriptorView, int*);                    \
  template int getrs(char, int, int, T*, int, int, dist::DescriptorView, int*, T*, int, int, \
                     dist::DescriptorView);                                                  \
  template int gesv(int, int, T*, int, int, dist::DescriptorView, int*, T*, int, int, dist::DescriptorView);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::scalapack
