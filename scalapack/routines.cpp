#include "routines.hpp"

#include "base/instantiate.hpp"
#include "call.hpp"
#include "dense/lu/lu.hpp"
#include "dense/lu/solve/solve.hpp"
#include "submatrix.hpp"

#include <algorithm>

namespace overlapack::scalapack {
namespace {

using kernels::Op;

/// Checks of A for factorisations, besides CHK1MAT.
void require_square_blocks(ArgumentCheck& check, const Submatrix& A) {
  using enum DescriptorEntry;
  check.require_served({{A.i_in_block() != 0, A.i_at()},
                        {A.j_in_block() != 0, A.j_at()},
                        {A[mb] != A[nb], A.descriptor_at, nb}});
}

/// The process row that owns the first row of sub(X).
int first_owner(const Submatrix& X, const Grid& grid) {
  using enum DescriptorEntry;
  return dist::BlockCyclic{X[m], X[mb], grid.rows, X[rsrc]}.owner({Index{X.i} - 1});
}

/// Checks of B for solves, besides CHK1MAT: its rows are distributed as A's.
void require_rows_beside(ArgumentCheck& check, const Grid& grid, const Submatrix& A, const Submatrix& B) {
  using enum DescriptorEntry;
  if (!check.has_passed()) return;
  const bool is_beside = B.i_in_block() == 0 && first_owner(A, grid) == first_owner(B, grid);
  check.require_served({{!is_beside, B.i_at()}, {B[mb] != A[nb], B.descriptor_at, nb}});
  check.require({{B[ctxt] != A[ctxt], B.descriptor_at, ctxt}});
}

/// The grid of a matrix.
Grid grid_of(const Submatrix& X) { return find_grid(X[DescriptorEntry::ctxt]); }
int no_grid(const Submatrix& X) { return -(100 * X.descriptor_at + static_cast<int>(DescriptorEntry::ctxt)); }

void count(const dense::FactorResult& result) {
  dense::FactorResult& sum = session().counters;
  for (const auto counter : {&dense::FactorResult::panels, &dense::FactorResult::panels_ahead,
                             &dense::FactorResult::overlapped_messages, &dense::FactorResult::supersteps,
                             &dense::FactorResult::split_supersteps, &dense::FactorResult::row_swaps})
    sum.*counter += result.*counter;
}

template <class T>
int factor(const Position& position, const Submatrix& A, T* local, int* ipiv) {
  std::vector<Index> pivots(static_cast<std::size_t>(std::min(A.rows, A.cols)));
  const dense::FactorResult result = dense::lu_factor<T>(
      position.rank, view(A, local, position.grid, position.me, 0, A.cols), pivots, position.plan);
  count(result);
  put_pivots(A, position.grid, position.me, pivots, ipiv);
  return static_cast<int>(result.info);
}

/// sub(B) may begin inside of a block: its columns up to the next block are solved for separately.
template <class T>
void solve(const Position& position, Op op, const Submatrix& A, T* local_a, const int* ipiv,
           const Submatrix& B, T* local_b) {
  const std::vector<Index> pivots = collect_pivots(position.rank, A, position.grid, position.me, ipiv);
  const auto factors = view(A, local_a, position.grid, position.me, 0, A.cols);
  const Index next_block = std::min<Index>(B.cols, B[DescriptorEntry::nb] - B.j_in_block());
  for (const auto& [c0, c1] : {std::pair<Index, Index>{0, next_block}, {next_block, B.cols}})
    if (c0 < c1)
      dense::lu_solve<T>(position.rank, op, factors, pivots,
                         view(B, local_b, position.grid, position.me, c0, c1), position.plan);
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
