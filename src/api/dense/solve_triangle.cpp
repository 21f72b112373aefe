#include "api/dense/dense_plan.hpp"
#include "api/dense/on_parts.hpp"
#include "api/refine/operation.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "comm/collective/collective.hpp"
#include "dense/lu/panel/diagonal.hpp"
#include "dense/lu/solve/triangular_sweep.hpp"
#include "dense/message_kinds.hpp"
#include "kernels/product/blas_threads.hpp"
#include "overlapack/quiet_floats.hpp"

namespace overlapack::dense {
namespace {

Triangle triangle_of(const TriangleForm& form) {
  const bool is_unit = form.diagonal == Diagonal::unit;
  if (form.uplo == Uplo::lower) return is_unit ? Triangle::unit_lower : Triangle::lower;
  return is_unit ? Triangle::unit_upper : Triangle::upper;
}

/// Check that the layouts of A and B fit.
/// Errors  BadPlan, BadInput: as solve_triangle_distributed
void require_system(const Layout& a, const Layout& b) {
  if (a.rows != a.cols || b.rows != a.rows)
    throw Error(Status::bad_input, "A is " + api::shape_text(a.rows, a.cols) + " and B " +
                                       api::shape_text(b.rows, b.cols) +
                                       "; give a square A, and B as many rows");
  if (a.block != b.block || a.grid_rows != b.grid_rows || a.grid_cols != b.grid_cols ||
      a.is_row_major != b.is_row_major || a.first_row != b.first_row)
    throw Error(Status::bad_plan,
                "the rows of A and B are not distributed alike; deal both in the same blocks to the same "
                "grid, in the "
                "same order and beginning at the same process row");
}

/// Check that the diagonal has no zero.
/// Errors  Singular, on every rank, naming the first zero
template <class T>
void require_diagonal(comm::Rank& rank, const dist::DistributedMatrix<T>& A) {
  Index first = A.n();
  for_my_diagonal(A, [&](Index k, const T& a) {
    if (a == T(0)) first = std::min(first, k);
  });
  first = comm::collective::all_reduce(rank, first, [](Index a, Index b) { return std::min(a, b); });
  if (first < A.n())
    throw Error(Status::singular, "entry " + std::to_string(first) +
                                      " of the diagonal is zero (from 0); the triangle has no inverse");
}

}  // namespace

template <class T>
Part<T> solve_triangle_distributed(const TriangleForm& form, const Layout& of_A, View<T> A,
                                   const Layout& of_B, View<T> B, Transpose op, const Options& options) {
  return public_call(call::solve_triangle, [&]() -> Part<T> {
    Part<T> X{of_B, {}};
    api::run_on_parts<T>(
        options, {of_A, A}, {of_B, B}, require_system, [&](comm::Rank& rank, const auto& a, const auto& b) {
          const kernels::SingleThreadedBlas one_thread_a_rank;
          if (form.diagonal == Diagonal::general) require_diagonal(rank, a);
          for (Index j = 0; j < b.local.cols; ++j)
            X.values.insert(X.values.end(), b.local.column(j), b.local.column(j) + b.local.rows);
          dist::DistributedMatrix<T> x = b;
          x.local = {X.values.data(), b.local.rows, b.local.cols, b.local.rows};
          const LuPlan plan = api::lu_plan(options);
          solve_by_columns<T>(rank, x, {plan.rhs_block, plan.inbox},
                              [&](dist::Moves<T>& moves, MatrixView<T> columns) {
                                triangular_sweep<T>(moves, {a, a.n(), triangle_of(form), api::op_of(op)},
                                                    columns, SolveMove::lower_sweep);
                              });
        });
    return X;
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                         \
  template Part<T> solve_triangle_distributed(const TriangleForm&, const Layout&, View<T>, const Layout&, \
                                              View<T>, Transpose, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
