#include "api/dense/dense_plan.hpp"
#include "api/dense/on_parts.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "dense/multiply/multiply.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "overlapack/quiet_floats.hpp"

namespace overlapack::dense {
namespace {

/// Check that the layouts of A and B fit.
/// Errors  BadPlan, BadInput: as multiply_distributed
void require_fit(const Layout& a, const Layout& b) {
  const auto refuse = [](Status status, const std::string& message) { throw Error(status, message); };
  if (a.cols != b.rows)
    refuse(Status::bad_input, "A is " + api::shape_text(a.rows, a.cols) + " and B " +
                                  api::shape_text(b.rows, b.cols) + "; give B as many rows as A has columns");
  if (a.block != b.block || a.grid_rows != b.grid_rows || a.grid_cols != b.grid_cols ||
      a.is_row_major != b.is_row_major)
    refuse(Status::bad_plan, "A has blocks of " + std::to_string(a.block) + " on a grid of " +
                                 api::shape_text(a.grid_rows, a.grid_cols) + ", B of " +
                                 std::to_string(b.block) + " on " +
                                 api::shape_text(b.grid_rows, b.grid_cols) +
                                 "; deal both in the same blocks to the same grid, in the same order");
}

}  // namespace

template <class T>
Part<T> multiply_distributed(const Layout& of_A, View<T> A, const Layout& of_B, View<T> B,
                             const Options& options) {
  return public_call(call::multiply, [&]() -> Part<T> {
    Part<T> product;
    api::run_on_parts<T>(
        options, {of_A, A}, {of_B, B}, require_fit, [&](comm::Rank& rank, const auto& a, const auto& b) {
          product.layout = of_A;
          product.layout.cols = of_B.cols;
          product.layout.first_col = of_B.first_col;
          const Index rows = local_rows(product.layout, rank.rank()),
                      cols = local_cols(product.layout, rank.rank());
          product.values.assign(static_cast<std::size_t>(rows * cols), T(0));
          const auto c =
              api::part_of(*a.grid, rank, product.layout, View<T>{product.values.data(), rows, cols, rows});
          multiply(rank, T(1), a, b, c, {.messages = api::lu_plan(options).messages});
        });
    return product;
  });
}

#define OVERLAPACK_INSTANTIATE(T) \
  template Part<T> multiply_distributed(const Layout&, View<T>, const Layout&, View<T>, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
